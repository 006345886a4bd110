/* locs.h - hash table of all addresses that were looked up: (dso, address) -> location. */
#ifndef SYM_LOCS_H
#define SYM_LOCS_H

#include "base/arena.h"
#include "sym/resolver.h"

struct locs_entry {
	struct sym_loc loc;
	uint64_t key;          /* address */
	uint32_t dso;          /* number of the dso in which it was looked up */
};

struct locs_slot {
	uint64_t key;
	struct locs_entry *entry;   /* NULL: free */
};

/* A zeroed struct locs is empty. */
struct locs {
	struct locs_slot *slot;
	size_t n, cap;         /* cap is 0 or a power of two */
	struct arena arena;
};

/* The address' entry, or NULL. */
const struct sym_loc *locs_find(const struct locs *l, uint32_t dso, uint64_t key);

/* Add a zeroed entry for an address that has none; NULL: no memory. Entries never move. */
struct sym_loc *locs_add(struct locs *l, uint32_t dso, uint64_t key);

/* Forget all entries; the memory stays for the next ones. */
void locs_clear(struct locs *l);

void locs_deinit(struct locs *l);

#endif
