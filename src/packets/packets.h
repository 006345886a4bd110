/*
 * packets.h - packet statistics of a polling program, Open vSwitch or DPDK, which is recognised by the socket that it
 * listens on. It is asked again and again.
 *
 *	r = packets_open(&p, sys, pid, e);          -ENOENT: it listens on no known socket
 *	r = r ? r : packets_read(&p, e);            p.before and p.now: its last two answers
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
	uint64_t at;                  /* CLOCK_MONOTONIC, ns; 0: there is no answer */
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

/* Ask, and move `now` to `before`. On error now.at is 0. */
int packets_read(struct packets *p, struct err *e);

/* Ask OVS for its datapaths' flows: the number of datapaths, or -errno. */
int packets_flows(struct packets *p, struct ovs_flows v[OVS_DATAPATHS], struct err *e);

/* OVS: how much a number of the thread on that core has grown from `before` to `now`. False: not known. */
bool packets_ovs(const struct packets *p, unsigned core, enum ovs_number number, uint64_t *grown);

/* DPDK: percent of busy cycles of a thread that is the only one on its CPU. False: not known. */
bool packets_dpdk_busy(const struct packets *p, int cpu, double *percent);

/* Call `one` for each counter of dropped packets that has grown: "dpdk0", "rx missed". False: not known. */
struct packets_drop {
	const char *of, *what;        /* not trusted text; what may be "" */
	uint64_t n;
};

bool packets_drops(const struct packets *p, void (*one)(void *arg, const struct packets_drop *d), void *arg);

/* DPDK: packets that all ports have received from `before` to `now`. False: not known. */
bool packets_dpdk_received(const struct packets *p, uint64_t *grown);

#endif
