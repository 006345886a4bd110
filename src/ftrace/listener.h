/*
 * listener.h - the other end of `record -N`, for one sender: takes its description and the pages of each CPU, and
 * makes a trace.dat of them. Also for trace-cmd's sender, which by default sends pages by UDP.
 *
 * Who is at the other end is not known. What it may have is bounded: the room on the disk, the time in which it says
 * nothing where it has to say something, and what comes to the ports of its rings from elsewhere is not taken.
 */
#ifndef FTRACE_LISTENER_H
#define FTRACE_LISTENER_H

#include "ftrace/restore.h"
#include "sys/net.h"

/* Of all listeners together, in memory that they share. */
struct listener_room {
	uint64_t used, most;       /* bytes on the disk */
};

enum { LISTENER_FILE = 65536 };    /* the least that a recording counts, so that their number is bounded, too */

/* False: there is no such room. */
bool listener_take(struct listener_room *room, uint64_t n);

struct listener_want {
	const struct sys *sys;
	const char *output;        /* the recording to make; TRACE.cpuN and TRACE.head beside it meanwhile */
	int fd;                    /* connection to the sender; borrowed */
	struct net_addr peer;      /* at its other end */
	unsigned timeout_ms;       /* a sender that is silent in the middle of something is given up */
	struct listener_room *room;
	int stop;                  /* readable: end with what has come so far */
};

/* -ENOSPC, -ETIMEDOUT, -ENOTCONN: perhaps there is a recording of what had come until then, which res tells. */
int listener_run(const struct listener_want *w, struct restore_result *res, struct err *e);

#endif
