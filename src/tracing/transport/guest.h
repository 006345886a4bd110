/*
 * guest.h - another machine that records with us: its agent is asked (agentmsg.h), and a process of ours takes what it
 * sends and makes a recording of its own of it.
 *
 *   guest_ask       connect, ask, hear the answer; clocks are compared from then on
 *   guest_start     the process runs; returns when the guest is about to trace
 *   guest_stop      the guest is told to end; returns at once
 *   guest_finish    the recording is made
 *   guest_deinit    a guest that was not finished is left: it ends when its connection does
 */
#ifndef TRACING_TRANSPORT_GUEST_H
#define TRACING_TRANSPORT_GUEST_H

#include "tracing/transport/agentmsg.h"
#include "tracing/transport/clocksync.h"
#include "tracing/transport/receiver.h"

/* With the process. */
struct guest_shared {
	struct restore_result res;
	struct err why;            /* code 0: nothing is missing */
	bool made;
};

struct guest {
	const struct sys *sys;
	char name[NET_NAME];
	char output[PATH_MAX];     /* its recording */
	struct net_addr addr;
	int fd;                    /* -1: none */
	struct agentmsg_answer answer;   /* its ports are in msg */
	uint64_t host_id;
	struct clocksync clocks;
	struct err no_clocks;      /* code 0, or why they are not compared */
	int pid;                   /* of the process; 0: none */
	int stop[2], make[2];      /* a byte of ours: the guest is to end; its recording can be made */
	struct guest_shared *shared;
	struct netmsg msg;
};

/*
 * "NAME@CID:PORT", "CID:PORT", "CID" (vsock), "HOST:PORT", "HOST" (TCP). NAME is for the file beside `output`; without
 * one, and name NULL, it is what was given.
 */
int guest_init(struct guest *g, const struct sys *sys, const char *where, const char *name, const char *output,
	       struct err *e);
int guest_ask(struct guest *g, const struct agentmsg_request *q, const char *clock, int64_t interval_ms,
	      struct err *e);
int guest_start(struct guest *g, struct err *e);
void guest_stop(struct guest *g);

/* -errno: there is none, or (g->shared->made) something is missing in it. */
int guest_finish(struct guest *g, struct err *e);
void guest_deinit(struct guest *g);

#endif
