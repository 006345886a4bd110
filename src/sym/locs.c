/*
 * locs.c - open addressing; the address is in the slot, so that a hit costs one cache miss in addition
 * to the entry's.
 */
#include "sym/locs.h"

#include "base/map.h"
#include "base/mem.h"

enum { FIRST_CAP = 1024 };

static size_t slot_of(const struct locs *l, uint32_t dso, uint64_t key)
{
	size_t i = hash_u64(key ^ (uint64_t)dso << 48) & (l->cap - 1);

	while (l->slot[i].entry && (l->slot[i].key != key || l->slot[i].entry->dso != dso))
		i = (i + 1) & (l->cap - 1);
	return i;
}

const struct sym_loc *locs_find(const struct locs *l, uint32_t dso, uint64_t key)
{
	if (!l->cap)
		return NULL;

	const struct locs_entry *e = l->slot[slot_of(l, dso, key)].entry;

	return e ? &e->loc : NULL;
}

static int grow(struct locs *l)
{
	struct locs big = { .cap = l->cap ? l->cap * 2 : FIRST_CAP };

	big.slot = mem_zeroed(big.cap, sizeof(*big.slot));
	if (!big.slot)
		return -ENOMEM;
	for (size_t i = 0; i < l->cap; i++) {
		if (l->slot[i].entry)
			big.slot[slot_of(&big, l->slot[i].entry->dso, l->slot[i].key)] = l->slot[i];
	}
	free(l->slot);
	l->slot = big.slot;
	l->cap = big.cap;
	return 0;
}

struct sym_loc *locs_add(struct locs *l, uint32_t dso, uint64_t key)
{
	if (l->n + 1 > l->cap / 4 * 3 && grow(l))
		return NULL;

	struct locs_entry *e = arena_alloc(&l->arena, sizeof(*e));

	if (!e)
		return NULL;
	e->dso = dso;
	e->key = key;
	l->slot[slot_of(l, dso, key)] = (struct locs_slot){ key, e };
	l->n++;
	return &e->loc;
}

void locs_clear(struct locs *l)
{
	if (l->n)
		memset(l->slot, 0, l->cap * sizeof(*l->slot));
	l->n = 0;
	arena_clear(&l->arena);
}

void locs_deinit(struct locs *l)
{
	free(l->slot);
	arena_deinit(&l->arena);
	*l = (struct locs){ 0 };
}
