/*
 * packets.h - what a program that polls says of its packets, whichever it is: found by the sockets that it listens on,
 * asked again and again.
 *
 *	r = packets_open(&p, sys, pid, e);          -ENOENT: it listens on none that is known
 *	r = r ? r : packets_read(&p, e);            before, now: what it said the last two times
 *	packets_close(&p);
 */
#ifndef PACKETS_PACKETS_H
#define PACKETS_PACKETS_H

#include "packets/dpdk_text.h"
#include "packets/ovs_text.h"
#include "sys/sys.h"

enum packets_kind { PACKETS_NONE, PACKETS_OVS, PACKETS_DPDK };

struct packets_told {
	struct ovs_stats ovs;
	struct dpdk_stats dpdk;
	uint64_t at;                  /* CLOCK_MONOTONIC, ns; 0: nothing was told */
};

struct packets {
	const struct sys *sys;
	int pid;
	enum packets_kind kind;
	char *path;
	struct packets_told before, now;
};

int packets_open(struct packets *p, const struct sys *sys, int pid, struct err *e);
void packets_close(struct packets *p);

/* On error nothing is told now: now.at is 0. */
int packets_read(struct packets *p, struct err *e);

/* Of OVS what it says of its datapaths' flows: how many datapaths. Else -errno. */
int packets_flows(struct packets *p, struct ovs_flows v[OVS_DATAPATHS], struct err *e);

/* Between the two: of OVS what the thread on that core has done. False: that is not told. */
bool packets_ovs(const struct packets *p, unsigned core, enum ovs_number number, uint64_t *grown);

/* The share of busy cycles of a thread that is the only one on its CPU. False: not told. */
bool packets_dpdk_busy(const struct packets *p, int cpu, double *percent);

/* Each counter of dropped packets that has grown: "dpdk0", "rx missed"; false: that is not told. */
struct packets_drop {
	const char *of, *what;        /* anybody's text; what may be "" */
	uint64_t n;
};
bool packets_drops(const struct packets *p, void (*one)(void *arg, const struct packets_drop *d), void *arg);

/* Packets that all ports have received. False: not told. */
bool packets_dpdk_received(const struct packets *p, uint64_t *grown);

#endif
