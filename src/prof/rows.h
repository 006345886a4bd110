/* rows.h - rows that are told apart by a few numbers: which one it is, and no more of them than there is room for. */
#ifndef PROF_ROWS_H
#define PROF_ROWS_H

#include "base/map.h"

enum { PROF_ROWS = 1 << 18 };

/*
 * Number of the row that `id` (n bytes, without padding) stands for: as many as there were when it is new, to be added
 * by the caller. PROF_ROWS: there are too many. NAMES_NONE: no memory.
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
