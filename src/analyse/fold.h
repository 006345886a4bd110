/*
 * fold.h - make a call tree smaller: its lightest branches are folded into their callers. The rows of a profile lose
 * nothing by it: the weight of each folded frame is noted, and given back to the rows made of the tree (hist.h). If
 * there are too many frames for that, the lightest ones are not noted: their callers keep the weight.
 *
 * In the tree, node 0's children are groups, all nodes below them are frames. Outermost frames have no caller: the
 * lightest of them are folded into a frame "other", which each group gets for that.
 */
#ifndef ANALYSE_FOLD_H
#define ANALYSE_FOLD_H

#include "analyse/calltree.h"
#include "base/map.h"

/* A note: what to add to a frame's sums of the tree; negative for a frame into which callees were folded. */
struct fold_row {
	uint32_t group, frame;
	uint64_t self, total;              /* modulo 2^64 */
	uint64_t samples, total_samples;
};

struct fold {
	struct map of;                     /* group and frame -> index in rows */
	VEC(struct fold_row) rows;
	uint64_t branches;                 /* number folded */
	/* For each node, how many of its samples were folded into it and noted for other frames. Newer nodes: 0. */
	uint32_t *moved;
	size_t n_moved;
	/* Do these frames belong to the same row? */
	bool (*same)(const void *arg, uint32_t a, uint32_t b);
	/* Is a frame inlined? Its samples count as self of its caller. NULL: none is. */
	bool (*inlined)(const void *arg, uint32_t frame);
	const void *arg;
};

void fold_deinit(struct fold *f);

struct fold_want {
	size_t nodes;                      /* keep so many, those with most samples */
	size_t frames;                     /* note so many frames, those with most samples */
	size_t n_frames;                   /* number of all frames */
	uint32_t other;                    /* the frame "other" for outermost frames */
};

/* Fold; nodes are renumbered. 0 or -ENOMEM. */
int fold_tree(struct fold *f, struct calltree *t, const struct fold_want *w);

/* Set used[i] = 1 for each frame i that the tree or a note has; used must be zeroed. */
void fold_used(const struct fold *f, const struct calltree *t, uint32_t *used);

/* Frames were renumbered: frame i is now to[i]. 0 or -ENOMEM. */
int fold_renumber(struct fold *f, struct calltree *t, const uint32_t *to);

/* No more folding: free the memory that is only needed for it. */
void fold_settle(struct fold *f);

#endif
