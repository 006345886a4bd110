/*
 * ovs_text.h - parse ovs-vswitchd's answers to dpif-netdev/pmd-perf-show (2.10 and later), pmd-stats-show (until 3.7
 * with cycles of its own), pmd-rxq-show, coverage/show, dpctl/show -s and upcall/show. Counters are totals since its
 * start, or since a user cleared them. Pure: text in, numbers out; unknown lines are skipped.
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
	OVS_BUSY_CYCLES, OVS_IDLE_CYCLES,     /* of Open vSwitch's clock: on arm64 ticks of the generic timer */
	OVS_NUMBERS
};

/* The PMD threads on one core, summed up over all datapaths. */
struct ovs_pmd {
	unsigned core;
	uint64_t number[OVS_NUMBERS];
	bool known[OVS_NUMBERS];
};

struct ovs_queue {
	unsigned core;              /* core of the PMD thread that polls it */
	char port[OVS_NAME];        /* not trusted: may have any bytes */
	unsigned queue;
	bool has_usage;
	double usage;               /* percent of the thread's time, over the last seconds */
	bool is_overhead;           /* not a queue: the thread's time that belongs to no queue */
};

/* A counter of lost packets that is not 0: "datapath_drop_meter", "dpdk0 rx dropped". */
struct ovs_drop {
	char name[OVS_NAME];
	uint64_t total;
	bool is_loss;               /* false: it counts contention, which costs time but no packets */
};

struct ovs_stats {
	VEC(struct ovs_pmd) pmds;
	VEC(struct ovs_queue) queues;
	VEC(struct ovs_drop) drops;
};

/* Add to what was read before; numbers that are known already are not changed. 0, -E2BIG or -ENOMEM. */
int ovs_read_pmds(struct ovs_stats *s, struct sv text);
int ovs_read_queues(struct ovs_stats *s, struct sv text);
int ovs_read_drops(struct ovs_stats *s, struct sv text);
int ovs_read_ports(struct ovs_stats *s, struct sv text);      /* drops, too: of its own datapaths, not the kernel's */

/* Numbers of a datapath's flows, from upcall/show. */
struct ovs_flows {
	char name[OVS_NAME];        /* "system@ovs-system"; not trusted */
	uint64_t current, average, most, limit;
	uint64_t dump_ms;           /* duration of the last dump */
};

enum { OVS_DATAPATHS = 64 };

/* Returns the number of datapaths; more than OVS_DATAPATHS are left out. */
size_t ovs_read_flows(struct ovs_flows v[OVS_DATAPATHS], struct sv text);

/* NULL: there is no PMD thread on that core. */
const struct ovs_pmd *ovs_pmd_of(const struct ovs_stats *s, unsigned core);

/* Percent of its time that the thread processes packets: the sum of its queues' usage. False: not known. */
bool ovs_busy(const struct ovs_stats *s, unsigned core, double *percent);

void ovs_clear(struct ovs_stats *s);
void ovs_deinit(struct ovs_stats *s);

#endif
