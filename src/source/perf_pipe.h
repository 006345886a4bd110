/*
 * perf_pipe.h - a recording that is being written into a pipe as a source: its records are given as the recorder's
 * rounds end, and nothing is kept of what was given. Who reads it can do so once, and what is told at its end (build
 * ids of its files) comes too late for names: so it must be of this machine, as it is now.
 */
#ifndef SOURCE_PERF_PIPE_H
#define SOURCE_PERF_PIPE_H

#include "source/found.h"
#include "source/source.h"

struct perf_pipe;

struct perf_pipe_want {
	int fd;                          /* borrowed */
	void (*idle)(void *arg);         /* before it waits for more */
	void *arg;
};

/*
 * 1: *to is open, and head has the bytes that its source points into; they must outlive it. 0: it is not to be read
 * like that (compressed, with SPE records, of another machine, none of perf's), and head has what was read so far.
 * -errno: nothing is. The bytes are malloc'ed, and the caller's.
 */
int perf_pipe_open(struct perf_pipe **to, const struct sys *sys, const struct perf_pipe_want *w, struct bytes *head,
		   struct err *e);
void perf_pipe_free(struct perf_pipe *p);   /* NULL is fine; after its source was closed */

struct source *perf_pipe_source(struct perf_pipe *p);

#endif
