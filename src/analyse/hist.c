/* hist.c - assign nodes to rows, sum up and sort the rows. */
#include "analyse/hist.h"

#include "base/sort.h"

#include "base/map.h"
#include "base/mem.h"

/* --- which row a node belongs to -------------------------------------------------------------- */

/* Dense numbers for the distinct values of the group keys, or of the frame keys. */
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
	       (!(keys & HIST_SOCKET) || a->socket == b->socket) &&
	       (!(keys & HIST_PARENT) || a->parent == b->parent) &&
	       (!(keys & HIST_PARALLELISM) || a->parallelism == b->parallelism) &&
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
	if (keys & HIST_PARENT)
		h = hash_u64(h ^ (uint64_t)(uintptr_t)g->parent);
	if (keys & HIST_SOCKET)
		h = hash_u64(h + (uint32_t)g->socket);
	if (keys & HIST_PARALLELISM)
		h = hash_u64(h + g->parallelism);
	return keys & HIST_CPU ? hash_u64(h + g->cpu) : h;
}

/*
 * Number the groups: those with equal keys get the number of the first of them. Collisions of the hash are resolved by
 * probing.
 */
static int group_parts(struct parts *p, const struct hist_input *in, unsigned keys)
{
	p->v = mem_zeroed(in->n_groups + 1, sizeof(*p->v));
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

/* Hash of the frame keys other than HIST_SYM. */
static uint64_t frame_hash(const struct hist_frame *f, unsigned keys)
{
	uint64_t h = keys & HIST_DSO ? hash_u64((uintptr_t)f->dso) : 0;

	if (keys & HIST_LINE)
		h = hash_u64(h ^ (uintptr_t)f->line);
	for (unsigned i = 0; keys & HIST_TOUCH_KEYS && i < HIST_TOUCH_TEXTS; i++)
		if (keys & HIST_TYPE << i)
			h = hash_u64(h ^ (uintptr_t)hist_touched(f, i));
	return keys & HIST_FILE ? hash_u64(h + 1) ^ (uintptr_t)f->file : h;
}

static int frame_parts(struct parts *p, const struct hist_input *in, unsigned keys)
{
	p->v = mem_zeroed(in->n_frames + 1, sizeof(*p->v));
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

/* Map of (group part, frame part) to rows. Most frames have one row only: it is in `near`, without a map lookup. */
struct row_map {
	struct map of;
	struct { uint32_t group, row; } *near;   /* by frame part; group: group part + 1, 0: free */
};

static uint64_t row_key(uint32_t gpart, uint32_t fpart)
{
	return (uint64_t)gpart << 32 | fpart;
}

static int row_add(struct hist *h, const struct hist_row *row, uint32_t *index)
{
	struct hist_row *new = vec_add(&h->rows);

	if (!new)
		return -ENOMEM;
	*new = *row;
	*index = (uint32_t)h->rows.n - 1;
	return 0;
}

/* Find or add a row. `near` has the row of a frame that was found last; its other rows are in the map. */
static int row_new(struct hist *h, struct row_map *m, uint32_t gpart, uint32_t fpart, struct hist_row row,
		   uint32_t *index)
{
	uint32_t group = m->near[fpart].group;
	uint64_t *at = NULL;

	if (group == gpart + 1) {
		*index = m->near[fpart].row;
		return 0;
	}
	if (group) {
		at = map_add(&m->of, row_key(group - 1, fpart), NULL);
		if (!at)
			return -ENOMEM;
		*at = m->near[fpart].row;
		at = map_get(&m->of, row_key(gpart, fpart));
	}
	if (at)
		*index = (uint32_t)*at;
	else if (row_add(h, &row, index))
		return -ENOMEM;
	m->near[fpart].group = gpart + 1;
	m->near[fpart].row = *index;
	return 0;
}

/* Weights of notes may be negative. */
static double latency_of(const struct hist_group *g, uint64_t weight)
{
	return (double)(int64_t)weight / (double)MAX(g->parallelism, 1u);
}

static void add_space(struct hist_row *r, const struct hist_group *g, uint64_t weight)
{
	if (g->space < HIST_SPACES)
		r->in_space[g->space] += weight;
}

static int add_folded(struct hist *h, struct row_map *of, const struct fold_row *f, const uint32_t *gpart,
		      const uint32_t *fpart)
{
	struct hist_row *r;
	uint32_t row;

	if (h->in.groups[f->group].event != h->want.event)
		return 0;
	if (row_new(h, of, gpart[f->group], fpart[f->frame],
		    (struct hist_row){ .group = f->group, .frame = f->frame }, &row))
		return -ENOMEM;
	r = &h->rows.v[row];
	r->self += f->self;
	r->samples += f->samples;
	r->latency += latency_of(&h->in.groups[f->group], f->self);
	add_space(r, &h->in.groups[f->group], f->self);
	if (h->want.mode == HIST_CHILDREN) {
		r->total += f->total;
		r->total_samples += f->total_samples;
	}
	return 0;
}

static bool has_inlines(const struct hist_input *in)
{
	for (size_t i = 0; i < in->n_frames; i++)
		if (in->frames[i].inlined)
			return true;
	return false;
}

/* Assign rows to all nodes below a group's node. */
static int assign_group(struct hist *h, struct row_map *of, uint32_t top, uint32_t gpart, const uint32_t *fpart)
{
	const struct ct_node *v = h->in.tree->nodes.v;
	int err = 0;

	for (uint32_t i = top + 1; i < h->end[top] && !err; i++) {
		uint32_t key = v[i].key;

		/* In HIST_SELF only nodes with samples have rows. */
		if (h->want.mode == HIST_SELF && !v[i].samples)
			continue;
		if (h->want.mode == HIST_SELF)
			key = v[hist_own(h, i)].key;
		err = row_new(h, of, gpart, fpart[key], (struct hist_row){ .group = v[top].key, .frame = key },
			      &h->row_of[i]);
	}
	return err;
}

static int assign_rows(struct hist *h, const uint32_t *gpart, const uint32_t *fpart)
{
	const struct calltree *t = h->in.tree;
	struct row_map of = { .near = mem_zeroed(h->in.n_frames + 1, sizeof(*of.near)) };
	int err = of.near ? 0 : -ENOMEM;

	memset(h->row_of, 0xff, t->nodes.n * sizeof(*h->row_of));
	for (uint32_t top = 1; top < t->nodes.n && !err; top = h->end[top]) {
		uint32_t g = t->nodes.v[top].key;

		if (h->in.groups[g].event == h->want.event)
			err = assign_group(h, &of, top, gpart[g], fpart);
	}
	for (size_t i = 0; h->in.folded && i < h->in.folded->rows.n && !err; i++)
		err = add_folded(h, &of, &h->in.folded->rows.v[i], gpart, fpart);
	map_deinit(&of.of);
	free(of.near);
	return err;
}

/* Weights of folded light frames are estimates (fold.c: moved_self), so sums may be slightly negative: make these 0. */
static void round_weights(struct hist *h)
{
	for (size_t i = 0; i < h->rows.n; i++) {
		struct hist_row *r = &h->rows.v[i];

		r->self = (int64_t)r->self < 0 || !r->samples ? 0 : r->self;
		r->latency = r->self ? r->latency : 0;
		for (unsigned k = 0; k < HIST_SPACES; k++)
			r->in_space[k] = (int64_t)r->in_space[k] < 0 ? 0 : r->in_space[k];
	}
}

/* Remove rows without samples: all of their samples were folded into them, and belong to other rows. */
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
	struct parts g = { 0 }, f = { 0 };
	int err = group_parts(&g, &h->in, h->want.keys & HIST_GROUP_KEYS);

	if (!err)
		err = frame_parts(&f, &h->in, h->want.keys);
	if (!err)
		err = assign_rows(h, g.v, f.v);
	parts_deinit(&g);
	parts_deinit(&f);
	return err;
}

/* --- weights ---------------------------------------------------------------------------------- */

/* Depth of a node, and of the deepest sample in its subtree. */
struct depth {
	uint32_t here, below;   /* levels below the group; 0: no sample */
};

static struct depth *depths_of(const struct hist *h)
{
	const struct ct_node *v = h->in.tree->nodes.v;
	size_t n = h->in.tree->nodes.n;
	struct depth *d = mem_zeroed(n, sizeof(*d));

	for (size_t i = 1; d && i < n; i++)
		d[i].here = v[i].parent ? d[v[i].parent].here + 1 : 0;
	for (size_t i = n; d && i-- > 1; ) {
		struct depth *up = &d[v[i].parent];

		d[i].below = v[i].samples ? MAX(d[i].below, d[i].here) : d[i].below;
		up->below = MAX(up->below, d[i].below);
	}
	return d;
}

/* Add a node's samples to the self of its row. */
static void add_own(struct hist *h, uint32_t leaf, const struct hist_group *g, const struct depth *d)
{
	const struct ct_node *n = &h->in.tree->nodes.v[leaf];
	struct hist_row *own;

	own = &h->rows.v[h->row_of[h->want.mode == HIST_SELF ? leaf : hist_own(h, leaf)]];
	own->self += n->self;
	own->samples += n->samples;
	own->latency += latency_of(g, n->self);
	add_space(own, g, n->self);
	/* Such a row shows whole chains. */
	if (d)
		own->depth = MAX(own->depth, d[leaf].here);
	h->weight += n->self;
	h->samples += n->samples;
}

/* Add a node's subtree to the total of its row, unless it is within another node of the row (recursion). */
static void add_total(struct hist *h, uint32_t node, const struct depth *d)
{
	struct hist_row *r = &h->rows.v[h->row_of[node]];

	if (node < r->upto)
		return;
	r->upto = h->end[node];
	r->total += hist_weight(h, node);
	r->total_samples += hist_samples(h, node);
	if (d[node].below)
		r->depth = MAX(r->depth, d[node].below - d[node].here + 1);
}

static int add_weights(struct hist *h)
{
	const struct calltree *t = h->in.tree;
	bool totals = h->want.mode == HIST_CHILDREN;
	struct depth *d = totals ? depths_of(h) : NULL;
	const struct hist_group *g = h->in.groups;

	if (totals && !d)
		return -ENOMEM;
	for (uint32_t i = 1; i < t->nodes.n; i++) {
		if (!t->nodes.v[i].parent)
			g = &h->in.groups[t->nodes.v[i].key];
		if (h->row_of[i] == HIST_NO_ROW)
			continue;
		if (totals)
			add_total(h, i, d);
		if (t->nodes.v[i].samples)
			add_own(h, i, g, d);
	}
	free(d);
	return 0;
}

/* Compute the end of each subtree, and prefix sums of weight and samples. 0 or -ENOMEM. */
static int measure(struct hist *h)
{
	const struct ct_node *v = h->in.tree->nodes.v;
	size_t n = h->in.tree->nodes.n;
	uint64_t weight = 0;
	uint32_t samples = 0;

	h->end = mem_zeroed(n + 1, sizeof(*h->end));
	h->weight_before = mem_alloc((n + 1) * sizeof(*h->weight_before));
	h->samples_before = mem_alloc((n + 1) * sizeof(*h->samples_before));
	if (!h->end || !h->weight_before || !h->samples_before)
		return -ENOMEM;
	for (size_t i = n; i-- > 0; ) {
		h->end[i] = h->end[i] ? h->end[i] : (uint32_t)i + 1;
		if (i && !h->end[v[i].parent])
			h->end[v[i].parent] = h->end[i];
	}
	for (size_t i = 0; i <= n; i++) {
		h->weight_before[i] = weight;
		h->samples_before[i] = samples;
		weight += i < n ? v[i].self : 0;
		samples += i < n ? v[i].samples : 0;
	}
	return 0;
}

int hist_init(struct hist *h, const struct hist_input *in, const struct hist_want *w)
{
	int err;

	*h = (struct hist){ .in = *in, .want = *w, .inlines = has_inlines(in) };
	h->row_of = mem_alloc(in->tree->nodes.n * sizeof(*h->row_of));
	err = h->row_of ? measure(h) : -ENOMEM;
	if (!err)
		err = make_rows(h);
	if (!err)
		err = add_weights(h);
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
	free(h->end);
	free(h->weight_before);
	free(h->samples_before);
	free(h->places);
	free(h->places_start);
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

/* Compare decimal texts without leading zeros. */
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

/* As in perf: fields descending, whole texts ascending. */
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

/* Texts are interned, so equal ones mostly are the same pointer. */
static int by_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/* Unknown ones (NULL) come last. */
static int by_known(const char *a, const char *b)
{
	return !a || !b ? by_u64(!a, !b) : by_text(a, b);
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
	if (!c && keys & HIST_SOCKET)
		c = by_u64((uint32_t)x->socket, (uint32_t)y->socket);
	if (!c && keys & HIST_PARALLELISM)
		c = by_u64(x->parallelism, y->parallelism);
	if (!c && keys & HIST_PARENT)
		c = by_known(x->parent, y->parent);
	return !c && keys & HIST_VALUES && x->values != y->values ? by_values(x->values, y->values) : c;
}

static int by_source(const struct hist_frame *x, const struct hist_frame *y, unsigned keys)
{
	int c = keys & HIST_LINE ? by_known(x->line, y->line) : 0;

	return !c && keys & HIST_FILE ? by_known(x->file, y->file) : c;
}

static int by_touch(const struct hist_frame *x, const struct hist_frame *y, unsigned keys)
{
	int c = 0;

	for (unsigned i = 0; !c && i < HIST_TOUCH_TEXTS; i++)
		if (keys & HIST_TYPE << i)
			c = by_known(hist_touched(x, i), hist_touched(y, i));
	return c;
}

static int by_frame(const struct hist *h, const struct hist_row *a, const struct hist_row *b)
{
	const struct hist_frame *x = &h->in.frames[a->frame], *y = &h->in.frames[b->frame];
	unsigned keys = h->want.keys;
	int c = keys & HIST_DSO ? by_text(x->dso_short, y->dso_short) : 0;

	if (!c && keys & (HIST_LINE | HIST_FILE))
		c = by_source(x, y, keys);
	if (!c && keys & HIST_TOUCH_KEYS)
		c = by_touch(x, y, keys);
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
 * Heavier rows first; with HIST_BY_DEPTH, rows of equal weight by command, then callers before callees. The command
 * must come before the depth: comparing depths only within one command would not be a consistent order.
 */
static int by_row(const void *arg, uint32_t ia, uint32_t ib)
{
	const struct hist *h = arg;
	const struct hist_row *a = &h->rows.v[ia], *b = &h->rows.v[ib];
	int c = h->want.by_latency ? (a->latency < b->latency) - (a->latency > b->latency) : 0;

	c = c ? c : by_u64(b->total, a->total);

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

enum { WEIGHT_BITS = 64 };

static unsigned bits_of(const struct hist *h, uint32_t row)
{
	const struct hist_row *r = &h->rows.v[row];
	uint64_t weight = h->want.mode == HIST_CHILDREN ? r->total : r->self;

	return h->want.by_latency || !weight ? 0 : WEIGHT_BITS - (unsigned)__builtin_clzll(weight);
}

/*
 * The least bit length of weights such that at least `first` rows have as many bits: only these are sorted, since
 * comparing rows is expensive, and most rows are light.
 */
static unsigned bits_of_first(const struct hist *h, size_t first, size_t *n)
{
	size_t n_of[WEIGHT_BITS + 1] = { 0 };
	unsigned bits = WEIGHT_BITS;

	for (uint32_t i = 0; i < h->rows.n; i++)
		n_of[bits_of(h, i)]++;
	for (*n = n_of[bits]; bits && *n < first; *n += n_of[bits])
		bits--;
	return bits;
}

uint32_t *hist_order_first(const struct hist *h, size_t first, size_t *in_order)
{
	uint32_t *v = mem_alloc((h->rows.n + 1) * 2 * sizeof(*v));
	unsigned bits = bits_of_first(h, first, in_order);
	size_t heavy = 0, light = *in_order;

	for (uint32_t i = 0; v && i < h->rows.n; i++)
		v[bits_of(h, i) >= bits ? heavy++ : light++] = i;
	if (v)
		sort_u32(v, v + h->rows.n, *in_order, by_row, h);
	return v;
}

uint32_t *hist_order(const struct hist *h)
{
	size_t all;

	return hist_order_first(h, SIZE_MAX, &all);
}

/* --- nodes of a row ---------------------------------------------------------------------------- */

static bool is_wanted(const struct hist *h, uint32_t row, uint64_t least)
{
	return row != HIST_NO_ROW &&
	       (h->want.mode == HIST_CHILDREN ? h->rows.v[row].total : h->rows.v[row].self) >= least;
}

int hist_index(struct hist *h, uint64_t least)
{
	size_t n = h->rows.n, n_nodes = h->in.tree->nodes.n, sum = 0;
	uint32_t *start = mem_zeroed(n + 1, sizeof(*start)), *places;

	free(h->places_start);
	free(h->places);
	h->places = NULL;
	h->places_start = start;
	if (!start)
		return -ENOMEM;
	for (size_t i = 1; i < n_nodes; i++)
		if (is_wanted(h, h->row_of[i], least))
			start[h->row_of[i]]++;
	for (size_t i = 0; i < n; i++)
		start[i] = (uint32_t)(sum += start[i]);
	start[n] = (uint32_t)sum;
	h->places = places = mem_alloc((sum + 1) * sizeof(*places));
	if (!places)
		return -ENOMEM;
	/* Backwards, since start[] is counted down from the end of each row's list. */
	for (size_t i = n_nodes; i-- > 1; )
		if (is_wanted(h, h->row_of[i], least))
			places[--start[h->row_of[i]]] = (uint32_t)i;
	return 0;
}
