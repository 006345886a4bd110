/* heap.h - a binary min-heap of (key, value), e.g. to merge per-CPU streams by time. Its capacity is fixed by
 * heap_init: nothing is allocated later. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/base.h"

struct heap_item {
	uint64_t key;
	uint32_t val;    /* of equal keys the smaller value comes out first, so the order is total */
};

struct heap {
	struct heap_item *v;
	size_t n, cap;
};

int heap_init(struct heap *h, size_t cap);   /* 0 or -ENOMEM */
void heap_deinit(struct heap *h);
void heap_push(struct heap *h, uint64_t key, uint32_t val);   /* requires n < cap */
struct heap_item heap_pop(struct heap *h);                    /* requires n > 0 */

/* Give the top item a new key, larger or smaller than before, and restore the order. Requires n > 0. */
void heap_replace(struct heap *h, uint64_t key);

/* Pop the top item and push (key, val), in one pass. Returns the former top. Requires n > 0. */
static inline struct heap_item heap_exchange(struct heap *h, uint64_t key, uint32_t val)
{
	struct heap_item top = h->v[0];

	h->v[0] = (struct heap_item){ key, val };
	if (h->n > 1)
		heap_replace(h, key);
	return top;
}

static inline const struct heap_item *heap_top(const struct heap *h)
{
	return h->n ? &h->v[0] : NULL;
}

#endif
