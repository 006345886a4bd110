/*
 * ovs_text.h - what Open vSwitch's ovs-vswitchd answers to dpif-netdev/pmd-perf-show (2.10 and later), pmd-stats-show
 * (until 3.7 with cycles of its own), pmd-rxq-show, coverage/show, dpctl/show -s and upcall/show. All is since its
 * start, or since somebody cleared it. Pure: text in, numbers out; lines that are not known are passed over.
 */
#ifndef PACKETS_OVS_TEXT_H
#define PACKETS_OVS_TEXT_H

#include "base/str.h"
#include "base/vec.h"

enum { OVS_PMDS = 4096, OVS_QUEUES = 1 << 16, OVS_DROPS = 4096, OVS_NAME = 64 };

enum ovs_number {
	OVS_PACKETS,        /* received */
	OVS_ITERATIONS,
	OVS_IDLE,           /* iterations without a packet */
	OVS_UPCALLS, OVS_LOST,
	OVS_BUSY_CYCLES, OVS_IDLE_CYCLES,     /* of its own clock: on arm64 the timer's ticks */
	OVS_NUMBERS
};

/* One PMD thread, of all datapaths. */
struct ovs_pmd {
	unsigned core;
	uint64_t number[OVS_NUMBERS];
	bool known[OVS_NUMBERS];
};

struct ovs_queue {
	unsigned core;              /* of the PMD thread that polls it */
	char port[OVS_NAME];        /* anybody's text */
	unsigned queue;
	bool has_usage;
	double usage;               /* percent of the thread, over the last seconds */
	bool is_overhead;           /* no queue, but what the thread does for none of them */
};

/* A counter that is not 0, of lost packets: "datapath_drop_meter", "dpdk0 rx dropped". */
struct ovs_drop {
	char name[OVS_NAME];
	uint64_t total;
	bool is_loss;               /* false: contention, which only takes time */
};

struct ovs_stats {
	VEC(struct ovs_pmd) pmds;
	VEC(struct ovs_queue) queues;
	VEC(struct ovs_drop) drops;
};

/* Added to what is there; a number that is known already is left. 0, -E2BIG or -ENOMEM. */
int ovs_read_pmds(struct ovs_stats *s, struct sv text);
int ovs_read_queues(struct ovs_stats *s, struct sv text);
int ovs_read_drops(struct ovs_stats *s, struct sv text);
int ovs_read_ports(struct ovs_stats *s, struct sv text);      /* drops, too: of its own datapaths, not the kernel's */

/* What upcall/show says of a datapath's flows. */
struct ovs_flows {
	char name[OVS_NAME];        /* "system@ovs-system"; anybody's text */
	uint64_t current, average, most, limit;
	uint64_t dump_ms;           /* the last dump took so long */
};
enum { OVS_DATAPATHS = 64 };

/* How many datapaths; more than OVS_DATAPATHS are left out. */
size_t ovs_read_flows(struct ovs_flows v[OVS_DATAPATHS], struct sv text);

/* NULL: it tells nothing of a thread on that core. */
const struct ovs_pmd *ovs_pmd_of(const struct ovs_stats *s, unsigned core);

/* Percent of the time that the thread works on packets, by its queues. False: that is not told. */
bool ovs_busy(const struct ovs_stats *s, unsigned core, double *percent);

void ovs_clear(struct ovs_stats *s);
void ovs_deinit(struct ovs_stats *s);

#endif
