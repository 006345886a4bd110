/*
 * unwinder.h - unwind copies of stacks while recording: records of the rings are sorted by time, so that the maps of
 * each process are those of the sample's time, and written with plain call chains. Only the unwinder drains the rings.
 * Switches of EVENT_OFF_CPU are not written; their sums are, at the end.
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

/* Write the waiting records. Before recfile_end(). */
int unwinder_end(struct unwinder *u, struct err *e);

/* Say a line for each problem. */
void unwinder_tell(const struct unwinder *u, void (*say)(void *arg, const char *line), void *arg);

#endif
