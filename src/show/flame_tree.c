/* flame_tree.c - converts the table of nodes to sorted lists, and these to boxes. */
#include "show/flame_tree.h"

struct named {
	const char *s;
	uint32_t id;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->s, ((const struct named *)b)->s);
}

/* rank[id]: position of the name in byte order. Sorting names once is cheaper than sorting each node's children. */
static uint32_t *rank_names(const struct names *names)
{
	size_t n = names->list.n;
	struct named *v = calloc(n + 1, sizeof(*v));
	uint32_t *rank = calloc(n + 1, sizeof(*rank));

	if (!v || !rank) {
		free(v);
		free(rank);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = (struct named){ .s = names->list.v[i].s, .id = (uint32_t)i };
	qsort(v, n, sizeof(*v), by_name);
	for (size_t i = 0; i < n; i++)
		rank[v[i].id] = (uint32_t)i;
	free(v);
	return rank;
}

/* Sort nodes (but the root) by (kind, name): counting sorts, of which the second is stable. */
static void sort_nodes(const struct flame *f, const uint32_t *rank, uint32_t *order,
		       uint32_t *start)
{
	for (size_t i = 1; i < f->node.n; i++)
		start[rank[f->node.v[i].name] + 1]++;
	for (size_t i = 0; i < f->names.list.n; i++)
		start[i + 1] += start[i];
	for (enum flame_kind kind = FLAME_PLAIN; kind <= FLAME_KERNEL; kind++)
		for (size_t i = 1; i < f->node.n; i++)
			if (f->node.v[i].kind == kind)
				order[start[rank[f->node.v[i].name]]++] = (uint32_t)i;
}

/* Push each node to the front of its parent's list, the last name first. */
static void link_nodes(struct flame_links *l, const struct flame *f, const uint32_t *order)
{
	for (size_t i = f->node.n - 1; i-- > 0; ) {
		uint32_t at = order[i], parent = f->node.v[at].parent;

		l->next[at] = l->child[parent];
		l->child[parent] = at;
	}
	for (size_t i = f->node.n; i-- > 0; ) {
		l->weight[i] += f->node.v[i].self;
		if (i)
			l->weight[f->node.v[i].parent] += l->weight[i];
	}
}

int flame_links_init(struct flame_links *l, const struct flame *f)
{
	uint32_t *rank = rank_names(&f->names);
	uint32_t *order = calloc(f->node.n, sizeof(*order));
	uint32_t *start = calloc(f->names.list.n + 1, sizeof(*start));
	int err = -ENOMEM;

	l->child = calloc(f->node.n, sizeof(*l->child));
	l->next = calloc(f->node.n, sizeof(*l->next));
	l->weight = calloc(f->node.n, sizeof(*l->weight));
	if (rank && order && start && l->child && l->next && l->weight) {
		sort_nodes(f, rank, order, start);
		link_nodes(l, f, order);
		err = 0;
	} else {
		flame_links_deinit(l);
	}
	free(rank);
	free(order);
	free(start);
	return err;
}

void flame_links_deinit(struct flame_links *l)
{
	free(l->child);
	free(l->next);
	free(l->weight);
	*l = (struct flame_links){ 0 };
}

static int add_box(struct flame_boxes *b, struct flame_box box)
{
	struct flame_box *p = vec_add(&b->list);

	if (!p)
		return -ENOMEM;
	*p = box;
	b->rows = box.row + 1;
	return 0;
}

/* The children of a box start at its left edge; the space left on the right is its own weight. */
static int add_children(struct flame_boxes *b, const struct flame_links *l, struct flame_box of,
			double least)
{
	uint64_t x = of.x;

	for (uint32_t at = l->child[of.node]; at != FLAME_NONE; at = l->next[at]) {
		uint64_t w = l->weight[at];

		if (w && (double)w >= least &&
		    add_box(b, (struct flame_box){ .x = x, .w = w, .node = at, .row = of.row + 1 }))
			return -ENOMEM;
		x += w;
	}
	return 0;
}

int flame_boxes_init(struct flame_boxes *b, const struct flame *f, double least)
{
	struct flame_links l;
	int err = flame_links_init(&l, f);

	*b = (struct flame_boxes){ 0 };
	if (err)
		return err;
	err = add_box(b, (struct flame_box){ .w = f->total });
	for (size_t i = 0; !err && i < b->list.n; i++)
		err = add_children(b, &l, b->list.v[i], least);
	flame_links_deinit(&l);
	b->left_out = f->node.n - b->list.n;
	if (err)
		flame_boxes_deinit(b);
	return err;
}

void flame_boxes_deinit(struct flame_boxes *b)
{
	vec_free(&b->list);
	*b = (struct flame_boxes){ 0 };
}
