/* calltree.c - a table of nodes, and a hash table of their edges (parent, key). */
#include "analyse/calltree.h"

#include "base/map.h"
#include "base/mem.h"

enum { FIRST_CAP = 1024 };

int calltree_init(struct calltree *t)
{
	struct ct_node *root;

	*t = (struct calltree){ .cap = FIRST_CAP };
	t->slot = calloc(t->cap, sizeof(*t->slot));
	root = t->slot ? vec_add(&t->nodes) : NULL;
	if (!root) {
		calltree_deinit(t);
		return -ENOMEM;
	}
	*root = (struct ct_node){ 0 };
	return 0;
}

void calltree_deinit(struct calltree *t)
{
	vec_free(&t->nodes);
	free(t->slot);
	*t = (struct calltree){ 0 };
}

static uint64_t edge_hash(uint32_t parent, uint32_t key)
{
	return hash_u64((uint64_t)parent << 32 | key);
}

/* Mask of the bits of a slot that are the index: as many as the table's size needs. */
static uint32_t index_bits(const struct calltree *t)
{
	return (uint32_t)(t->cap - 1);
}

/* The slot of the edge, or the free slot for it. */
static inline size_t find_slot(const struct calltree *t, uint64_t hash, uint32_t parent, uint32_t key)
{
	size_t i = (size_t)hash & (t->cap - 1);
	uint32_t index = index_bits(t), tag = (uint32_t)(hash >> 32) & ~index;

	for (; t->slot[i]; i = (i + 1) & (t->cap - 1)) {
		const struct ct_node *n = &t->nodes.v[t->slot[i] & index];

		/* Access the node, a cache miss, only if the hash bits agree. */
		if ((t->slot[i] & ~index) == tag && n->key == key && n->parent == parent)
			break;
	}
	return i;
}

static inline void put(struct calltree *t, size_t slot, uint64_t hash, uint32_t index)
{
	t->slot[slot] = ((uint32_t)(hash >> 32) & ~index_bits(t)) | index;
}

/* If the tree is small for its table, remove it edge by edge, which is faster than clearing the table. */
void calltree_clear(struct calltree *t)
{
	if (t->nodes.n < t->cap / 16) {
		/* Newest first: an edge that probed past a slot was inserted later. */
		while (t->nodes.n > 1) {
			const struct ct_node *n = &t->nodes.v[t->nodes.n - 1];

			t->slot[find_slot(t, edge_hash(n->parent, n->key), n->parent, n->key)] = 0;
			t->nodes.n--;
		}
	} else {
		memset(t->slot, 0, t->cap * sizeof(*t->slot));
	}
	t->nodes.n = 1;
	t->nodes.v[0] = (struct ct_node){ 0 };
}

void calltree_index(struct calltree *t)
{
	memset(t->slot, 0, t->cap * sizeof(*t->slot));
	/* All edges are distinct: just find a free slot. */
	for (uint32_t i = 1; i < t->nodes.n; i++) {
		uint64_t hash = edge_hash(t->nodes.v[i].parent, t->nodes.v[i].key);
		size_t slot = (size_t)hash & (t->cap - 1);

		while (t->slot[slot])
			slot = (slot + 1) & (t->cap - 1);
		put(t, slot, hash, i);
	}
}

static int grow(struct calltree *t)
{
	size_t cap = t->cap * 2;
	uint32_t *slot = mem_zeroed(cap, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	free(t->slot);
	t->slot = slot;
	t->cap = cap;
	calltree_index(t);
	return 0;
}

uint32_t calltree_child(struct calltree *t, uint32_t parent, uint32_t key)
{
	uint64_t hash = edge_hash(parent, key);
	size_t i = find_slot(t, hash, parent, key);

	if (t->slot[i])
		return t->slot[i] & index_bits(t);
	if (t->nodes.n >= CALLTREE_NONE)
		return CALLTREE_NONE;
	if (t->nodes.n >= t->cap / 4 * 3) {
		if (grow(t))
			return CALLTREE_NONE;
		i = find_slot(t, hash, parent, key);
	}
	if (t->nodes.n == t->nodes.cap && vec_reserve(&t->nodes, 1))
		return CALLTREE_NONE;
	t->nodes.v[t->nodes.n] = (struct ct_node){ .key = key, .parent = parent };
	put(t, i, hash, (uint32_t)t->nodes.n);
	return (uint32_t)t->nodes.n++;
}

uint32_t calltree_find(const struct calltree *t, uint32_t parent, uint32_t key)
{
	size_t i = find_slot(t, edge_hash(parent, key), parent, key);

	return t->slot[i] ? t->slot[i] & index_bits(t) : CALLTREE_NONE;
}

void calltree_near(const struct calltree *t, uint32_t parent, uint32_t key)
{
	__builtin_prefetch(&t->slot[edge_hash(parent, key) & (t->cap - 1)]);
}

/* Only the first slot is tried: mostly the edge is there. */
void calltree_nearer(const struct calltree *t, uint32_t parent, uint32_t key)
{
	uint32_t slot = t->slot[edge_hash(parent, key) & (t->cap - 1)];

	__builtin_prefetch(&t->nodes.v[slot & index_bits(t)]);
}

void calltree_add(struct calltree *t, uint32_t node, uint64_t weight, uint32_t samples)
{
	t->nodes.v[node].self += weight;
	t->nodes.v[node].samples += samples;
}

/* Compute the sizes of subtrees in next[], then the new indices in to[]. Parents have smaller indices than children. */
static void nest(const struct calltree *t, uint32_t *next, uint32_t *to)
{
	for (size_t i = t->nodes.n; i-- > 1; ) {
		next[i]++;
		next[t->nodes.v[i].parent] += next[i];
	}
	/* For nodes with a new index next[] now is the new index of the next child. */
	to[0] = 0;
	next[0] = 1;
	for (size_t i = 1; i < t->nodes.n; i++) {
		uint32_t *at = &next[t->nodes.v[i].parent], size = next[i];

		to[i] = *at;
		next[i] = *at + 1;
		*at += size;
	}
}

/* Move node i to to[i] in place, following each cycle of the permutation. */
static void move(struct calltree *t, uint32_t *to)
{
	for (size_t i = 1; i < t->nodes.n; i++)
		t->nodes.v[i].parent = to[t->nodes.v[i].parent];
	for (uint32_t i = 1; i < t->nodes.n; i++) {
		struct ct_node n = t->nodes.v[i];

		for (uint32_t at = to[i]; at != i; at = to[i]) {
			struct ct_node other = t->nodes.v[at];

			t->nodes.v[at] = n;
			n = other;
			to[i] = to[at];
			to[at] = at;
		}
		t->nodes.v[i] = n;
	}
}

int calltree_settle(struct calltree *t)
{
	uint32_t *next = mem_zeroed(t->nodes.n, sizeof(*next)), *to = mem_alloc(t->nodes.n * sizeof(*to));
	int r = next && to ? 0 : -ENOMEM;

	free(t->slot);
	t->slot = NULL;
	t->cap = 0;
	if (!r) {
		nest(t, next, to);
		move(t, to);
	}
	free(next);
	free(to);
	return r;
}

/* Children have larger indices than their parents: one pass from the end has each child's total before it is needed. */
void calltree_sum_into(const struct calltree *t, struct ct_sum *s)
{
	memset(s, 0, t->nodes.n * sizeof(*s));
	for (size_t i = t->nodes.n; i-- > 0; ) {
		const struct ct_node *n = &t->nodes.v[i];

		s[i].total += n->self;
		if (!i)
			break;
		s[n->parent].total += s[i].total;
		s[i].next = s[n->parent].first;
		s[n->parent].first = (uint32_t)i;
	}
}

struct ct_sum *calltree_sum(const struct calltree *t)
{
	struct ct_sum *s = malloc(t->nodes.n * sizeof(*s));

	if (s)
		calltree_sum_into(t, s);
	return s;
}
