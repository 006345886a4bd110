/* rows.h - indices of rows that are identified by a few numbers, limited in their number. */
#ifndef PROF_ROWS_H
#define PROF_ROWS_H

#include "base/map.h"

enum { PROF_ROWS = 1 << 18 };

/*
 * Index of the row identified by `id` (n bytes, without padding). For a new id it is the number of rows so far, and the
 * caller adds the row. PROF_ROWS: too many. NAMES_NONE: no memory.
 */
static inline uint32_t prof_row(struct names *ids, const void *id, size_t n)
{
	uint32_t at;

	if (ids->list.n < PROF_ROWS)
		return names_add(ids, id, n);
	at = names_find(ids, id, n);
	return at == NAMES_NONE ? PROF_ROWS : at;
}

#endif
