/*
 * branches.h - the chains of a row as a tree of its own, keys are frames. What is too light to be shown is not looked
 * into: so it takes as long as what is shown is large, not as the row has chains.
 *
 * In HIST_CHILDREN a sample shows what is below the row's frame (caller), or above it (callee); samples that end in the
 * row show their whole chain.
 */
#ifndef ANALYSE_BRANCHES_H
#define ANALYSE_BRANCHES_H

#include "analyse/hist.h"

enum hist_chain { HIST_CALLER, HIST_CALLEE };   /* root of the shown tree: the outermost frame, or the innermost */

struct branches_item;
struct branches_end;
struct branches_todo;
struct branches_kind;

/* All zero at first. One after another may be found with it; the memory stays. */
struct branches {
	struct calltree tree;                 /* settled */
	const struct hist *h;
	uint32_t row;
	enum hist_chain how;
	VEC(struct branches_end) ends;        /* where samples of the row's own end, in the order of the nodes */
	VEC(struct branches_item) items;      /* places that wait for their turn, those of the next branch last */
	VEC(struct branches_item) next;       /* what is behind the branch at hand */
	VEC(struct branches_todo) todo;
	VEC(struct branches_kind) kinds;      /* of next: by frame */
	VEC(uint32_t) slot;                   /* hash of a frame: index of its kind + 1; 0: free */
	VEC(uint32_t) link;                   /* of each of next: its kind; or the place that it is within */
};

/*
 * What the row shows goes into b->tree, callers of callers first, or for HIST_CALLEE last. A branch lighter than
 * `least` is none: it is added to what its own caller has itself. hist_index was asked for such a row. 0 or -ENOMEM.
 */
int branches_find(struct branches *b, const struct hist *h, uint32_t row, enum hist_chain how, uint64_t least);
void branches_deinit(struct branches *b);

#endif
