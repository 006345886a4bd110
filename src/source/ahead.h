/*
 * ahead.h - the records of a source, found and put in order by another thread than the one that looks at them. They
 * come in the same order. Where one is gone with the next one, it goes on without the other thread.
 */
#ifndef SOURCE_AHEAD_H
#define SOURCE_AHEAD_H

#include "source/source.h"

struct ahead;

struct ahead_from {
	int (*next)(struct source *s, struct source_rec *rec);   /* as source_next */
	bool (*lends)(const struct source *s);   /* what the last record points to goes with the next one */
};

/* From now on only it reads the source's records, until it is freed. NULL: no memory. */
struct ahead *ahead_new(struct source *s, const struct ahead_from *from);
void ahead_free(struct ahead *a);   /* may be NULL */

int ahead_next(struct ahead *a, struct source_rec *rec);   /* as source_next */

#endif
