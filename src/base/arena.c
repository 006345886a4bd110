/* arena.c - a list of blocks, bump allocation in the newest. */
#include "base/arena.h"

enum { ARENA_BLOCK = 16384 };

struct arena_block {
	struct arena_block *next;
	uint64_t align[];
};

static int arena_more(struct arena *a, size_t n)
{
	size_t cap = MAX(n, (size_t)ARENA_BLOCK);
	struct arena_block *b;

	if (cap > SIZE_MAX - sizeof(*b))
		return -ENOMEM;
	b = malloc(sizeof(*b) + cap);
	if (!b)
		return -ENOMEM;
	b->next = a->blocks;
	a->blocks = b;
	a->used = 0;
	a->cap = cap;
	a->total += cap;
	return 0;
}

void *arena_alloc(struct arena *a, size_t n)
{
	void *p;

	if (n > SIZE_MAX - 8)
		return NULL;
	n = ALIGN_UP(n, (size_t)8);
	if (a->cap - a->used < n && arena_more(a, n))
		return NULL;
	p = (char *)a->blocks->align + a->used;
	a->used += n;
	return memset(p, 0, n);
}

char *arena_dup(struct arena *a, const char *s, size_t n)
{
	char *p = n < SIZE_MAX ? arena_alloc(a, n + 1) : NULL;

	if (p)
		memcpy(p, s, n);
	return p;
}

void arena_deinit(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
	*a = (struct arena){ 0 };
}
