/*
 * guest.h - another machine that records together with us: we send its agent a request (agentmsg.h), and a child
 * process receives the data and makes a recording of them.
 *
 *   guest_ask       connect, send the request, read the answer; starts the clock comparison
 *   guest_start     starts the process; returns when the guest is about to trace
 *   guest_stop      asks the guest to stop; returns at once
 *   guest_finish    waits until the recording is made
 *   guest_deinit    abandons an unfinished guest: it ends when its connection does
 */
#ifndef TRACING_TRANSPORT_GUEST_H
#define TRACING_TRANSPORT_GUEST_H

#include "tracing/transport/agentmsg.h"
#include "tracing/transport/clocksync.h"
#include "tracing/transport/receiver.h"

/* Shared with the process. */
struct guest_shared {
	struct restore_result res;
	struct err why;            /* code 0: the recording is complete */
	bool made;
};

struct guest {
	const struct sys *sys;
	char name[NET_NAME];
	char output[PATH_MAX];     /* its recording */
	struct net_addr addr;
	int fd;                    /* connection to the agent; -1: none */
	struct agentmsg_answer answer;   /* its ports point into msg */
	uint64_t host_id;
	struct clocksync clocks;
	struct err no_clocks;      /* why clocks are not compared; code 0: they are */
	int pid;                   /* of the process; 0: none */
	int stop[2], make[2];      /* pipes; a byte means: ask the guest to stop; make the recording */
	struct guest_shared *shared;
	struct netmsg msg;
};

/*
 * where: "NAME@CID:PORT", "CID:PORT", "CID" (vsock), "HOST:PORT", "HOST" (TCP). The recording is `output` with NAME in
 * it; without NAME there, and `name` NULL, it is `where` itself.
 */
int guest_init(struct guest *g, const struct sys *sys, const char *where, const char *name, const char *output,
	       struct err *e);
int guest_ask(struct guest *g, const struct agentmsg_request *q, const char *clock, int64_t interval_ms,
	      struct err *e);
int guest_start(struct guest *g, struct err *e);
void guest_stop(struct guest *g);

/* -errno: there is no recording, or (g->shared->made) an incomplete one. */
int guest_finish(struct guest *g, struct err *e);
void guest_deinit(struct guest *g);

#endif
