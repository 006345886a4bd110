/*
 * branches.h - the call chains of a row as a tree of its own; its keys are frames. Branches that are too light to be
 * shown are not expanded: so the time depends on the size of what is shown, not on the number of the row's chains.
 *
 * In HIST_CHILDREN a sample shows the part of its chain below the row's frame (caller) or above it (callee); a sample
 * whose innermost frame is in the row shows its whole chain.
 */
#ifndef ANALYSE_BRANCHES_H
#define ANALYSE_BRANCHES_H

#include "analyse/hist.h"

enum hist_chain { HIST_CALLER, HIST_CALLEE };   /* root of the shown tree: the outermost frame, or the innermost */

struct branches_item;
struct branches_end;
struct branches_todo;
struct branches_kind;

/* To be zeroed first. It can be used for several rows, one after the other; the memory is kept. */
struct branches {
	struct calltree tree;                 /* settled */
	const struct hist *h;
	uint32_t row;
	enum hist_chain how;
	VEC(struct branches_end) ends;        /* nodes in which the row's own samples end, sorted by node */
	VEC(struct branches_item) items;      /* items of the branches in `todo`, those of the last branch last */
	VEC(struct branches_item) next;       /* items below the current branch */
	VEC(struct branches_todo) todo;
	VEC(struct branches_kind) kinds;      /* `next` grouped by frame */
	VEC(uint32_t) slot;                   /* hash table of frames: index of the kind + 1; 0: free */
	VEC(uint32_t) link;                   /* for each of `next`: its kind; or the item whose subtree contains it */
};

/*
 * Build the row's tree in b->tree, with the outermost callers as root, or for HIST_CALLEE as leaves. A branch lighter
 * than `least` is left out: its weight is added to its parent's self. hist_index() must have included the row. 0 or
 * -ENOMEM.
 */
int branches_find(struct branches *b, const struct hist *h, uint32_t row, enum hist_chain how, uint64_t least);
void branches_deinit(struct branches *b);

#endif
