/* fold.c - choose the branches to fold, fold them from the leaves up, compact the tree. */
#include "analyse/fold.h"

enum { COUNTS = 1 << 12 };   /* branches of more samples than this are kept */

void fold_deinit(struct fold *f)
{
	map_deinit(&f->of);
	vec_free(&f->rows);
	free(f->moved);
	*f = (struct fold){ 0 };
}

/* --- choose -------------------------------------------------------------------------------------------------- */

static bool is_group(const struct calltree *t, uint32_t node)
{
	return node && !t->nodes.v[node].parent;
}

static bool is_outermost(const struct calltree *t, uint32_t node)
{
	return node && is_group(t, t->nodes.v[node].parent);
}

/* Can the node not be folded? The root, a group, or a group's frame "other". */
static bool is_fixed(const struct calltree *t, uint32_t node, uint32_t other)
{
	return !node || is_group(t, node) || (is_outermost(t, node) && t->nodes.v[node].key == other);
}

/* Add the frame "other" to each group; those that stay empty are removed again. 0 or -ENOMEM. */
static int add_others(struct calltree *t, uint32_t other)
{
	size_t n = t->nodes.n;

	for (uint32_t i = 1; i < n; i++)
		if (is_group(t, i) && calltree_child(t, i, other) == CALLTREE_NONE)
			return -ENOMEM;
	return 0;
}

/* Samples of each subtree, at most COUNTS. NULL: no memory. */
static uint32_t *count_samples(const struct calltree *t)
{
	uint32_t *n = malloc(t->nodes.n * sizeof(*n));

	if (!n)
		return NULL;
	for (size_t i = 0; i < t->nodes.n; i++)
		n[i] = MIN(t->nodes.v[i].samples, (uint32_t)COUNTS);
	for (size_t i = t->nodes.n; --i > 0; ) {
		uint32_t *above = &n[t->nodes.v[i].parent];

		*above = MIN(*above + n[i], (uint32_t)COUNTS);
	}
	return n;
}

struct limit {
	uint32_t samples;      /* fold nodes with fewer samples than this, */
	size_t spare;          /* and of those with exactly so many all but the first `spare` ones */
};

/* The limit by which about `keep` are kept. with[n]: how many have n samples. */
static struct limit choose(const size_t with[COUNTS + 1], size_t keep)
{
	uint32_t least = COUNTS;
	size_t kept = with[COUNTS];

	while (least && kept + with[least - 1] <= keep)
		kept += with[--least];
	return (struct limit){ least ? least - 1 : 0, kept < keep ? keep - kept : 0 };
}

static struct limit choose_nodes(const struct calltree *t, const uint32_t *samples, const struct fold_want *w)
{
	size_t with[COUNTS + 1] = { 0 };

	for (uint32_t i = 0; i < t->nodes.n; i++)
		with[is_fixed(t, i, w->other) ? COUNTS : samples[i]]++;
	return choose(with, w->nodes);
}

static uint32_t add_up_to_counts(uint32_t n, uint64_t more)
{
	return (uint32_t)MIN(n + MIN(more, (uint64_t)COUNTS), (uint64_t)COUNTS);
}

/* Samples of each frame, in the tree and in notes; recursive ones count several times. NULL: no memory. */
static uint32_t *count_frames(const struct fold *f, const struct calltree *t, const uint32_t *samples, size_t n)
{
	uint32_t *of = calloc(n + 1, sizeof(*of));

	for (uint32_t i = 1; of && i < t->nodes.n; i++) {
		uint32_t *frame = &of[t->nodes.v[i].key];

		if (t->nodes.v[i].parent)
			*frame = add_up_to_counts(*frame, samples[i]);
	}
	for (size_t i = 0; of && i < f->rows.n; i++) {
		const struct fold_row *r = &f->rows.v[i];

		/* A negative note: the samples that it takes away are still counted in the tree. */
		if ((int64_t)r->total_samples > 0)
			of[r->frame] = add_up_to_counts(of[r->frame], r->total_samples);
	}
	return of;
}

/* Frames with at most so many samples are not noted. */
static uint32_t choose_frames(const uint32_t *samples, const struct fold_want *w)
{
	size_t with[COUNTS + 1] = { 0 };

	if (w->n_frames <= w->frames)
		return 0;
	for (size_t i = 0; i < w->n_frames; i++)
		with[samples[i]]++;
	return choose(with, w->frames).samples;
}

/* --- fold ---------------------------------------------------------------------------------------------------- */

static struct fold_row *row_of(struct fold *f, uint32_t group, uint32_t frame)
{
	bool is_new;
	uint64_t *at = map_add(&f->of, (uint64_t)group << 32 | frame, &is_new);
	struct fold_row *new;

	if (!at)
		return NULL;
	if (!is_new)
		return &f->rows.v[*at];
	new = vec_add(&f->rows);
	if (!new)
		return NULL;
	*at = f->rows.n - 1;
	new->group = group;
	new->frame = frame;
	return new;
}

/* The node's group; *above: is a caller in the same row? */
static uint32_t look_up(const struct fold *f, const struct calltree *t, uint32_t node, bool *above)
{
	const struct ct_node *v = t->nodes.v;
	uint32_t at = v[node].parent;

	*above = false;
	for (; v[at].parent; at = v[at].parent)
		*above |= f->same(f->arg, v[at].key, v[node].key);
	return v[at].key;
}

struct folding {
	struct fold *f;
	struct calltree *t;
	uint32_t *samples;     /* of each subtree */
	uint32_t *frames;      /* samples of each frame */
	uint32_t *to;          /* new index of each node; 0: folded */
	uint32_t light;        /* frames with at most so many samples are not noted */
	uint32_t other;
	size_t n_frames;
};

/* Add to the note of a frame's self; negative values (modulo 2^64) take away. 0 or -ENOMEM. */
static int move_self(struct folding *g, uint32_t group, uint32_t frame, uint64_t self, uint64_t samples)
{
	struct fold_row *row = row_of(g->f, group, frame);

	if (!row)
		return -ENOMEM;
	row->self += self;
	row->samples += samples;
	return 0;
}

/* Add to the note of a frame's total; negative values (modulo 2^64) take away. */
static int move_total(struct folding *g, uint32_t group, uint32_t frame, uint64_t total, uint64_t samples)
{
	struct fold_row *row = row_of(g->f, group, frame);

	if (!row)
		return -ENOMEM;
	row->total += total;
	row->total_samples += samples;
	return 0;
}

/* The frame whose self includes a node's samples. */
static uint32_t own_key(const struct folding *g, const struct ct_node *n)
{
	const struct ct_node *v = g->t->nodes.v;

	while (g->f->inlined && g->f->inlined(g->f->arg, n->key) && v[n->parent].parent)
		n = &v[n->parent];
	return n->key;
}

/* Note the total of a folded node. "other" did not call it, so what "other" gains in the tree is taken away. */
static int take_note(struct folding *g, uint32_t group, const struct ct_node *n, bool above, bool outermost)
{
	int r = move_total(g, group, n->key, above ? 0 : n->self, above ? 0 : n->samples);

	return !r && outermost ? move_total(g, group, g->other, -n->self, -(uint64_t)n->samples) : r;
}

/* The weight of the `moved` samples of a node: in proportion, since only their number is known. */
static uint64_t moved_self(const struct ct_node *n, uint32_t moved)
{
	return moved == n->samples ? n->self : (uint64_t)((double)n->self / n->samples * moved);
}

/*
 * Fold a leaf into its parent. If its frame is light, it gets no note: only the samples that were noted for other
 * frames stay noted for them, and its caller keeps the rest.
 */
static int fold_node(struct folding *g, uint32_t node)
{
	bool outermost = is_outermost(g->t, node);
	struct ct_node *n = &g->t->nodes.v[node];
	struct ct_node *to = &g->t->nodes.v[outermost ? calltree_child(g->t, n->parent, g->other) : n->parent];
	bool above, noted = g->frames[n->key] > g->light;
	uint32_t group = look_up(g->f, g->t, node, &above), moved = noted ? n->samples : g->f->moved[node];
	uint64_t self = noted ? n->self : moved ? moved_self(n, moved) : 0;
	int r = noted ? take_note(g, group, n, above, outermost) : 0;

	if (!r && moved)
		r = move_self(g, group, own_key(g, n), self, moved);
	if (!r && moved)
		r = move_self(g, group, own_key(g, to), -self, -(uint64_t)moved);
	to->self += n->self;
	to->samples += n->samples;
	g->f->moved[to - g->t->nodes.v] += moved;
	return r;
}

static int fold_light(struct folding *g, struct limit l)
{
	const struct calltree *t = g->t;
	int r = 0;

	/* Callers come before callees: so the `spare` ones that are kept are connected branches. */
	for (uint32_t i = 0; i < t->nodes.n; i++) {
		bool fixed = is_fixed(t, i, g->other), spared = !fixed && g->samples[i] == l.samples && l.spare;

		g->to[i] = fixed || g->samples[i] > l.samples || spared;
		l.spare -= spared;
	}
	for (uint32_t i = (uint32_t)t->nodes.n; --i > 0 && !r; ) {
		if (g->to[i])
			continue;
		g->f->branches += g->to[t->nodes.v[i].parent];
		r = fold_node(g, i);
	}
	for (uint32_t i = 1; i < t->nodes.n; i++)
		if (is_outermost(t, i) && t->nodes.v[i].key == g->other && !t->nodes.v[i].samples)
			g->to[i] = 0;
	return r;
}

/*
 * Add the notes of frames that have become light to "other"; but not if the tree still has the frame, whose note may
 * be negative.
 */
static int drop_light(struct folding *g)
{
	struct fold *f = g->f;
	bool *there = calloc(g->n_frames + 1, sizeof(*there));
	int r = there ? 0 : -ENOMEM;

	for (uint32_t i = 1; there && i < g->t->nodes.n; i++)
		if (!is_group(g->t, i))
			there[g->t->nodes.v[i].key] = true;
	for (size_t i = 0; !r && i < f->rows.n; i++) {
		struct fold_row row = f->rows.v[i];

		if (row.frame == g->other || there[row.frame] || g->frames[row.frame] > g->light)
			continue;
		f->rows.v[i] = (struct fold_row){ .group = row.group, .frame = row.frame };
		r = move_self(g, row.group, g->other, row.self, row.samples);
		r = r ? r : move_total(g, row.group, g->other, row.total, row.total_samples);
	}
	free(there);
	return r;
}

/* Compact the tree: the remaining nodes keep their order. */
static void close_gaps(struct fold *f, struct calltree *t, uint32_t *to)
{
	uint32_t n = 1;

	to[0] = 0;
	for (uint32_t i = 1; i < t->nodes.n; i++) {
		if (!to[i])
			continue;
		t->nodes.v[n] = t->nodes.v[i];
		f->moved[n] = f->moved[i];
		t->nodes.v[n].parent = to[t->nodes.v[i].parent];
		to[i] = n++;
	}
	t->nodes.n = f->n_moved = n;
	calltree_index(t);
}

static int index_rows(struct fold *f)
{
	map_deinit(&f->of);
	for (size_t i = 0; i < f->rows.n; i++) {
		const struct fold_row *r = &f->rows.v[i];
		uint64_t *at = map_add(&f->of, (uint64_t)r->group << 32 | r->frame, NULL);

		if (!at)
			return -ENOMEM;
		*at = i;
	}
	return 0;
}

/* Remove notes without samples: those were folded on to the next caller. */
static int drop_empty(struct fold *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->rows.n; i++)
		if (f->rows.v[i].samples || f->rows.v[i].total_samples)
			f->rows.v[n++] = f->rows.v[i];
	f->rows.n = n;
	return index_rows(f);
}

static int grow_moved(struct fold *f, size_t n)
{
	uint32_t *moved = realloc(f->moved, n * sizeof(*moved));

	if (!moved)
		return -ENOMEM;
	memset(moved + f->n_moved, 0, (n - f->n_moved) * sizeof(*moved));
	f->moved = moved;
	f->n_moved = n;
	return 0;
}

int fold_tree(struct fold *f, struct calltree *t, const struct fold_want *w)
{
	struct folding g = { .f = f, .t = t, .other = w->other, .n_frames = w->n_frames };
	int r = -ENOMEM;

	if (add_others(t, w->other) || grow_moved(f, t->nodes.n))
		return r;
	g.samples = count_samples(t);
	g.to = malloc(t->nodes.n * sizeof(*g.to));
	g.frames = g.samples ? count_frames(f, t, g.samples, w->n_frames) : NULL;
	if (g.frames && g.to) {
		g.light = choose_frames(g.frames, w);
		r = fold_light(&g, choose_nodes(t, g.samples, w));
	}
	if (!r)
		close_gaps(f, t, g.to);
	if (!r)
		r = drop_light(&g);
	if (!r)
		r = drop_empty(f);
	free(g.samples);
	free(g.frames);
	free(g.to);
	return r;
}

/* --- frames -------------------------------------------------------------------------------------------------- */

void fold_used(const struct fold *f, const struct calltree *t, uint32_t *used)
{
	for (size_t i = 1; i < t->nodes.n; i++)
		if (t->nodes.v[i].parent)
			used[t->nodes.v[i].key] = 1;
	for (size_t i = 0; i < f->rows.n; i++)
		used[f->rows.v[i].frame] = 1;
}

int fold_renumber(struct fold *f, struct calltree *t, const uint32_t *to)
{
	for (size_t i = 1; i < t->nodes.n; i++)
		if (t->nodes.v[i].parent)
			t->nodes.v[i].key = to[t->nodes.v[i].key];
	calltree_index(t);
	for (size_t i = 0; i < f->rows.n; i++)
		f->rows.v[i].frame = to[f->rows.v[i].frame];
	return index_rows(f);
}

void fold_settle(struct fold *f)
{
	map_deinit(&f->of);
	free(f->moved);
	f->moved = NULL;
	f->n_moved = 0;
}
