/* arena.c - a list of blocks, bump allocation in the newest. */
#include "base/arena.h"

enum { ARENA_BLOCK = 16384 };

struct arena_block {
	struct arena_block *next;
	size_t cap;
	uint64_t align[];
};

static struct arena_block *block_new(struct arena *a, size_t n)
{
	size_t cap = MAX(n, (size_t)ARENA_BLOCK);
	struct arena_block *b = cap == ARENA_BLOCK ? a->spare : NULL;

	if (b) {
		a->spare = b->next;
		return b;
	}
	b = cap > SIZE_MAX - sizeof(*b) ? NULL : malloc(sizeof(*b) + cap);
	if (b) {
		b->cap = cap;
		a->total += cap;
	}
	return b;
}

static int arena_more(struct arena *a, size_t n)
{
	struct arena_block *b = block_new(a, n);

	if (!b)
		return -ENOMEM;
	b->next = a->blocks;
	a->blocks = b;
	a->used = 0;
	a->cap = b->cap;
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

void arena_clear(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *b = a->blocks;

		a->blocks = b->next;
		if (b->cap == ARENA_BLOCK) {
			b->next = a->spare;
			a->spare = b;
		} else {
			a->total -= b->cap;
			free(b);
		}
	}
	a->used = a->cap = 0;
}

static void free_blocks(struct arena_block *b)
{
	while (b) {
		struct arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void arena_deinit(struct arena *a)
{
	free_blocks(a->blocks);
	free_blocks(a->spare);
	*a = (struct arena){ 0 };
}
