/* hist.c - nodes to rows, rows to chains. */
#include "analyse/hist.h"

#include "base/sort.h"

#include "base/map.h"

/* --- which row a node belongs to -------------------------------------------------------------- */

/* Dense numbers for the distinct values of a part of the keys. */
struct parts {
	struct map of;
	uint32_t *v;      /* group or frame -> number */
};

static int part_add(struct parts *p, size_t i, uint64_t key)
{
	bool is_new;
	uint64_t *at = map_add(&p->of, key, &is_new);

	if (!at)
		return -ENOMEM;
	if (is_new)
		*at = p->of.n - 1;
	p->v[i] = (uint32_t)*at;
	return 0;
}

static bool same_group(const struct hist_group *a, const struct hist_group *b, unsigned keys)
{
	return (!(keys & HIST_COMM) || a->comm == b->comm) && (!(keys & HIST_PID) || a->pid == b->pid) &&
	       (!(keys & HIST_TID) || a->tid == b->tid) && (!(keys & HIST_CPU) || a->cpu == b->cpu) &&
	       (!(keys & HIST_VALUES) || a->values == b->values);
}

static uint64_t group_hash(const struct hist_group *g, unsigned keys)
{
	uint64_t h = 0;

	if (keys & HIST_COMM)
		h = hash_u64((uint64_t)(uintptr_t)g->comm);
	if (keys & (HIST_PID | HIST_TID))
		h = hash_u64(h ^ (keys & HIST_PID ? (uint64_t)g->pid << 32 : 0) ^ (keys & HIST_TID ? g->tid : 0));
	if (keys & HIST_VALUES)
		h = hash_u64(h ^ (uint64_t)(uintptr_t)g->values);
	return keys & HIST_CPU ? hash_u64(h + g->cpu) : h;
}

/*
 * Groups that agree in the keys get the number of the first of them; a full hash that collides is told apart by
 * probing.
 */
static int group_parts(struct parts *p, const struct hist_input *in, unsigned keys)
{
	p->v = calloc(in->n_groups + 1, sizeof(*p->v));
	if (!p->v)
		return -ENOMEM;
	for (size_t i = 0; i < in->n_groups; i++) {
		uint64_t hash = group_hash(&in->groups[i], keys);

		for (;; hash++) {
			bool is_new;
			uint64_t *at = map_add(&p->of, hash, &is_new);

			if (!at)
				return -ENOMEM;
			if (is_new)
				*at = i;
			if (!same_group(&in->groups[*at], &in->groups[i], keys))
				continue;
			p->v[i] = (uint32_t)*at;
			break;
		}
	}
	return 0;
}

/* Of a frame's file and line no more than these tell. */
static uint64_t frame_hash(const struct hist_frame *f, unsigned keys)
{
	uint64_t h = keys & HIST_DSO ? hash_u64((uintptr_t)f->dso) : 0;

	if (keys & HIST_LINE)
		h = hash_u64(h ^ (uintptr_t)f->line);
	return keys & HIST_FILE ? hash_u64(h + 1) ^ (uintptr_t)f->file : h;
}

static int frame_parts(struct parts *p, const struct hist_input *in, unsigned keys)
{
	p->v = calloc(in->n_frames + 1, sizeof(*p->v));
	if (!p->v)
		return -ENOMEM;
	for (size_t i = 0; i < in->n_frames; i++) {
		if (keys & HIST_SYM)
			p->v[i] = (uint32_t)i;
		else if (part_add(p, i, frame_hash(&in->frames[i], keys)))
			return -ENOMEM;
	}
	return 0;
}

static void parts_deinit(struct parts *p)
{
	map_deinit(&p->of);
	free(p->v);
}

/* Group of each node, from its parent's. */
static uint32_t *groups_of(const struct calltree *t)
{
	uint32_t *g = calloc(t->nodes.n, sizeof(*g));

	for (size_t i = 1; g && i < t->nodes.n; i++)
		g[i] = t->nodes.v[i].parent ? g[t->nodes.v[i].parent] : t->nodes.v[i].key;
	return g;
}

enum { RECENT_ROWS = 1024 };

/* Which row has which keys. Those of the last nodes are at hand: most have few rows between them. */
struct row_map {
	struct map of;
	struct { uint64_t key; uint32_t row; } recent[RECENT_ROWS];   /* row + 1; 0: free */
};

static int row_new(struct hist *h, struct row_map *m, uint64_t key, struct hist_row row, uint32_t *index)
{
	size_t i = (key ^ key >> 32) % RECENT_ROWS;
	uint64_t *at;
	bool is_new;

	if (m->recent[i].row && m->recent[i].key == key) {
		*index = m->recent[i].row - 1;
		return 0;
	}
	at = map_add(&m->of, key, &is_new);
	if (!at)
		return -ENOMEM;
	if (is_new) {
		struct hist_row *new = vec_add(&h->rows);

		if (!new)
			return -ENOMEM;
		*new = row;
		*at = h->rows.n - 1;
	}
	*index = (uint32_t)*at;
	m->recent[i].key = key;
	m->recent[i].row = *index + 1;
	return 0;
}

static int add_folded(struct hist *h, struct row_map *of, const struct fold_row *f, const uint32_t *gpart,
		      const uint32_t *fpart)
{
	struct hist_row *r;
	uint32_t row;

	if (h->in.groups[f->group].event != h->want.event)
		return 0;
	if (row_new(h, of, (uint64_t)gpart[f->group] << 32 | fpart[f->frame],
		    (struct hist_row){ .group = f->group, .frame = f->frame }, &row))
		return -ENOMEM;
	r = &h->rows.v[row];
	r->self += f->self;
	r->samples += f->samples;
	if (h->want.mode == HIST_CHILDREN) {
		r->total += f->total;
		r->total_samples += f->total_samples;
	}
	return 0;
}

/* The node whose row has the samples of a leaf for its own: that of the function out of line. */
static inline uint32_t own_node(const struct hist *h, uint32_t leaf)
{
	const struct ct_node *v = h->in.tree->nodes.v;

	while (h->inlines && h->in.frames[v[leaf].key].inlined && v[v[leaf].parent].parent)
		leaf = v[leaf].parent;
	return leaf;
}

static bool has_inlines(const struct hist_input *in)
{
	for (size_t i = 0; i < in->n_frames; i++)
		if (in->frames[i].inlined)
			return true;
	return false;
}

static int assign_rows(struct hist *h, const uint32_t *group_of, const uint32_t *gpart, const uint32_t *fpart)
{
	const struct calltree *t = h->in.tree;
	struct row_map of = { 0 };
	int err = 0;

	for (size_t i = 0; i < t->nodes.n && !err; i++) {
		const struct ct_node *n = &t->nodes.v[i];
		uint32_t g = group_of[i], key = n->key;

		h->row_of[i] = HIST_NO_ROW;
		if (!i || !n->parent || h->in.groups[g].event != h->want.event)
			continue;
		/* Only what will be shown: callers have no row of their own in HIST_SELF. */
		if (h->want.mode == HIST_SELF && !n->samples)
			continue;
		if (h->want.mode == HIST_SELF)
			key = t->nodes.v[own_node(h, (uint32_t)i)].key;
		err = row_new(h, &of, (uint64_t)gpart[g] << 32 | fpart[key],
			      (struct hist_row){ .group = g, .frame = key }, &h->row_of[i]);
	}
	for (size_t i = 0; h->in.folded && i < h->in.folded->rows.n && !err; i++)
		err = add_folded(h, &of, &h->in.folded->rows.v[i], gpart, fpart);
	map_deinit(&of.of);
	return err;
}

/* What a light frame had in another unit than samples is only about what was noted. */
static void round_weights(struct hist *h)
{
	for (size_t i = 0; i < h->rows.n; i++) {
		struct hist_row *r = &h->rows.v[i];

		r->self = (int64_t)r->self < 0 || !r->samples ? 0 : r->self;
	}
}

/* Of what was folded into them alone rows have nothing themselves. */
static int drop_empty(struct hist *h)
{
	uint32_t *to = malloc((h->rows.n + 1) * sizeof(*to)), n = 0;

	if (!to)
		return -ENOMEM;
	for (size_t i = 0; i < h->rows.n; i++) {
		bool has = h->rows.v[i].samples || h->rows.v[i].total_samples;

		to[i] = has ? n : HIST_NO_ROW;
		if (has)
			h->rows.v[n++] = h->rows.v[i];
	}
	h->rows.n = n;
	for (size_t i = 0; i < h->in.tree->nodes.n; i++)
		if (h->row_of[i] != HIST_NO_ROW)
			h->row_of[i] = to[h->row_of[i]];
	free(to);
	return 0;
}

static int make_rows(struct hist *h)
{
	uint32_t *group_of = groups_of(h->in.tree);
	struct parts g = { 0 }, f = { 0 };
	int err = group_of ? group_parts(&g, &h->in, h->want.keys & HIST_GROUP_KEYS) : -ENOMEM;

	if (!err)
		err = frame_parts(&f, &h->in, h->want.keys);
	if (!err)
		err = assign_rows(h, group_of, g.v, f.v);
	parts_deinit(&g);
	parts_deinit(&f);
	free(group_of);
	return err;
}

/* --- weights ---------------------------------------------------------------------------------- */

/* To every row of a leaf's chain, once. The leaf's own row shows the whole chain. */
static void add_callers(struct hist *h, uint32_t leaf, struct hist_row *own)
{
	const struct ct_node *nodes = h->in.tree->nodes.v, *n = &nodes[leaf];
	uint32_t below = 0;

	for (uint32_t at = leaf; nodes[at].parent; at = nodes[at].parent) {
		struct hist_row *r = &h->rows.v[h->row_of[at]];

		below++;
		r->depth = MAX(r->depth, below);
		if (r->seen == leaf + 1)
			continue;
		r->seen = leaf + 1;
		r->total += n->self;
		r->total_samples += n->samples;
	}
	own->depth = MAX(own->depth, below);
}

static void add_weights(struct hist *h)
{
	const struct calltree *t = h->in.tree;

	for (uint32_t i = 1; i < t->nodes.n; i++) {
		const struct ct_node *n = &t->nodes.v[i];
		struct hist_row *r;

		if (h->row_of[i] == HIST_NO_ROW || !n->samples)
			continue;
		r = &h->rows.v[h->row_of[h->want.mode == HIST_SELF ? i : own_node(h, i)]];
		r->self += n->self;
		r->samples += n->samples;
		h->weight += n->self;
		h->samples += n->samples;
		if (h->want.mode == HIST_CHILDREN)
			add_callers(h, i, r);
	}
}

int hist_init(struct hist *h, const struct hist_input *in, const struct hist_want *w)
{
	int err;

	*h = (struct hist){ .in = *in, .want = *w, .inlines = has_inlines(in) };
	h->row_of = calloc(in->tree->nodes.n, sizeof(*h->row_of));
	err = h->row_of ? make_rows(h) : -ENOMEM;
	if (!err)
		add_weights(h);
	if (!err && h->in.folded)
		round_weights(h);
	if (!err && h->in.folded)
		err = drop_empty(h);
	if (err)
		hist_deinit(h);
	return err;
}

void hist_deinit(struct hist *h)
{
	vec_free(&h->rows);
	free(h->row_of);
	free(h->index);
	free(h->index_start);
	*h = (struct hist){ 0 };
}

/* --- order ------------------------------------------------------------------------------------ */

static int by_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

const char *hist_value(const char *values, size_t i)
{
	while (*values && i--)
		values += strlen(values) + 1;
	return values;
}

/* Decimal texts without leading zeros. */
static int by_number(const char *a, const char *b)
{
	bool minus = *a == '-';
	int c;

	if (minus != (*b == '-'))
		return minus ? -1 : 1;
	c = by_u64(strlen(a), strlen(b));
	if (!c)
		c = strcmp(a, b);
	return minus ? -c : c;
}

/* As perf: fields downwards, whole texts upwards. */
static int by_values(const char *a, const char *b)
{
	int c = 0;

	for (; *a && *b && !c; a += strlen(a) + 1, b += strlen(b) + 1) {
		if (*a == HIST_NUMBER && *b == HIST_NUMBER)
			c = by_number(b + 1, a + 1);
		else
			c = *a == HIST_TRACE ? strcmp(a, b) : strcmp(b, a);
	}
	return c;
}

/* Equal texts are mostly the same one. */
static int by_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int by_group(const struct hist *h, const struct hist_row *a, const struct hist_row *b)
{
	const struct hist_group *x = &h->in.groups[a->group], *y = &h->in.groups[b->group];
	unsigned keys = h->want.keys;
	int c = keys & HIST_COMM ? by_text(x->comm, y->comm) : 0;

	if (!c && keys & HIST_PID)
		c = by_u64(x->pid, y->pid);
	if (!c && keys & HIST_TID)
		c = by_u64(x->tid, y->tid);
	if (!c && keys & HIST_CPU)
		c = by_u64(x->cpu, y->cpu);
	return !c && keys & HIST_VALUES && x->values != y->values ? by_values(x->values, y->values) : c;
}

static int by_known(const char *a, const char *b)
{
	return !a || !b ? by_u64(!a, !b) : by_text(a, b);
}

static int by_source(const struct hist_frame *x, const struct hist_frame *y, unsigned keys)
{
	int c = keys & HIST_LINE ? by_known(x->line, y->line) : 0;

	return !c && keys & HIST_FILE ? by_known(x->file, y->file) : c;
}

static int by_frame(const struct hist *h, const struct hist_row *a, const struct hist_row *b)
{
	const struct hist_frame *x = &h->in.frames[a->frame], *y = &h->in.frames[b->frame];
	unsigned keys = h->want.keys;
	int c = keys & HIST_DSO ? by_text(x->dso_short, y->dso_short) : 0;

	if (!c && keys & (HIST_LINE | HIST_FILE))
		c = by_source(x, y, keys);
	if (!c && keys & HIST_SYM)
		c = by_u64(!x->sym, !y->sym);
	if (!c && keys & HIST_SYM && x->sym)
		c = by_text(x->sym, y->sym);
	if (!c && keys & HIST_SYM)
		c = by_u64(x->addr, y->addr);
	if (!c && keys & (HIST_DSO | HIST_SYM))
		c = by_text(x->dso, y->dso);
	return c;
}

/*
 * Heavier first; of one command's callers of equal weight the one that is further out, which makes the command the next
 * key: to compare depths within commands only, and what else there is between them, would be no order.
 */
static int by_row(const void *arg, uint32_t ia, uint32_t ib)
{
	const struct hist *h = arg;
	const struct hist_row *a = &h->rows.v[ia], *b = &h->rows.v[ib];
	int c = by_u64(b->total, a->total);

	if (!c && h->want.mode == HIST_CHILDREN && h->want.ties == HIST_BY_DEPTH) {
		c = by_text(h->in.groups[a->group].comm, h->in.groups[b->group].comm);
		c = c ? c : by_u64(b->depth, a->depth);
	}
	if (!c)
		c = by_u64(b->self, a->self);
	if (!c)
		c = by_group(h, a, b);
	if (!c)
		c = by_frame(h, a, b);
	return c;
}

uint32_t *hist_order(const struct hist *h)
{
	uint32_t *v = malloc((h->rows.n + 1) * 2 * sizeof(*v));

	for (uint32_t i = 0; v && i < h->rows.n; i++)
		v[i] = i;
	if (v)
		sort_u32(v, v + h->rows.n, h->rows.n, by_row, h);
	return v;
}

/* --- chains of a row -------------------------------------------------------------------------- */

static uint64_t row_weight(const struct hist *h, uint32_t row)
{
	return h->want.mode == HIST_CHILDREN ? h->rows.v[row].total : h->rows.v[row].self;
}

/* Of a row that no chains are wanted of, in walk.seen: no node is the last one that there can be. */
#define LIGHT UINT32_MAX

struct walk {
	uint64_t least;       /* weight of rows whose chains are wanted */
	uint32_t *seen;       /* row -> node + 1 whose chain it was last seen in, or LIGHT */
	uint32_t *count;      /* row -> leaves of it */
};

static void walk_begin(const struct hist *h, struct walk *w)
{
	for (size_t i = 0; i < h->rows.n; i++)
		w->seen[i] = row_weight(h, (uint32_t)i) < w->least ? LIGHT : 0;
}

/* Call for every (row, leaf) of which the row is heavy enough, once. */
static inline void each_pair(const struct hist *h, struct walk *w,
			     void (*pair)(const struct hist *h, struct walk *w, uint32_t row, uint32_t leaf))
{
	const struct calltree *t = h->in.tree;

	walk_begin(h, w);
	for (uint32_t leaf = 1; leaf < t->nodes.n; leaf++) {
		if (h->row_of[leaf] == HIST_NO_ROW || !t->nodes.v[leaf].samples)
			continue;
		for (uint32_t at = leaf; t->nodes.v[at].parent; at = t->nodes.v[at].parent) {
			uint32_t row = h->row_of[at];

			if (w->seen[row] != LIGHT && w->seen[row] != leaf + 1) {
				w->seen[row] = leaf + 1;
				pair(h, w, row, leaf);
			}
			if (h->want.mode == HIST_SELF)
				break;
		}
	}
}

static void pair_count(const struct hist *h UNUSED, struct walk *w, uint32_t row, uint32_t leaf UNUSED)
{
	w->count[row]++;
}

static void pair_put(const struct hist *h, struct walk *w, uint32_t row, uint32_t leaf)
{
	h->index[h->index_start[row] + --w->count[row]] = leaf;
}

int hist_index(struct hist *h, uint64_t least)
{
	size_t n = h->rows.n;
	struct walk w = {
		.least = least, .seen = malloc((n + 1) * sizeof(*w.seen)), .count = calloc(n + 1, sizeof(*w.count)),
	};
	uint64_t sum = 0;
	int err = -ENOMEM;

	free(h->index_start);
	free(h->index);
	h->index = NULL;
	h->index_start = calloc(n + 1, sizeof(*h->index_start));
	if (!w.seen || !w.count || !h->index_start)
		goto out;
	each_pair(h, &w, pair_count);
	for (size_t i = 0; i < n; i++) {
		h->index_start[i] = (uint32_t)sum;
		sum += w.count[i];
	}
	if (sum >= UINT32_MAX)
		goto out;
	h->index_start[n] = (uint32_t)sum;
	h->index = malloc((size_t)(sum + 1) * sizeof(*h->index));
	if (!h->index)
		goto out;
	each_pair(h, &w, pair_put);
	err = 0;
out:
	free(w.seen);
	free(w.count);
	return err;
}

/* Of a chain of CHAIN_MAX addresses, with what is inlined in them. */
enum { PATH_MAX_NODES = 4 * 1100 };

/* The part of a leaf's chain that belongs to a row: keys from innermost to outermost. */
struct piece {
	uint32_t from, to;    /* of the keys; to: behind the last one */
	uint32_t key[PATH_MAX_NODES];
};

/* Of whole chains that end in the row all belongs to it, with what is inlined in its function. */
static void piece_of(const struct hist *h, uint32_t row, enum hist_chain how, uint32_t leaf, struct piece *p)
{
	const struct ct_node *v = h->in.tree->nodes.v;
	bool ends = h->want.mode == HIST_SELF || h->row_of[own_node(h, leaf)] == row;
	uint32_t n = 0, first = UINT32_MAX, last = 0;

	for (uint32_t at = leaf; v[at].parent && n < PATH_MAX_NODES; at = v[at].parent) {
		if (h->row_of[at] == row) {
			first = MIN(first, n);
			last = n;
		}
		p->key[n++] = v[at].key;
	}
	p->from = how == HIST_CALLEE && !ends && first < n ? first : 0;
	p->to = how == HIST_CALLEE || ends ? n : last + 1;
}

/* The chain that was added last: the next one mostly begins with the same frames. */
struct trail {
	uint32_t n;
	uint32_t key[PATH_MAX_NODES], node[PATH_MAX_NODES];
};

static int piece_add(struct calltree *to, const struct piece *p, enum hist_chain how, const struct ct_node *leaf,
		     struct trail *t)
{
	uint32_t n = p->to - p->from, at = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t key = p->key[how == HIST_CALLEE ? p->from + i : p->to - 1 - i];

		if (i >= t->n || t->key[i] != key) {
			t->key[i] = key;
			t->node[i] = calltree_child(to, at, key);
			t->n = i + 1;
		}
		at = t->node[i];
		if (at == CALLTREE_NONE)
			return -ENOMEM;
	}
	calltree_add(to, at, leaf->self, leaf->samples);
	return 0;
}

int hist_chains(const struct hist *h, uint32_t row, enum hist_chain how, struct calltree *to)
{
	struct piece p;
	struct trail t;
	int err = 0;

	t.n = 0;
	calltree_clear(to);
	for (uint32_t i = h->index_start[row]; i < h->index_start[row + 1] && !err; i++) {
		piece_of(h, row, how, h->index[i], &p);
		err = piece_add(to, &p, how, &h->in.tree->nodes.v[h->index[i]], &t);
	}
	return err;
}
