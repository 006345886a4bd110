/*
 * calltree.h - call chains in one hash-consed tree: a node stands for a frame below its caller, and equal chains are
 * the same nodes, so memory grows with distinct chains, not with samples. Keys are defined by the caller: dense numbers
 * of groups and frames. Node 0 is the root. Weights are in the event's unit (the sum of periods).
 */
#ifndef ANALYSE_CALLTREE_H
#define ANALYSE_CALLTREE_H

#include "base/base.h"
#include "base/vec.h"

struct ct_node {
	uint64_t self;        /* weight of the samples whose innermost frame is this one */
	uint32_t key;
	uint32_t parent;
	uint32_t samples;     /* their number */
} __attribute__((packed, aligned(4)));

static_assert(sizeof(struct ct_node) == 20, "a large recording has a million of these");

struct calltree {
	VEC(struct ct_node) nodes;   /* a child's index is above its parent's */
	uint32_t *slot;              /* hash table of (parent, key): index, above it bits of the hash; 0: free */
	size_t cap;
};

#define CALLTREE_NONE UINT32_MAX

int calltree_init(struct calltree *t);       /* 0 or -ENOMEM */
void calltree_deinit(struct calltree *t);

/* Remove all nodes but the root; the memory is kept. */
void calltree_clear(struct calltree *t);

/* The child of `parent` with this key, which is added if it is new; CALLTREE_NONE: no memory or 2^32 nodes. */
uint32_t calltree_child(struct calltree *t, uint32_t parent, uint32_t key);

/* The child if it exists, or CALLTREE_NONE. */
uint32_t calltree_find(const struct calltree *t, uint32_t parent, uint32_t key);

/*
 * Prefetch for a child that will be looked up soon, in two steps: first its slot of the hash table, then, when that has
 * arrived in the cache, its node.
 */
void calltree_near(const struct calltree *t, uint32_t parent, uint32_t key);
void calltree_nearer(const struct calltree *t, uint32_t parent, uint32_t key);

/* Add samples whose innermost frame is this node. */
void calltree_add(struct calltree *t, uint32_t node, uint64_t weight, uint32_t samples);

/* Rebuild the hash table after nodes were moved. */
void calltree_index(struct calltree *t);

/*
 * No more lookups: free the hash table, and sort the nodes so that each subtree is contiguous and starts with its root
 * (preorder); siblings keep their order. 0 or -ENOMEM.
 */
int calltree_settle(struct calltree *t);

/* Totals and children of a node. */
struct ct_sum {
	uint64_t total;       /* self and everything below */
	uint32_t first, next; /* child list; 0 = none */
};

/* One for each node, malloc'ed. To be called when all samples were added. NULL: no memory. */
struct ct_sum *calltree_sum(const struct calltree *t);
/* The same into s, which has room for all nodes. */
void calltree_sum_into(const struct calltree *t, struct ct_sum *s);

#endif
