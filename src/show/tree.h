/*
 * tree.h - call trees as text in the layout of `perf report --stdio`:
 *
 *            |
 *            ---main
 *               |
 *               |--74.90%--parse
 *               |          read_line
 *               |
 *                --9.20%--print
 *
 * A node whose only child has all of its weight continues on the next line without a percentage.
 * Which end of the stacks is the root (caller or callee order) is decided when the tree is built.
 */
#ifndef SHOW_TREE_H
#define SHOW_TREE_H

#include "base/fmt.h"

/*
 * An array of these is a tree. Node 0 is the root: it has a weight and children but is not
 * printed. A child or next of 0 means none, so a zeroed node is a leaf. The links must form a tree
 * within the array.
 */
struct tree_node {
	const char *label;       /* borrowed */
	uint64_t weight;         /* of the whole subtree */
	uint32_t child, next;    /* index of the first child, of the next sibling */
};

enum tree_style {
	TREE_GRAPH,      /* percent of want.total */
	TREE_FRACTAL,    /* percent of all children of the same parent */
};

struct tree_want {
	enum tree_style style;
	uint64_t total;          /* 100 % of TREE_GRAPH; 0: the root's weight */
	double min_percent;      /* lighter nodes are omitted; TREE_FRACTAL sums them as "[...]" */
	unsigned margin;         /* columns left of the tree; perf has 12 */
};

/* Heaviest child first, equal ones by label. Nodes too light to be shown come last, unsorted, and need no label. */
void tree_sort(struct tree_node *v, size_t n, const struct tree_want *w);

/* Is a node of this weight omitted? For TREE_GRAPH, in which the limit is the same everywhere. */
bool tree_hides(const struct tree_want *w, uint64_t all, uint64_t weight);

/* Labels are cut to the width of a terminal. More than 64 levels of branching are cut with "[...]". */
void tree_print(const struct tree_node *v, const struct tree_want *w, struct out *o);

#endif
