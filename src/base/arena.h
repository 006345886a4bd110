/* arena.h - allocate many small objects, free them together. An object does not move and lives as long as the arena. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"

struct arena_block;
struct arena {
	struct arena_block *blocks;   /* newest first */
	struct arena_block *spare;    /* blocks of the usual size that arena_clear emptied */
	size_t used, cap;             /* bytes, of the newest block */
	size_t total;                 /* bytes taken from malloc, for statistics and limits */
};

/* n zeroed bytes aligned to 8, or NULL. */
void *arena_alloc(struct arena *a, size_t n);

/* A NUL-terminated copy of n bytes, or NULL. */
char *arena_dup(struct arena *a, const char *s, size_t n);

/* Drop all objects. Blocks of the usual size are kept for new ones; those made for one large object are freed. */
void arena_clear(struct arena *a);

void arena_deinit(struct arena *a);   /* a zeroed struct arena is initialised */

#endif
