/*
 * callers.h - call chains of hits: equal ones are one number, so what is added up by stack grows with distinct stacks,
 * not with hits. Each address is its own frame, outermost first.
 */
#ifndef ENGINE_CALLERS_H
#define ENGINE_CALLERS_H

#include "engine/feed.h"
#include "show/flame.h"
#include "source/frames.h"

struct callers {
	struct feed *feed;
	struct frames frames;
	struct calltree tree;
	size_t most;                     /* innermost addresses that count; 0: all. Set behind callers_open */
	bool is_open;
};

int callers_open(struct callers *c, struct feed *f);   /* 0 or -ENOMEM */
void callers_close(struct callers *c);

/* The hit's chain: a number that stays; 0: it has none. CALLTREE_NONE: no memory. */
uint32_t callers_of(struct callers *c, const struct hit *h);

/* The same of spaces as they were. */
uint32_t callers_in(struct callers *c, const struct hit *h, const struct resolver_spaces *in);

/* Innermost first, a line each: "    ffff800010081234 do_sys_open+0x34 ([kernel.kallsyms])". */
void callers_put(struct callers *c, uint32_t stack, struct out *o);

/* Innermost first on one line, so many at most: "do_sys_open <- el0_svc <- ...". */
void callers_put_short(struct callers *c, uint32_t stack, unsigned most, struct out *o);

/* Innermost first on one line, those of the first `most` that `skip` is not true of: "do_idle <- [unknown]". */
void callers_put_arrows(struct callers *c, uint32_t stack, uint64_t most, bool (*skip)(const struct hist_frame *f),
			struct out *o);

/* Is there a frame whose label is so? The innermost is asked first. */
bool callers_any(struct callers *c, uint32_t stack, bool (*is)(void *arg, const char *label), void *arg);

/* Into a flame graph, below `first` unless it is NULL. 0 or -ENOMEM. */
int callers_flame(struct callers *c, uint32_t stack, const char *first, uint64_t weight, struct flame *f);

#endif
