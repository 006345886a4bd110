/*
 * listener.h - the receiving end of `record -N` for one sender: takes its description and the pages of each CPU, and
 * makes a trace.dat of them. Also serves trace-cmd's sender, which by default sends pages by UDP. See receiver.h for
 * the limits of what a stranger can use.
 */
#ifndef TRACING_TRANSPORT_LISTENER_H
#define TRACING_TRANSPORT_LISTENER_H

#include "tracing/transport/receiver.h"

struct listener_want {
	const struct sys *sys;
	const char *output;        /* the recording to make; TRACE.cpuN and TRACE.head exist beside it meanwhile */
	int fd;                    /* connection to the sender; borrowed */
	struct net_addr peer;      /* address of the sender */
	unsigned timeout_ms;       /* limit for silence within a message or the description */
	struct receiver_room *room;
	int stop;                  /* readable: end with what was received so far */
};

/* -ENOSPC, -ETIMEDOUT, -ENOTCONN: res tells whether a recording was made of what was received until then. */
int listener_run(const struct listener_want *w, struct restore_result *res, struct err *e);

#endif
