/* heap.c - sift up, sift down. */
#include "base/heap.h"

int heap_init(struct heap *h, size_t cap)
{
	*h = (struct heap){ .v = calloc(cap ? cap : 1, sizeof(*h->v)), .cap = cap };
	return h->v ? 0 : -ENOMEM;
}

void heap_deinit(struct heap *h)
{
	free(h->v);
	*h = (struct heap){ 0 };
}

static bool before(struct heap_item a, struct heap_item b)
{
	return a.key != b.key ? a.key < b.key : a.val < b.val;
}

static void sift_down(struct heap *h, struct heap_item x)
{
	size_t i = 0;

	for (;;) {
		size_t kid = 2 * i + 1;

		if (kid >= h->n)
			break;
		if (kid + 1 < h->n && before(h->v[kid + 1], h->v[kid]))
			kid++;
		if (!before(h->v[kid], x))
			break;
		h->v[i] = h->v[kid];
		i = kid;
	}
	h->v[i] = x;
}

void heap_push(struct heap *h, uint64_t key, uint32_t val)
{
	struct heap_item x = { key, val };
	size_t i = h->n++;

	assert(h->n <= h->cap);
	while (i && before(x, h->v[(i - 1) / 2])) {
		h->v[i] = h->v[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->v[i] = x;
}

struct heap_item heap_pop(struct heap *h)
{
	struct heap_item top = h->v[0], last = h->v[--h->n];

	if (h->n)
		sift_down(h, last);
	return top;
}

void heap_replace(struct heap *h, uint64_t key)
{
	sift_down(h, (struct heap_item){ key, h->v[0].val });
}
