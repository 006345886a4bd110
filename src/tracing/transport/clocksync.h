/*
 * clocksync.h - compares the clocks of a host and its guest while both record. Each side has a process for it; they
 * share a connection of their own (messages TIME_SYNC).
 *
 *   host, before each comparison, for each CPU of the guest:   protocol "none", kind 1, u16 CPU (host's byte order)
 *   both                                                       messages of the protocol in use, here PTP (ptp.h)
 *   host, at the end                                           protocol "none", kind 2
 */
#ifndef TRACING_TRANSPORT_CLOCKSYNC_H
#define TRACING_TRANSPORT_CLOCKSYNC_H

#include "tracefs/dat/shift.h"
#include "tracing/traceclock.h"
#include "tracing/transport/agentmsg.h"

#define CLOCKSYNC_PTP "ptp"

enum { CLOCKSYNC_SAMPLES = 256 };   /* per CPU; when full, every second one is dropped */

struct clocksync_cpu {
	uint32_t n;
	struct tshift_sample v[CLOCKSYNC_SAMPLES];
};

struct clocksync {
	const struct sys *sys;
	struct undo *undo;
	struct traceclock clock;
	int pid;                     /* of the process; 0: none */
	int fd;                      /* guest: listening socket, later the connection; host: the connection */
	struct net_addr peer;
	int stop[2];                 /* host: pipe; a byte ends the process */
	uint32_t ncpus;              /* of the guest */
	int64_t interval_ms;         /* 0: only at the beginning and at the end */
	struct clocksync_cpu *cpus;  /* host: shared with the process */
	struct netmsg msg;
	/* State of the comparison in progress. */
	uint32_t series;
	struct ptp_times *times;
};

/* In the guest: listen on *port for the peer, then compare at its request until it ends. clock: the recording's. */
int clocksync_serve(struct clocksync *s, struct undo *u, const struct tfs *top, const char *clock,
		    const struct net_addr *peer, unsigned *port, struct err *e);

/* On the host: returns after the first comparison. -errno: the clocks cannot be compared. */
int clocksync_lead(struct clocksync *s, const struct sys *sys, const char *clock, const struct net_addr *to,
		   uint32_t ncpus, int64_t interval_ms, struct err *e);

/* Host: make the last comparison and end the process. Guest: wait up to ms for the host to end the comparisons. */
void clocksync_stop(struct clocksync *s);
void clocksync_wait(struct clocksync *s, unsigned ms);

/* Write TIME_SHIFT for the guest's recording: false when a CPU has no sample. */
bool clocksync_put(const struct clocksync *s, uint64_t host_id, struct out *o);
void clocksync_deinit(struct clocksync *s);

#endif
