/* flame_tree.h - internals of a flame, only for its writers (flame.c, flame_svg.c). */
#ifndef SHOW_FLAME_TREE_H
#define SHOW_FLAME_TREE_H

#include "base/map.h"
#include "show/flame.h"

struct flame_node {
	uint32_t parent, name;   /* a parent's index is lower than its children's */
	uint64_t self, old;      /* old: self in the older profile */
	enum flame_kind kind;
};

/* Node 0 is the root and has no name. */
struct flame {
	VEC(struct flame_node) node;
	struct names names;
	struct map child;        /* (parent, name, kind) -> node */
	uint64_t total, old_total;
	bool compared;           /* with an older profile */
};

enum { FLAME_NONE = 0 };     /* the root is never a child or sibling */

/* Lists of each node's children sorted by name, and the weight of each subtree. */
struct flame_links {
	uint32_t *child, *next;
	uint64_t *weight;
};

int flame_links_init(struct flame_links *l, const struct flame *f);   /* 0 or -ENOMEM */
void flame_links_deinit(struct flame_links *l);

/* A drawn frame: x and w in units of weight from the left edge. */
struct flame_box {
	uint64_t x, w;
	uint32_t node, row;      /* row 0 is the root */
};

/* The drawn frames sorted by row, then from left to right. */
struct flame_boxes {
	VEC(struct flame_box) list;
	size_t rows, left_out;   /* left_out: nodes lighter than the limit */
};

/* All boxes of at least that weight. 0 or -ENOMEM. */
int flame_boxes_init(struct flame_boxes *b, const struct flame *f, double least);
void flame_boxes_deinit(struct flame_boxes *b);

/* The interactive part of the SVG: a script for its end. */
extern const char flame_script[];

#endif
