/* tree.c - sorting and printing of call trees. */
#include "show/tree.h"
#include "show/text.h"

enum {
	MAX_DEPTH = 64,
	LEVEL = 11,   /* columns per branching */
	ROOM = 12,    /* minimum width of a label */
};

static const char rest[] = "[...]";

/* --- sorting: merge sort of each list of children, in place ----------------------------------- */

static bool before(const struct tree_node *a, const struct tree_node *b)
{
	if (a->weight != b->weight)
		return a->weight > b->weight;
	return strcmp(a->label, b->label) <= 0;
}

static uint32_t merge(struct tree_node *v, uint32_t a, uint32_t b)
{
	uint32_t head = 0, *tail = &head;

	while (a && b) {
		uint32_t *least = before(&v[a], &v[b]) ? &a : &b;

		*tail = *least;
		tail = &v[*least].next;
		*least = *tail;
	}
	*tail = a ? a : b;
	return head;
}

/* part[i] holds a sorted list of 2^i nodes or none: adding a node is like incrementing a binary number. */
static uint32_t sort_list(struct tree_node *v, uint32_t list)
{
	uint32_t part[32] = { 0 }, sorted = 0;

	while (list) {
		uint32_t one = list;
		unsigned i = 0;

		list = v[one].next;
		v[one].next = 0;
		for (; i < ARRAY_SIZE(part) - 1 && part[i]; i++) {
			one = merge(v, part[i], one);
			part[i] = 0;
		}
		part[i] = merge(v, part[i], one);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(part); i++)
		sorted = merge(v, part[i], sorted);
	return sorted;
}

static double percent_of(uint64_t weight, uint64_t base)
{
	return base ? (double)weight * 100 / (double)base : 0;
}

bool tree_hides(const struct tree_want *w, uint64_t all, uint64_t weight)
{
	return w->style == TREE_GRAPH && percent_of(weight, w->total ? w->total : all) < w->min_percent;
}

/* The weight that is 100 % for a node's children. */
static uint64_t base_of(const struct tree_node *v, const struct tree_want *w, uint32_t at)
{
	uint64_t sum = 0;

	if (w->style == TREE_GRAPH)
		return w->total ? w->total : v[0].weight;
	for (uint32_t c = v[at].child; c; c = v[c].next)
		sum += v[c].weight;
	return sum;
}

static void sort_children(struct tree_node *v, uint32_t at, const struct tree_want *w)
{
	uint64_t base = base_of(v, w, at);
	uint32_t heavy = 0, light = 0, *heavy_end = &heavy, *light_end = &light, *end = &v[at].child;

	for (uint32_t c = v[at].child; c; c = v[c].next) {
		uint32_t **to = percent_of(v[c].weight, base) < w->min_percent ? &light_end : &heavy_end;

		**to = c;
		*to = &v[c].next;
	}
	*heavy_end = *light_end = 0;
	*end = sort_list(v, heavy);
	while (*end)
		end = &v[*end].next;
	*end = light;
}

void tree_sort(struct tree_node *v, size_t n, const struct tree_want *w)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].child && (!i || !tree_hides(w, v[0].weight, v[i].weight)))
			sort_children(v, (uint32_t)i, w);
}

/* --- printing --------------------------------------------------------------------------------- */

/* One level of branching on the way down. */
struct level {
	uint32_t at;          /* the next sibling to print, or 0 */
	uint64_t base;        /* the weight that is 100 % here */
	uint64_t left_out;    /* total of siblings below the limit, if it is shown */
};

struct printer {
	const struct tree_node *v;
	const struct tree_want *w;
	struct out *o;
	struct level level[MAX_DEPTH];
	unsigned depth;       /* levels in use */
	uint64_t mask;        /* bit i: a line is drawn down level i, more siblings follow */
	unsigned margin;
};

/* `at`, or the first of its next siblings that is not omitted. */
static uint32_t visible(const struct printer *p, uint32_t at, uint64_t base)
{
	while (at && percent_of(p->v[at].weight, base) < p->w->min_percent)
		at = p->v[at].next;
	return at;
}

/* The only child, if it has all the weight and so continues the chain. */
static uint32_t continued(const struct tree_node *v, uint32_t at)
{
	uint32_t child = v[at].child;

	return child && !v[child].next && v[child].weight == v[at].weight ? child : 0;
}

static void put_lines(const struct printer *p, unsigned levels)
{
	out_fill(p->o, ' ', p->margin);
	for (unsigned i = 0; i < levels; i++) {
		out_char(p->o, p->mask >> i & 1 ? '|' : ' ');
		out_fill(p->o, ' ', LEVEL - 1);
	}
}

static void put_label(const struct printer *p, const char *label, unsigned column)
{
	size_t room = TEXT_ALL;

	if (p->o->width)
		room = p->o->width > column + ROOM ? p->o->width - column : ROOM;
	text_put(p->o, sv_from(label), room, TEXT_PLAIN);
	out_char(p->o, '\n');
}

static unsigned column(const struct printer *p)
{
	return p->margin + p->depth * LEVEL;
}

/* "|--12.34%--label", or " --12.34%--label" for the last of its siblings. */
static void put_branch(const struct printer *p, const char *label, double percent)
{
	put_lines(p, p->depth - 1);
	out_char(p->o, p->mask >> (p->depth - 1) & 1 ? '|' : ' ');
	out_str(p->o, "--");
	text_percent(p->o, percent, 0);
	out_str(p->o, "--");
	put_label(p, label, column(p));
}

/* Print the rest of the chain from `at`, one label per line; returns its last node. */
static uint32_t put_chain(const struct printer *p, uint32_t at)
{
	for (uint32_t next; (next = continued(p->v, at)) != 0; at = next) {
		put_lines(p, p->depth);
		put_label(p, p->v[next].label, column(p));
	}
	return at;
}

/* Descend to the children of `at`, if any is to be shown. */
static void enter(struct printer *p, uint32_t at)
{
	struct level l = { .base = base_of(p->v, p->w, at) };
	uint64_t seen = 0;

	l.at = visible(p, p->v[at].child, l.base);
	if (!l.at)
		return;
	if (p->depth == MAX_DEPTH) {
		put_lines(p, p->depth);
		put_label(p, rest, column(p));
		return;
	}
	for (uint32_t c = l.at; c; c = visible(p, p->v[c].next, l.base))
		seen += p->v[c].weight;
	if (p->w->style == TREE_FRACTAL)
		l.left_out = l.base - seen;
	p->mask |= UINT64_C(1) << p->depth;
	p->level[p->depth++] = l;
}

/* Print the next branch of the innermost level; its own children become the innermost level. */
static void step(struct printer *p)
{
	struct level *l = &p->level[p->depth - 1];
	uint32_t at = l->at;

	if (!at && !l->left_out) {
		p->depth--;
		return;
	}
	if (at) {
		put_lines(p, p->depth);
		out_char(p->o, '\n');
	}
	l->at = at ? visible(p, p->v[at].next, l->base) : 0;
	if (!at || (!l->at && !l->left_out))
		p->mask &= ~(UINT64_C(1) << (p->depth - 1));
	if (at) {
		put_branch(p, p->v[at].label, percent_of(p->v[at].weight, l->base));
		enter(p, put_chain(p, at));
	} else {
		put_branch(p, rest, percent_of(l->left_out, l->base));
		l->left_out = 0;
	}
}

/*
 * A tree that begins with one chain: "---first" under a bar, the rest below it. Returns the
 * chain's last node.
 */
static uint32_t put_trunk(struct printer *p)
{
	uint32_t at = continued(p->v, 0);

	if (!at)
		return 0;
	out_fill(p->o, ' ', p->margin);
	out_str(p->o, "|\n");
	out_fill(p->o, ' ', p->margin);
	out_str(p->o, "---");
	p->margin += 3;
	put_label(p, p->v[at].label, p->margin);
	return put_chain(p, at);
}

void tree_print(const struct tree_node *v, const struct tree_want *w, struct out *o)
{
	struct printer p = { .v = v, .w = w, .o = o, .margin = w->margin };

	enter(&p, put_trunk(&p));
	while (p.depth)
		step(&p);
}
