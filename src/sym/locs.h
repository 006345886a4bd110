/* locs.h - every address that was looked up, once: (dso, address) -> what it is. */
#ifndef SYM_LOCS_H
#define SYM_LOCS_H

#include "base/arena.h"
#include "sym/resolver.h"

struct locs_entry {
	struct sym_loc loc;
	uint64_t key;          /* address */
	uint32_t dso;          /* number of the dso looked up in */
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

/* A new zeroed entry for an address that is not there, or NULL without memory. It does not move. */
struct sym_loc *locs_add(struct locs *l, uint32_t dso, uint64_t key);

/* Forget all entries; the memory stays for the next ones. */
void locs_clear(struct locs *l);

void locs_deinit(struct locs *l);

#endif
