/*
 * callers.h - number the call chains of hits: equal chains have the same number, so sums by stack grow with distinct
 * stacks, not with hits. Each address is a frame of its own, outermost first.
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
	size_t most;                     /* use so many innermost addresses; 0: all. Set after callers_open() */
	bool is_open;
};

int callers_open(struct callers *c, struct feed *f);   /* 0 or -ENOMEM */
void callers_close(struct callers *c);

/* The number of the hit's chain, which never changes; 0: it has none. CALLTREE_NONE: no memory. */
uint32_t callers_of(struct callers *c, const struct hit *h);

/* The same, with the given address spaces instead of the current ones. */
uint32_t callers_in(struct callers *c, const struct hit *h, const struct resolver_spaces *in);

/* Print a line for each frame, innermost first: "    ffff800010081234 do_sys_open+0x34 ([kernel.kallsyms])". */
void callers_put(struct callers *c, uint32_t stack, struct out *o);

/* Print at most `most` frames on one line, innermost first: "do_sys_open <- el0_svc <- ...". */
void callers_put_short(struct callers *c, uint32_t stack, unsigned most, struct out *o);

/* The same for those of the first `most` frames for which `skip` is false: "do_idle <- [unknown]". */
void callers_put_arrows(struct callers *c, uint32_t stack, uint64_t most, bool (*skip)(const struct hist_frame *f),
			struct out *o);

/* Does `is` hold for the label of any frame? Innermost first. */
bool callers_any(struct callers *c, uint32_t stack, bool (*is)(void *arg, const char *label), void *arg);

/* Add a stack to a flame graph, below a frame `first` unless it is NULL. 0 or -ENOMEM. */
int callers_flame(struct callers *c, uint32_t stack, const char *first, uint64_t weight, struct flame *f);

#endif
