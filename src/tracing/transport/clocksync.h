/*
 * clocksync.h - the clocks of a host and its guest compared while both record, each side by a process of its own, which
 * talk through a connection of their own (messages TIME_SYNC).
 *
 *   host, before each comparison, for each CPU of the guest:   "none" 1, u16 CPU (the host's byte order)
 *   both                                                       those of the way, which here is PTP (ptp.h)
 *   host, at the end                                           "none" 2
 */
#ifndef TRACING_TRANSPORT_CLOCKSYNC_H
#define TRACING_TRANSPORT_CLOCKSYNC_H

#include "tracefs/dat/shift.h"
#include "tracing/traceclock.h"
#include "tracing/transport/agentmsg.h"

#define CLOCKSYNC_PTP "ptp"

enum { CLOCKSYNC_SAMPLES = 256 };   /* of a CPU; when they are all taken every second one goes */

struct clocksync_cpu {
	uint32_t n;
	struct tshift_sample v[CLOCKSYNC_SAMPLES];
};

struct clocksync {
	const struct sys *sys;
	struct undo *undo;
	struct traceclock clock;
	int pid;                     /* 0: none */
	int fd;                      /* guest: where the host connects to; host: the connection */
	struct net_addr peer;
	int stop[2];                 /* host: a byte of ours ends it */
	uint32_t ncpus;              /* of the guest */
	int64_t interval_ms;         /* 0: at the beginning and at the end */
	struct clocksync_cpu *cpus;  /* host: shared with the process */
	struct netmsg msg;
	/* Of the comparison that goes on. */
	uint32_t series;
	struct ptp_times *times;
};

/* In the guest: wait at *port for the peer, then do as it says until it ends it. clock: of what is recorded. */
int clocksync_serve(struct clocksync *s, struct undo *u, const struct tfs *top, const char *clock,
		    const struct net_addr *peer, unsigned *port, struct err *e);

/* On the host: the first comparison is over when it returns. -errno: they cannot be compared. */
int clocksync_lead(struct clocksync *s, const struct sys *sys, const char *clock, const struct net_addr *to,
		   uint32_t ncpus, int64_t interval_ms, struct err *e);

/* The last comparison is made, and the process ends. In the guest: the host has ended it, or does within ms. */
void clocksync_stop(struct clocksync *s);
void clocksync_wait(struct clocksync *s, unsigned ms);

/* What was found, for the guest's recording: false when it lacks a CPU. */
bool clocksync_put(const struct clocksync *s, uint64_t host_id, struct out *o);
void clocksync_deinit(struct clocksync *s);

#endif
