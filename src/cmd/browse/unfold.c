/* unfold.c - the call chains below rows, and which parts of them are unfolded. */
#include "cmd/browse/browse.h"

/* If the first key is the symbol, each chain would begin with the row's symbol: skip it, as the text report does. */
static void hide_root(const struct browse_page *p, struct browse_fold *f)
{
	uint32_t only = f->tree[0].child;

	if (report_first_key(p->views->cols) == COL_SYM && only && !f->tree[only].next &&
	    f->tree[only].weight == f->tree[0].weight)
		f->tree[0].child = f->tree[only].child;
}

/* Open the chain of only children below the row, so that the first node with siblings is visible. */
static void open_first(struct browse_fold *f)
{
	for (uint32_t at = f->tree[0].child; at && !f->tree[at].next; at = f->tree[at].child)
		f->open[at] = true;
}

static int fill(struct browse_page *p, struct browse_fold *f)
{
	struct report_view *v = &p->views[0];
	const struct calltree *from = &v->branches.tree;
	struct tree_want w = { .style = TREE_GRAPH };
	struct ct_sum *sums = calltree_sum(from);

	f->n = from->nodes.n;
	f->tree = calloc(f->n, sizeof(*f->tree));
	f->frame = calloc(f->n, sizeof(*f->frame));
	f->open = calloc(f->n, sizeof(*f->open));
	if (!sums || !f->tree || !f->frame || !f->open) {
		free(sums);
		return -ENOMEM;
	}
	for (size_t i = 0; i < f->n; i++) {
		f->frame[i] = from->nodes.v[i].key;
		f->tree[i] = (struct tree_node){
			.label = i ? frames_label(&v->profile->frames, f->frame[i]) : "",
			.weight = sums[i].total, .child = sums[i].first, .next = sums[i].next,
		};
	}
	free(sums);
	tree_sort(f->tree, f->n, &w);
	hide_root(p, f);
	open_first(f);
	return 0;
}

/* min_percent is taken of the row's weight, not of all: so a light row unfolds as far as a heavy one. */
static int make(struct browse_page *p, struct browse_fold *f, uint32_t row)
{
	struct report_view *v = &p->views[0];
	double least = v->chains.min_percent / 100 * (double)report_row_weight(v, row);
	int r = branches_find(&v->branches, v->hist, row, v->root, (uint64_t)least);

	*f = (struct browse_fold){ .row = row };
	r = r ? r : fill(p, f);
	if (r)
		unfold_deinit(f);
	return r;
}

void unfold_deinit(struct browse_fold *f)
{
	free(f->tree);
	free(f->frame);
	free(f->open);
	*f = (struct browse_fold){ 0 };
}

struct browse_fold *unfold_find(const struct browse_page *p, const uint32_t *row)
{
	const uint64_t *at = map_get(&p->fold_of, *row);

	return at ? &p->folds.v[*at] : NULL;
}

/* The call chains of a line's row, made at the first call. NULL: it has none (*r is 0), or an error (*r). */
static struct browse_fold *chains_of(struct browse_page *p, const struct browse_line *l, int *r)
{
	const uint32_t *row = page_row(p, l);
	struct browse_fold *f = unfold_find(p, row), new;
	uint64_t *at;

	*r = 0;
	if (f || *row == HIST_NO_ROW || p->views->chains.graph == GRAPH_NONE)
		return f;
	*r = make(p, &new, *row);
	if (*r)
		return NULL;
	f = vec_add(&p->folds);
	at = f ? map_add(&p->fold_of, *row, NULL) : NULL;
	if (!at) {
		unfold_deinit(&new);
		p->folds.n -= f != NULL;
		*r = -ENOMEM;
		return NULL;
	}
	*f = new;
	*at = p->folds.n - 1;
	return f;
}

/* The recursions here and below are bounded: no chain is deeper than FRAMES_DEPTH. */
static bool any_open(const struct browse_fold *f, uint32_t from)
{
	bool any = f->open[from];

	for (uint32_t c = f->tree[from].child; !any && c; c = f->tree[c].next)
		any = any_open(f, c);
	return any;
}

static void set_open(struct browse_fold *f, uint32_t from, bool open)
{
	f->open[from] = open;
	for (uint32_t c = f->tree[from].child; c; c = f->tree[c].next)
		set_open(f, c, open);
}

/* `open` is kept at the first node of a chain of only children: the one for this line. */
static uint32_t head_of(const struct browse_page *p, const struct browse_line *l)
{
	while (l > p->lines.v && l->runs_on)
		l--;
	return l->node;
}

/* An upper limit for the lines of all unfolded rows: their nodes, plus `more`. */
static size_t unfolded(const struct browse_page *p, size_t more)
{
	for (size_t i = 0; i < p->folds.n; i++)
		more += p->folds.v[i].shown ? p->folds.v[i].n : 0;
	return more;
}

int unfold_line(struct browse_page *p, const struct browse_line *l, enum fold_what what)
{
	uint32_t node = head_of(p, l);
	int r;
	struct browse_fold *f = chains_of(p, l, &r);

	if (!f)
		return r;
	if (node && what == FOLD_TOGGLE) {
		f->open[node] = !f->open[node];
	} else if (node) {
		set_open(f, node, !any_open(f, node));
	} else if (!f->shown && unfolded(p, f->n) > BROWSE_LINES_MAX) {
		return -ENOSPC;
	} else {
		f->shown = !f->shown;
		if (what == FOLD_TOGGLE_ALL)
			set_open(f, 0, f->shown);
	}
	return page_lines(p);
}

long unfold_open_all(struct browse_page *p)
{
	long rows = 0;
	size_t used = unfolded(p, 0);
	int r = 0;

	for (uint32_t i = 0; i < p->chosen.n && !r; i++) {
		struct browse_fold *f = chains_of(p, &(struct browse_line){ .at = i }, &r);

		if (!f)
			continue;
		used += f->shown ? 0 : f->n;
		if (used > BROWSE_LINES_MAX / 4)
			break;
		f->shown = true;
		set_open(f, 0, true);
		rows++;
	}
	r = r ? r : page_lines(p);
	return r ? r : rows;
}

void unfold_close_all(struct browse_page *p)
{
	for (size_t i = 0; i < p->folds.n; i++) {
		struct browse_fold *f = &p->folds.v[i];

		f->shown = false;
		memset(f->open, 0, f->n * sizeof(*f->open));
		open_first(f);
	}
}

/* --- lines --- */

static int add_line(struct browse_page *p, uint32_t at, uint32_t node, uint32_t depth, bool runs_on)
{
	struct browse_line *l = vec_add(&p->lines);

	if (!l)
		return -ENOMEM;
	*l = (struct browse_line){ .at = at, .node = node, .depth = depth, .runs_on = runs_on };
	return 0;
}

/* Add a node; if it is open, also the only children that follow it, and the branches at the end of these. */
static int add_run(struct browse_page *p, const struct browse_fold *f, uint32_t at, uint32_t node, uint32_t depth)
{
	int r = add_line(p, at, node, depth, false);
	uint32_t last = node;

	if (!f->open[node])
		return r;
	for (uint32_t next; !r && (next = unfold_goes_on(f, last)) != 0; last = next)
		r = add_line(p, at, next, depth, true);
	for (uint32_t c = f->tree[last].child; !r && c; c = f->tree[c].next)
		r = add_run(p, f, at, c, depth + 1);
	return r;
}

int unfold_lines(struct browse_page *p, const struct browse_fold *f, uint32_t at)
{
	int r = 0;

	for (uint32_t c = f->tree[0].child; !r && c; c = f->tree[c].next)
		r = add_run(p, f, at, c, 1);
	return r;
}
