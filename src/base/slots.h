/*
 * slots.h - a hash index over an array of rows that contain their keys. A slot has 8 bytes: the 32-bit hash and the
 * row's number. Comparing hashes first avoids most accesses to other rows, and growing needs no row at all. A zeroed
 * struct is an empty table.
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

/* Number of the row with this key, or SLOTS_NONE. Always inlined, because `is` is a few instructions. */
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

/* Prefetch the slot that slots_find() will read, some hundred instructions before it is called. */
static inline void slots_fetch(const struct slots *s, uint32_t hash)
{
	if (s->cap)
		__builtin_prefetch(&s->v[hash & (s->cap - 1)]);
}

/* Add row n. The table must not have another row with its key. 0 or -ENOMEM. */
int slots_add(struct slots *s, uint32_t hash, uint32_t n);

void slots_deinit(struct slots *s);

#endif
