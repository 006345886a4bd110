/*
 * listener.h - the other end of `record -N`, for one sender: takes its description and the pages of each CPU, and
 * makes a trace.dat of them. Also for trace-cmd's sender, which by default sends pages by UDP.
 */
#ifndef FTRACE_LISTENER_H
#define FTRACE_LISTENER_H

#include "ftrace/restore.h"
#include "sys/net.h"

struct listener_want {
	const struct sys *sys;
	const char *output;        /* the recording to make; TRACE.cpuN and TRACE.head beside it meanwhile */
	int fd;                    /* connection to the sender; borrowed */
	int stop;                  /* readable: end with what has come so far */
};

int listener_run(const struct listener_want *w, struct restore_result *res, struct err *e);

#endif
