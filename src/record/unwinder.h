/*
 * unwinder.h - stacks followed while they are recorded: what comes out of the rings, in order of time, so that each
 * process's maps are those of the moment, goes into the file with plain call chains. The rings are emptied by it alone.
 * Switches of EVENT_OFF_CPU do not go there: what they add up to does, at the end.
 */
#ifndef RECORD_UNWINDER_H
#define RECORD_UNWINDER_H

#include "record/recfile.h"

struct unwinder;

/*
 * After recfile_begin, before anything is made up. The recording and the file outlive it. *to stays NULL where there
 * are no stacks to be followed, nor switches: all but unwinder_drain then do nothing. 0 or -errno.
 */
int unwinder_new(struct unwinder **to, struct recfile *f, struct err *e);
void unwinder_free(struct unwinder *u);

/* As recording_drain; the newest records wait for those of the next time, for order's sake. */
int unwinder_drain(struct unwinder *u, struct err *e);

/* What still waits. Before recfile_end. */
int unwinder_end(struct unwinder *u, struct err *e);

/* A line for each thing that is not as it should be. */
void unwinder_tell(const struct unwinder *u, void (*say)(void *arg, const char *line), void *arg);

#endif
