/* heap.h - a binary min-heap of (key, value): merging per-CPU streams by time. Fixed capacity: no allocation after
 * init. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/base.h"

struct heap_item {
	uint64_t key;
	uint32_t val;    /* equal keys come out by smaller value: the order is total and stable */
};

struct heap {
	struct heap_item *v;
	size_t n, cap;
};

int heap_init(struct heap *h, size_t cap);   /* 0 or -ENOMEM */
void heap_deinit(struct heap *h);
void heap_push(struct heap *h, uint64_t key, uint32_t val);   /* n < cap */
struct heap_item heap_pop(struct heap *h);                    /* n > 0 */

/* Give the top item a new key (not below the old one is not required) and restore the order. */
void heap_replace(struct heap *h, uint64_t key);

/* The top item, in whose place there is another one now. n > 0. */
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
