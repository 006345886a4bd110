/*
 * newest.h - a recording whose rings are written over and over (--overwrite): nothing is drained of them until what is
 * newest is wanted. Side records have rings of their own, which are drained as ever, into a log in memory.
 */
#ifndef RECORD_NEWEST_H
#define RECORD_NEWEST_H

#include "record/recording.h"

/* Of the side records; what the rest holds stays there. 1 something, 0 nothing, -errno. */
int newest_drain(struct recording *r, struct err *e);

/* What the rings hold that was not written before, each in order of time, and the log. 0 or -errno. */
int newest_write(struct recording *r, struct sink *s, struct err *e);

#endif
