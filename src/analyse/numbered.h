/* numbered.h - map keys to the numbers 1, 2, 3 ... of rows that the caller adds, up to a limit. */
#ifndef ANALYSE_NUMBERED_H
#define ANALYSE_NUMBERED_H

#include "base/map.h"

/*
 * The key's number. n + 1, with n rows: the key is new, and the caller must add the row (if it cannot, the map must not
 * be used any more). 0: there are `most` rows already; -ENOMEM.
 */
static inline int64_t numbered(struct map *of, uint64_t key, size_t n, size_t most)
{
	uint64_t *at = map_get(of, key);

	if (at)
		return (int64_t)*at;
	if (n >= most)
		return 0;
	at = map_add(of, key, NULL);
	return at ? (int64_t)(*at = n + 1) : -ENOMEM;
}

#endif
