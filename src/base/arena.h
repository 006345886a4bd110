/* arena.h - allocate many small things, free them together. What it returns does not move and dies with the arena. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"

struct arena_block;
struct arena {
	struct arena_block *blocks;   /* newest first */
	struct arena_block *spare;    /* of the usual size, from before arena_clear */
	size_t used, cap;             /* of the newest block, bytes */
	size_t total;                 /* bytes taken from malloc, for statistics and limits */
};

/* n zeroed bytes aligned to 8, or NULL. */
void *arena_alloc(struct arena *a, size_t n);

/* A NUL-terminated copy of n bytes, or NULL. */
char *arena_dup(struct arena *a, const char *s, size_t n);

/* All of it is free for what comes next: the blocks stay, but for those that were made for one large thing. */
void arena_clear(struct arena *a);

void arena_deinit(struct arena *a);   /* a zeroed struct arena is initialised */

#endif
