/*
 * perf_pipe.h - a recording that is still being written into a pipe, as a source: records are delivered whenever a
 * round of the recorder ends, and are not kept. The pipe can be read only once, and the build-ids at its end come too
 * late for symbols: so the recording must be of this machine, as it runs now.
 */
#ifndef SOURCE_PERF_PIPE_H
#define SOURCE_PERF_PIPE_H

#include "source/found.h"
#include "source/source.h"

struct perf_pipe;

struct perf_pipe_want {
	int fd;                          /* borrowed */
	void (*idle)(void *arg);         /* called before waiting for more data */
	void *arg;
};

/*
 * 1: *to is open, and *head has the header's bytes, which the source borrows until it is closed. 0: the recording
 * cannot be streamed (compressed, with SPE records, of another machine, or not perf's), and *head has the bytes read
 * so far. In both cases the caller frees *head. -errno: *head is not set.
 */
int perf_pipe_open(struct perf_pipe **to, const struct sys *sys, const struct perf_pipe_want *w, struct bytes *head,
		   struct err *e);
void perf_pipe_free(struct perf_pipe *p);   /* may be NULL; close its source first */

struct source *perf_pipe_source(struct perf_pipe *p);

#endif
