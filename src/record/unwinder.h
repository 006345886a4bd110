/*
 * unwinder.h - unwinds user stacks while recording: pulls the records from the rings in order of time, so that the maps
 * of each process are those of that moment, and writes them with plain call chains. Nobody else may drain the rings.
 * The switches of EVENT_OFF_CPU are not written, but samples with the sums of off-CPU time (offcpu.h).
 */
#ifndef RECORD_UNWINDER_H
#define RECORD_UNWINDER_H

#include "record/recfile.h"

struct unwinder;

/*
 * To be called after recfile_begin(), before records are synthesised. The recording and the file must outlive it. *to
 * stays NULL if there are no stacks to unwind and no switches: then all functions but unwinder_drain() do nothing. 0 or
 * -errno.
 */
int unwinder_new(struct unwinder **to, struct recfile *f, struct err *e);
void unwinder_free(struct unwinder *u);

/* As recording_drain(); for the order of time the newest records wait until the next call. */
int unwinder_drain(struct unwinder *u, struct err *e);

/* Write the records that still wait. To be called before recfile_end. */
int unwinder_end(struct unwinder *u, struct err *e);

/* Report each problem, such as samples that could not be decoded, as a line. */
void unwinder_tell(const struct unwinder *u, void (*say)(void *arg, const char *line), void *arg);

#endif
