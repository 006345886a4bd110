/*
 * map.h - hash tables with open addressing.
 *   struct map    uint64_t key -> uint64_t value
 *   struct names  string -> dense id 0,1,2... and back (interning)
 * A zeroed struct is an empty table. Any key is allowed.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"
#include "base/vec.h"

struct map_slot {
	uint64_t key, val;
};

struct map {
	struct map_slot *slot;
	uint8_t *used;
	size_t n, cap;      /* cap is 0 or a power of two */
};

/* Pointer to the value of key, or NULL. Valid until the next map_add. */
uint64_t *map_get(const struct map *m, uint64_t key);

/*
 * Pointer to the value of key, which is added with the value 0 if it is new. Valid until the next map_add. is_new may
 * be NULL. NULL: no memory.
 */
uint64_t *map_add(struct map *m, uint64_t key, bool *is_new);

void map_deinit(struct map *m);

struct name {
	const char *s;
	uint32_t len, hash;
};

struct names {
	VEC(struct name) list;   /* id -> string */
	uint32_t *slot;          /* id + 1, 0 = free */
	size_t cap;
	struct arena arena;
};

#define NAMES_NONE UINT32_MAX

/* Id of the string, added when new; NAMES_NONE: no memory. */
uint32_t names_add(struct names *t, const char *s, size_t n);

/* Id or NAMES_NONE. */
uint32_t names_find(const struct names *t, const char *s, size_t n);

/* The NUL-terminated string of an id; lives as long as the table. "": there is no such id. */
const char *names_str(const struct names *t, uint32_t id);

void names_deinit(struct names *t);

/* Finaliser of SplitMix64: every input bit affects every output bit. */
static inline uint64_t hash_u64(uint64_t v)
{
	v = (v ^ (v >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	v = (v ^ (v >> 27)) * UINT64_C(0x94d049bb133111eb);
	return v ^ (v >> 31);
}

uint32_t hash_bytes(const void *p, size_t n);

#endif
