/*
 * newest.h - a recording with overwritable rings (--overwrite): samples stay in the rings until the newest ones are
 * wanted. Side records have rings of their own, which are drained as usual, into a log in memory.
 */
#ifndef RECORD_NEWEST_H
#define RECORD_NEWEST_H

#include "record/recording.h"

/* Drain the rings of side records into the log; samples stay. 1: there were records, 0: none, -errno. */
int newest_drain(struct recording *r, struct err *e);

/* Write the contents of the rings, without what was written before, each in order of time, and the log. 0 or -errno. */
int newest_write(struct recording *r, struct sink *s, struct err *e);

#endif
