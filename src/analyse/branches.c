/*
 * branches.c - a branch is a set of nodes (items); it is expanded by grouping the nodes below them by frame.
 *
 * A set's weight is known before it is expanded: subtrees are contiguous, so their weight is a difference of prefix
 * sums; samples that end in the row itself, which show elsewhere, are found in it by binary search.
 */
#include "analyse/branches.h"

#include "base/map.h"

/* A node, and the samples of its subtree that show in this branch. */
struct branches_item {
	uint32_t node;
	bool whole;           /* HIST_CALLER: only samples that end in the row; else only those that do not */
	uint32_t samples;
	uint64_t weight;
};

struct branches_end {
	uint32_t node, samples;    /* samples and weight: sums of the entries before this one */
	uint64_t weight;
};

/* A branch that is not expanded yet. `todo` is a stack: the items of its last branch are the last ones of `items`. */
struct branches_todo {
	uint32_t parent, key;      /* of the branch */
	size_t items;              /* index of its first item */
};

struct branches_kind {
	uint32_t key;
	uint32_t samples;
	uint64_t weight;
	size_t n, to;              /* number of items; index for the next one */
};

/* --- samples that end in the row ------------------------------------------------------------------------------- */

static const struct ct_node *node_of(const struct branches *b, uint32_t node)
{
	return &b->h->in.tree->nodes.v[node];
}

/* Do the samples that end in this node count as self of the row? */
static bool ends_here(const struct branches *b, uint32_t node)
{
	return b->h->row_of[b->h->want.mode == HIST_SELF ? node : hist_own(b->h, node)] == b->row;
}

static int add_end(struct branches *b, uint32_t node)
{
	struct branches_end *e = vec_add(&b->ends);

	if (e)
		e->node = node;
	return e ? 0 : -ENOMEM;
}

/* Add the ends of a node of the row, including those in functions inlined there. */
static int add_ends_of(struct branches *b, uint32_t own)
{
	const struct hist *h = b->h;
	int r = node_of(b, own)->samples ? add_end(b, own) : 0;
	uint32_t next;

	if (!h->inlines || h->want.mode == HIST_SELF)
		return r;
	for (uint32_t at = own + 1; at < h->end[own] && !r; at = next) {
		bool inlined = h->in.frames[node_of(b, at)->key].inlined;

		next = inlined ? at + 1 : h->end[at];
		if (inlined && node_of(b, at)->samples)
			r = add_end(b, at);
	}
	return r;
}

static int by_node(const void *pa, const void *pb)
{
	const struct branches_end *a = pa, *b = pb;

	return a->node < b->node ? -1 : a->node > b->node;
}

static int find_ends(struct branches *b)
{
	const struct hist *h = b->h;
	uint32_t samples = 0;
	uint64_t weight = 0;
	int r = 0;

	b->ends.n = 0;
	for (uint32_t i = h->places_start[b->row]; i < h->places_start[b->row + 1] && !r; i++)
		if (h->want.mode == HIST_SELF || hist_own(h, h->places[i]) == h->places[i])
			r = add_ends_of(b, h->places[i]);
	/* The last entry has the total sums. */
	r = r ? r : add_end(b, UINT32_MAX);
	if (r)
		return r;
	if (h->inlines)
		qsort(b->ends.v, b->ends.n, sizeof(*b->ends.v), by_node);
	for (size_t i = 0; i < b->ends.n; i++) {
		struct branches_end *e = &b->ends.v[i];

		e->samples = samples;
		e->weight = weight;
		samples += e->node == UINT32_MAX ? 0 : node_of(b, e->node)->samples;
		weight += e->node == UINT32_MAX ? 0 : node_of(b, e->node)->self;
	}
	return 0;
}

/* The first end at this node or behind it, by binary search. */
static const struct branches_end *end_from(const struct branches *b, uint32_t node)
{
	const struct branches_end *v = b->ends.v;
	size_t n = b->ends.n;

	while (n > 1) {
		size_t half = n / 2;

		if (v[half - 1].node < node) {
			v += half;
			n -= half;
		} else {
			n = half;
		}
	}
	return v;
}

/* --- items ----------------------------------------------------------------------------------------------------- */

static int add_item(struct branches *b, uint32_t node, bool whole, uint64_t weight, uint32_t samples)
{
	struct branches_item *it = samples ? vec_add(&b->next) : NULL;

	if (!samples)
		return 0;
	if (!it)
		return -ENOMEM;
	*it = (struct branches_item){ .node = node, .whole = whole, .weight = weight, .samples = samples };
	return 0;
}

/* Add a node with the samples of its subtree: those that end in the row (whole), or the others. */
static int add_below(struct branches *b, uint32_t node, bool whole)
{
	const struct branches_end *from = end_from(b, node), *to = from;
	uint64_t weight;
	uint32_t samples;

	if (from->node < b->h->end[node])
		to = end_from(b, b->h->end[node]);
	weight = to->weight - from->weight;
	samples = to->samples - from->samples;
	if (whole)
		return add_item(b, node, whole, weight, samples);
	return add_item(b, node, whole, hist_weight(b->h, node) - weight, hist_samples(b->h, node) - samples);
}

static uint32_t below_group(const struct branches *b, uint32_t node)
{
	while (node_of(b, node_of(b, node)->parent)->parent)
		node = node_of(b, node)->parent;
	return node;
}

/* HIST_CALLER: the whole chains of samples that end in the row; and the subtrees below the row's outermost nodes. */
static int begin_callers(struct branches *b)
{
	const struct hist *h = b->h;
	uint32_t upto = 0;
	int r = 0;

	for (size_t i = 0; i + 1 < b->ends.n && !r; i++) {
		uint32_t top = below_group(b, b->ends.v[i].node);

		if (b->ends.v[i].node < upto)
			continue;
		r = add_below(b, top, true);
		upto = h->end[top];
	}
	upto = 0;
	for (uint32_t i = h->places_start[b->row]; i < h->places_start[b->row + 1] && !r; i++) {
		if (h->want.mode == HIST_SELF || h->places[i] < upto)
			continue;
		r = add_below(b, h->places[i], false);
		upto = h->end[h->places[i]];
	}
	return r;
}

/* Nested nodes of the row (recursion): samples count for the innermost only. *open: the innermost enclosing item. */
static void within(struct branches *b, size_t at, size_t *open)
{
	const struct branches_item *it = &b->next.v[at];
	size_t up = *open;

	while (up != SIZE_MAX && b->h->end[b->next.v[up].node] <= it->node)
		up = b->link.v[up] == UINT32_MAX ? SIZE_MAX : b->link.v[up];
	b->link.v[at] = up == SIZE_MAX ? UINT32_MAX : (uint32_t)up;
	*open = at;
	if (up == SIZE_MAX)
		return;
	b->next.v[up].weight -= hist_weight(b->h, it->node);
	b->next.v[up].samples -= hist_samples(b->h, it->node);
}

/* HIST_CALLEE: for each node of the row the samples of its subtree, but without nested nodes and without ends. */
static int begin_above(struct branches *b)
{
	const struct hist *h = b->h;
	size_t n = 0, open = SIZE_MAX, at = 0;

	for (uint32_t i = h->places_start[b->row]; i < h->places_start[b->row + 1]; i++)
		if (add_item(b, h->places[i], false, hist_weight(h, h->places[i]), hist_samples(h, h->places[i])))
			return -ENOMEM;
	n = b->next.n;
	if (vec_reserve(&b->link, n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		within(b, i, &open);
	for (size_t i = 0; i + 1 < b->ends.n; i++) {
		const struct ct_node *leaf = node_of(b, b->ends.v[i].node);

		/* The innermost node of the row that encloses this end. */
		while (at + 1 < n && b->next.v[at + 1].node <= b->ends.v[i].node)
			at++;
		for (open = at; h->end[b->next.v[open].node] <= b->ends.v[i].node; )
			open = b->link.v[open];
		b->next.v[open].weight -= leaf->self;
		b->next.v[open].samples -= leaf->samples;
	}
	return 0;
}

static int begin_callees(struct branches *b)
{
	int r = b->h->want.mode == HIST_CHILDREN ? begin_above(b) : 0;
	size_t n = 0;

	for (size_t i = 0; i < b->next.n; i++)
		if (b->next.v[i].samples)
			b->next.v[n++] = b->next.v[i];
	b->next.n = n;
	for (size_t i = 0; i + 1 < b->ends.n && !r; i++) {
		uint32_t node = b->ends.v[i].node;

		r = add_item(b, node, false, node_of(b, node)->self, node_of(b, node)->samples);
	}
	return r;
}

/* --- expanding ------------------------------------------------------------------------------------------------- */

/* Add samples that end in the branch itself. */
static void add_self(struct branches *b, uint32_t at, uint64_t weight, uint32_t samples)
{
	b->tree.nodes.v[at].self += weight;
	b->tree.nodes.v[at].samples += samples;
}

/* Add the children of an item. For `whole` ones most children have no such samples: the next one with some is found by
 * its ends. */
static int go_down(struct branches *b, const struct branches_item *it, uint32_t at)
{
	const struct hist *h = b->h;
	uint32_t child = it->node + 1, end = h->end[it->node];
	int r = 0;

	if (node_of(b, it->node)->samples && ends_here(b, it->node) == it->whole)
		add_self(b, at, node_of(b, it->node)->self, node_of(b, it->node)->samples);
	for (; child < end && !r; child = h->end[child]) {
		if (it->whole) {
			uint32_t next = end_from(b, child)->node;

			if (next >= end)
				break;
			while (h->end[child] <= next)
				child = h->end[child];
		}
		r = add_below(b, child, it->whole);
	}
	return r;
}

static int go_up(struct branches *b, const struct branches_item *it, uint32_t at)
{
	uint32_t parent = node_of(b, it->node)->parent;

	if (node_of(b, parent)->parent)
		return add_item(b, parent, it->whole, it->weight, it->samples);
	add_self(b, at, it->weight, it->samples);
	return 0;
}

/* --- by frame -------------------------------------------------------------------------------------------------- */

static int add_kind(struct branches *b, size_t item, size_t mask)
{
	const struct branches_item *it = &b->next.v[item];
	uint32_t key = node_of(b, it->node)->key;
	size_t i = hash_u64(key) & mask;
	struct branches_kind *k;

	while (b->slot.v[i] && b->kinds.v[b->slot.v[i] - 1].key != key)
		i = (i + 1) & mask;
	if (!b->slot.v[i]) {
		k = vec_add(&b->kinds);
		if (!k)
			return -ENOMEM;
		k->key = key;
		b->slot.v[i] = (uint32_t)b->kinds.n;
	}
	k = &b->kinds.v[b->slot.v[i] - 1];
	k->weight += it->weight;
	k->samples += it->samples;
	k->n++;
	b->link.v[item] = b->slot.v[i] - 1;
	return 0;
}

static int find_kinds(struct branches *b)
{
	size_t slots = 4;

	while (slots < b->next.n * 2)
		slots *= 2;
	b->kinds.n = 0;
	if (vec_reserve(&b->slot, slots) || vec_reserve(&b->link, b->next.n + 1))
		return -ENOMEM;
	memset(b->slot.v, 0, slots * sizeof(*b->slot.v));
	for (size_t i = 0; i < b->next.n; i++)
		if (add_kind(b, i, slots - 1))
			return -ENOMEM;
	return 0;
}

/* Make branches of `next`, to be expanded later; those that are too light are added to this branch's self. */
static int part(struct branches *b, uint32_t at, uint64_t least)
{
	size_t to = b->items.n;

	if (find_kinds(b) || vec_reserve(&b->items, b->next.n) || vec_reserve(&b->todo, b->kinds.n))
		return -ENOMEM;
	/* Backwards, since `todo` is a stack: the first branch is expanded next. */
	for (size_t i = b->kinds.n; i-- > 0; ) {
		struct branches_kind *k = &b->kinds.v[i];

		if (k->weight < least) {
			add_self(b, at, k->weight, k->samples);
			k->n = 0;
			continue;
		}
		b->todo.v[b->todo.n++] = (struct branches_todo){ .parent = at, .key = k->key, .items = to };
		k->to = to;
		to += k->n;
	}
	for (size_t i = 0; i < b->next.n; i++) {
		struct branches_kind *k = &b->kinds.v[b->link.v[i]];

		if (k->n)
			b->items.v[k->to++] = b->next.v[i];
	}
	b->items.n = to;
	b->next.n = 0;
	return 0;
}

/* Make a node of a branch, and find the items below it. */
static int grow(struct branches *b, const struct branches_todo *todo, uint32_t *at)
{
	struct ct_node *n = vec_add(&b->tree.nodes);
	int r = n ? 0 : -ENOMEM;

	if (r)
		return r;
	*n = (struct ct_node){ .key = todo->key, .parent = todo->parent };
	*at = (uint32_t)b->tree.nodes.n - 1;
	for (size_t i = todo->items; i < b->items.n && !r; i++) {
		struct branches_item it = b->items.v[i];

		r = b->how == HIST_CALLER ? go_down(b, &it, *at) : go_up(b, &it, *at);
	}
	b->items.n = todo->items;
	return r;
}

int branches_find(struct branches *b, const struct hist *h, uint32_t row, enum hist_chain how, uint64_t least)
{
	uint32_t at = 0;
	int r;

	b->h = h;
	b->row = row;
	b->how = how;
	b->tree.nodes.n = b->items.n = b->next.n = b->todo.n = 0;
	if (!vec_add(&b->tree.nodes) || find_ends(b))
		return -ENOMEM;
	r = how == HIST_CALLER ? begin_callers(b) : begin_callees(b);
	r = r ? r : part(b, 0, least);
	while (!r && b->todo.n) {
		struct branches_todo todo = b->todo.v[--b->todo.n];

		r = grow(b, &todo, &at);
		r = r ? r : part(b, at, least);
	}
	return r;
}

void branches_deinit(struct branches *b)
{
	calltree_deinit(&b->tree);
	vec_free(&b->ends);
	vec_free(&b->items);
	vec_free(&b->next);
	vec_free(&b->todo);
	vec_free(&b->kinds);
	vec_free(&b->slot);
	vec_free(&b->link);
}
