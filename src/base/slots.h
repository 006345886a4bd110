/*
 * slots.h - finds rows by keys that stand in the rows: a hash table of 8 bytes a slot, half of them hash, so that few
 * rows are looked at that are not the one, and none when it grows. A zeroed struct is an empty table.
 */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include "base/base.h"

struct slots {
	uint64_t *v;        /* hash << 32 | the row's number + 1; 0: free */
	size_t n, cap;      /* cap is 0 or a power of two */
};

#define SLOTS_NONE UINT32_MAX

/* Fibonacci hashing, as base/map.c has it. */
static inline uint32_t slots_hash(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Has row n this key? */
typedef bool slots_is(const void *rows, uint32_t n, const void *key);

/* Number of the row, or SLOTS_NONE. In place, for what `is` does is a few instructions. */
static inline __attribute__((always_inline)) uint32_t slots_find(const struct slots *s, uint32_t hash, slots_is *is,
								 const void *rows, const void *key)
{
	size_t i = hash, mask = s->cap - 1;
	uint64_t slot;

	if (!s->cap)
		return SLOTS_NONE;
	for (; (slot = s->v[i & mask]); i++)
		if (slot >> 32 == hash && is(rows, (uint32_t)slot - 1, key))
			return (uint32_t)slot - 1;
	return SLOTS_NONE;
}

/* What slots_find will read of the table is asked for, so that it is there some hundred instructions later. */
static inline void slots_fetch(const struct slots *s, uint32_t hash)
{
	if (s->cap)
		__builtin_prefetch(&s->v[hash & (s->cap - 1)]);
}

/* Row n is there now; no other has its key. 0 or -ENOMEM. */
int slots_add(struct slots *s, uint32_t hash, uint32_t n);

void slots_deinit(struct slots *s);

#endif
