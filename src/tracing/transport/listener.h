/*
 * listener.h - the other end of `record -N`, for one sender: takes its description and the pages of each CPU, and
 * makes a trace.dat of them. Also for trace-cmd's sender, which by default sends pages by UDP. See receiver.h for what
 * a stranger may have of us.
 */
#ifndef TRACING_TRANSPORT_LISTENER_H
#define TRACING_TRANSPORT_LISTENER_H

#include "tracing/transport/receiver.h"

struct listener_want {
	const struct sys *sys;
	const char *output;        /* the recording to make; TRACE.cpuN and TRACE.head beside it meanwhile */
	int fd;                    /* connection to the sender; borrowed */
	struct net_addr peer;      /* at its other end */
	unsigned timeout_ms;       /* a sender that is silent in the middle of something is given up */
	struct receiver_room *room;
	int stop;                  /* readable: end with what has come so far */
};

/* -ENOSPC, -ETIMEDOUT, -ENOTCONN: perhaps there is a recording of what had come until then, which res tells. */
int listener_run(const struct listener_want *w, struct restore_result *res, struct err *e);

#endif
