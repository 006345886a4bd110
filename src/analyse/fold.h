/*
 * fold.h - a call tree made smaller: its lightest branches become part of what called them. Rows of a profile lose
 * nothing by it: what each frame had is noted, and given back to the rows that are made of the tree (hist.h). Where
 * there are too many frames for that, the lightest ones are not noted: their callers keep what they had.
 *
 * In the tree, node 0's children are groups, everything below them are frames. What a group begins with has no caller:
 * the lightest of these become part of one frame that stands for such, which the group gets then.
 */
#ifndef ANALYSE_FOLD_H
#define ANALYSE_FOLD_H

#include "analyse/calltree.h"
#include "base/map.h"

/* What a frame of a group has had besides what the tree says; less than nothing where callees were folded into it. */
struct fold_row {
	uint32_t group, frame;
	uint64_t self, total;              /* modulo 2^64 */
	uint64_t samples, total_samples;
};

struct fold {
	struct map of;                     /* group and frame -> index in rows */
	VEC(struct fold_row) rows;
	uint64_t branches;                 /* were folded */
	/* Of each node's samples those that were folded in from below and noted as other frames'. Newer nodes: none. */
	uint32_t *moved;
	size_t n_moved;
	/* Do these frames belong to the same row? */
	bool (*same)(const void *arg, uint32_t a, uint32_t b);
	/* Is a frame inlined? Its samples are its caller's own. NULL: none is. */
	bool (*inlined)(const void *arg, uint32_t frame);
	const void *arg;
};

void fold_deinit(struct fold *f);

struct fold_want {
	size_t nodes;                      /* to keep: the heaviest by their samples */
	size_t frames;                     /* of which notes are taken: likewise */
	size_t n_frames;                   /* that there are */
	uint32_t other;                    /* the frame that stands for the outermost ones */
};

/* Numbers of nodes change. 0 or -ENOMEM. */
int fold_tree(struct fold *f, struct calltree *t, const struct fold_want *w);

/* Mark the frames that the tree or a note still has in used[], which begins as all 0. */
void fold_used(const struct fold *f, const struct calltree *t, uint32_t *used);

/* Frames have new numbers. 0 or -ENOMEM. */
int fold_renumber(struct fold *f, struct calltree *t, const uint32_t *to);

/* Nothing more will be folded: give back what only that needs. */
void fold_settle(struct fold *f);

#endif
