/*
 * session_ahead.h - the records of a perf.data, found and put in order by another thread than the one that looks at
 * them. They come in the same order. Where records are unpacked, and gone with the next one, it goes on without.
 */
#ifndef SOURCE_SESSION_AHEAD_H
#define SOURCE_SESSION_AHEAD_H

#include "source/session_parts.h"

struct ahead;

/* From now on only it reads the session's records, until it is freed. NULL: no memory. */
struct ahead *ahead_new(struct session *s);
void ahead_free(struct ahead *a);   /* may be NULL */

int ahead_next(struct ahead *a, struct perf_record *r);   /* as session_read */

#endif
