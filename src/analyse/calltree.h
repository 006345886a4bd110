/*
 * calltree.h - call chains in one hash-consed tree: a node stands for a frame below its caller, and equal chains are
 * the same nodes, so memory follows distinct chains, not samples. What a key means is the caller's: a dense number of a
 * group or of a frame. Node 0 is the root. Weights are in the event's unit (the sum of periods).
 */
#ifndef ANALYSE_CALLTREE_H
#define ANALYSE_CALLTREE_H

#include "base/base.h"
#include "base/vec.h"

struct ct_node {
	uint64_t self;        /* weight of the samples that end here */
	uint32_t key;
	uint32_t parent;
	uint32_t samples;     /* that end here */
} __attribute__((packed, aligned(4)));

static_assert(sizeof(struct ct_node) == 20, "a large recording has a million of these");

struct calltree {
	VEC(struct ct_node) nodes;   /* a child's index is above its parent's */
	uint32_t *slot;              /* by the hash of (parent, key): the index, above it bits of the hash; 0 = free */
	size_t cap;
};

#define CALLTREE_NONE UINT32_MAX

int calltree_init(struct calltree *t);       /* 0 or -ENOMEM */
void calltree_deinit(struct calltree *t);

/* Forget all nodes but the root; the memory stays for the next ones. */
void calltree_clear(struct calltree *t);

/* The child of `parent` with this key, made when it is new; CALLTREE_NONE: no memory or 2^32 nodes. */
uint32_t calltree_child(struct calltree *t, uint32_t parent, uint32_t key);

/* The child if it is there, or CALLTREE_NONE. */
uint32_t calltree_find(const struct calltree *t, uint32_t parent, uint32_t key);

/*
 * A child will be asked for soon: what a large tree has of it is brought into the cache meanwhile. First where it is
 * told, and when that has come the node.
 */
void calltree_near(const struct calltree *t, uint32_t parent, uint32_t key);
void calltree_nearer(const struct calltree *t, uint32_t parent, uint32_t key);

/* Samples that end in this node. */
void calltree_add(struct calltree *t, uint32_t node, uint64_t weight, uint32_t samples);

/* The nodes were moved: find the children by them again. */
void calltree_index(struct calltree *t);

/*
 * No child will be asked for any more: give back what only that needs, and put the nodes in another order. A node's
 * subtree is one stretch from then on, which it begins; its children are in the order in which they were. 0 or -ENOMEM.
 */
int calltree_settle(struct calltree *t);

/* What is below each node. */
struct ct_sum {
	uint64_t total;       /* self and everything below */
	uint32_t first, next; /* child list; 0 = none */
};

/* One for each node, malloc'ed. Call when all samples are in. NULL: no memory. */
struct ct_sum *calltree_sum(const struct calltree *t);
/* The same into s, which has room for all nodes. */
void calltree_sum_into(const struct calltree *t, struct ct_sum *s);

#endif
