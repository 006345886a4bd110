/*
 * newest.h - a recording with overwritable rings (--overwrite): they are read only when their newest contents are
 * wanted. Side records have rings of their own, which are drained regularly, into a log in memory (sidelog.h).
 */
#ifndef RECORD_NEWEST_H
#define RECORD_NEWEST_H

#include "record/recording.h"

/* Drain the rings of side records into the log. 1: there was something, 0: nothing, -errno. */
int newest_drain(struct recording *r, struct err *e);

/* Write the contents of the overwritable rings since the last time, each in order of time, and the log. 0 or -errno. */
int newest_write(struct recording *r, struct sink *s, struct err *e);

#endif
