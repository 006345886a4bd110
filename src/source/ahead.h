/*
 * ahead.h - read and sort the records of a source in a second thread, while the caller processes earlier ones. Their
 * order stays the same. From a record on whose bytes are valid only until the next read, the caller's thread reads.
 */
#ifndef SOURCE_AHEAD_H
#define SOURCE_AHEAD_H

#include "source/source.h"

struct ahead;

struct ahead_from {
	int (*next)(struct source *s, struct source_rec *rec);   /* as source_next */
	bool (*lends)(const struct source *s);   /* are the last record's bytes valid only until the next one? */
};

/* From now on nobody else may read the source's records, until it is freed. NULL: no memory. */
struct ahead *ahead_new(struct source *s, const struct ahead_from *from);
void ahead_free(struct ahead *a);   /* may be NULL */

int ahead_next(struct ahead *a, struct source_rec *rec);   /* as source_next */

#endif
