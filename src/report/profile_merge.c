/* profile_merge.c - map places of a batch to frames, and its nodes to nodes of the profile's tree. */
#include "report/profile_merge.h"

enum {
	/* Prefetch distances, in items. */
	FRAMES_AHEAD = 8,
	NODES_AHEAD = 8,
};

struct merge {
	struct profile *p;
	struct profile_batch *b;
	const struct ct_node *nodes;   /* of the batch */
	uint32_t *frame;               /* place -> frame; NAMES_NONE: not resolved yet */
	uint32_t *to;                  /* node of the batch -> node of the profile; 0: not mapped yet */
	size_t n_nodes;
};

/* Flag of a node of the profile: its function absorbs its callees (profile_want.ends). */
#define ENDS (UINT32_C(1) << 31)

static uint32_t look_up(struct profile *p, const struct profile_batch *b, uint32_t place)
{
	const struct batch_place *at = &b->samples.places.v[place];
	const struct resolver_space *space = &b->spaces.v[at->space];
	struct chain_frame f = { at->ip, at->cpumode, at->returns };
	struct resolver_spaces in = { .user = *space, .kernel = *space };

	return frames_at(&p->frames, &in, &f);
}

static uint32_t frame_of(struct merge *m, uint32_t place)
{
	if (m->frame[place] == NAMES_NONE)
		m->frame[place] = look_up(m->p, m->b, place);
	return m->frame[place];
}

/* Prefetch the cache entry of a place that will be looked up soon. */
static inline void near_frame(const struct profile *p, const struct profile_batch *b, uint32_t place)
{
	const struct batch_place *at = &b->samples.places.v[place];
	struct chain_frame f = { at->ip, at->cpumode, at->returns };

	frames_near(&p->frames, b->spaces.v[at->space].generation, &f);
}

bool profile_by_name(const struct profile *p)
{
	return p->filter.by_name || p->want.ends || p->want.parent;
}

/* The node of an address below that of its caller: one level for each of its frames. CALLTREE_NONE: no memory. */
static inline uint32_t add_frames(const struct merge *m, uint32_t at, uint32_t id)
{
	const uint32_t *list;

	if (!(id & FRAMES_LIST))
		return calltree_child(&m->p->tree, at, id);
	list = &m->b->lists.v[id & ~FRAMES_LIST];
	for (uint32_t i = 1; i <= *list && at != CALLTREE_NONE; i++)
		at = calltree_child(&m->p->tree, at, list[i]);
	return at;
}

/* Copy a list of frames to the batch: the lists of `frames` may move while other places are resolved. */
static int keep_list(const struct frames *f, struct profile_batch *b, uint32_t *id)
{
	uint32_t of[SYM_SPOTS_MAX];
	size_t n = frames_of(f, *id, of);

	if (vec_reserve(&b->lists, n + 1))
		return -ENOMEM;
	*id = (uint32_t)b->lists.n | FRAMES_LIST;
	b->lists.v[b->lists.n++] = (uint32_t)n;
	memcpy(b->lists.v + b->lists.n, of, n * sizeof(*of));
	b->lists.n += n;
	return 0;
}

int profile_find_frames(struct profile *p, struct profile_batch *b)
{
	size_t n = b->samples.places.n;
	int r = vec_reserve(&b->frame, n + 1);

	b->lists.n = 0;
	for (uint32_t i = 0; i < n && !r; i++) {
		uint32_t *id = &b->frame.v[i];

		if (i + FRAMES_AHEAD < n)
			near_frame(p, b, i + FRAMES_AHEAD);
		*id = look_up(p, b, i);
		if (*id == NAMES_NONE)
			r = -ENOMEM;
		else if (*id & FRAMES_LIST)
			r = keep_list(&p->frames, b, id);
	}
	return r;
}

/* Indices of the nodes sorted by depth, outermost first (a stable counting sort). NULL: no memory. */
static const uint32_t *sort_by_depth(struct merge *m)
{
	uint32_t at[FRAMES_DEPTH + 2] = { 0 }, *depth, *sorted;

	if (vec_reserve(&m->p->depth_of, m->n_nodes) || vec_reserve(&m->p->by_depth, m->n_nodes))
		return NULL;
	depth = m->p->depth_of.v;
	sorted = m->p->by_depth.v;
	depth[0] = 0;
	for (size_t i = 1; i < m->n_nodes; i++) {
		depth[i] = depth[m->nodes[i].parent] + 1;
		at[depth[i] + 1]++;
	}
	for (size_t i = 1; i < ARRAY_SIZE(at); i++)
		at[i] += at[i - 1];
	for (uint32_t i = 1; i < m->n_nodes; i++)
		sorted[at[depth[i]]++] = i;
	return sorted;
}

/* Parent and key by which a node is looked up in the tree. False: its parent is not mapped, or it is several frames. */
static inline bool edge_of(const struct merge *m, uint32_t node, uint32_t *parent, uint32_t *key)
{
	const struct ct_node *n = &m->nodes[node];

	*parent = m->to[n->parent];
	*key = n->parent ? m->frame[n->key] : n->key;
	return (*parent || !n->parent) && !(*key & FRAMES_LIST);
}

/*
 * Most nodes exist already in the large tree, and each lookup is a cache miss. They are looked up level by level: nodes
 * of one level do not depend on one another, so their cache misses overlap.
 */
static int find_nodes(struct merge *m)
{
	const struct calltree *t = &m->p->tree;
	const uint32_t *v = sort_by_depth(m);
	uint32_t parent, key;

	for (size_t i = 0; v && i + 1 < m->n_nodes; i++) {
		size_t far = i + 2 * NODES_AHEAD, next = i + NODES_AHEAD;
		uint32_t found;

		if (far + 1 < m->n_nodes && edge_of(m, v[far], &parent, &key))
			calltree_near(t, parent, key);
		if (next + 1 < m->n_nodes && edge_of(m, v[next], &parent, &key))
			calltree_nearer(t, parent, key);
		if (!edge_of(m, v[i], &parent, &key))
			continue;
		found = calltree_find(t, parent, key);
		m->to[v[i]] = found == CALLTREE_NONE ? 0 : found;
	}
	return v ? 0 : -ENOMEM;
}

/* Without filters each node of the batch has one in the profile. Parents come first. */
static int add_all(struct merge *m)
{
	struct calltree *to = &m->p->tree;

	if (find_nodes(m))
		return -ENOMEM;
	for (uint32_t i = 1; i < m->n_nodes; i++) {
		const struct ct_node *n = &m->nodes[i];
		uint32_t parent = n->parent;

		if (!parent) {
			m->b->filtered += n->samples;
			continue;
		}
		if (!m->to[parent])
			m->to[parent] = calltree_child(to, 0, m->nodes[parent].key);
		if (!m->to[i])
			m->to[i] = m->to[parent] == CALLTREE_NONE ? CALLTREE_NONE
								  : add_frames(m, m->to[parent], m->frame[n->key]);
		if (m->to[i] == CALLTREE_NONE)
			return -ENOMEM;
		if (n->samples)
			calltree_add(to, m->to[i], n->self, n->samples);
	}
	return 0;
}

static bool is_end(const struct profile *p, uint32_t frame)
{
	const char *sym = p->want.ends ? p->frames.v.v[frame].sym : NULL;

	return sym && rex_match(p->want.ends, sv_from(sym));
}

/* The profile's node for a node of the batch, below the profile's node `at`. CALLTREE_NONE: no memory. */
static uint32_t step(struct merge *m, uint32_t at, uint32_t node, bool innermost)
{
	struct profile *p = m->p;
	uint32_t id = at & ENDS ? 0 : frame_of(m, m->nodes[node].key);
	uint32_t of[SYM_SPOTS_MAX];
	size_t n;

	if (id == NAMES_NONE)
		return CALLTREE_NONE;
	n = at & ENDS ? 0 : frames_of(&p->frames, id, of);
	if (n && !innermost && p->filter.want->hide_unresolved && !p->frames.v.v[of[0]].sym)
		return at;
	for (size_t i = 0; i < n && !(at & ENDS); i++) {
		at = calltree_child(&p->tree, at, of[i]);
		if (at >= ENDS)
			return CALLTREE_NONE;
		at |= is_end(p, of[i]) ? ENDS : 0;
	}
	return at;
}

/* The path from a node up to one that is mapped already, or to its group. Returns its length. */
static size_t path_to(const struct merge *m, uint32_t node, uint32_t *path)
{
	size_t n = 0;

	for (; m->nodes[node].parent && !m->to[node]; node = m->nodes[node].parent)
		path[n++] = node;
	path[n] = node;
	return n;
}

/*
 * The profile's node for a leaf of the batch. CALLTREE_NONE: no memory. With the key "parent" leaves of one branch may
 * be in different groups, so the mapping of inner nodes is not kept.
 */
static uint32_t place_in(struct merge *m, uint32_t leaf, uint32_t group)
{
	uint32_t path[CHAIN_MAX + 1];
	size_t n = path_to(m, leaf, path);
	bool kept = !m->p->want.parent;
	uint32_t at = m->to[path[n]];

	if (!at)
		at = calltree_child(&m->p->tree, 0, group);
	if (kept)
		m->to[path[n]] = at;
	while (n-- && at != CALLTREE_NONE) {
		at = step(m, at, path[n], path[n] == leaf);
		if (kept)
			m->to[path[n]] = at;
	}
	return at == CALLTREE_NONE ? at : at & ~ENDS;
}

/* The frame of the place's function, not of one inlined there. NAMES_NONE: no memory. */
static uint32_t outer_of(struct merge *m, uint32_t place)
{
	uint32_t id = frame_of(m, place);

	return id == NAMES_NONE ? id : frames_outer(&m->p->frames, id);
}

/* The frame that counts as innermost: the outermost one that absorbs its callees, if any. NAMES_NONE: no memory. */
static uint32_t innermost(struct merge *m, uint32_t leaf)
{
	uint32_t found = outer_of(m, m->nodes[leaf].key);

	for (uint32_t at = m->nodes[leaf].parent; found != NAMES_NONE && m->p->want.ends && m->nodes[at].parent;
	     at = m->nodes[at].parent) {
		uint32_t frame = outer_of(m, m->nodes[at].key);

		if (frame == NAMES_NONE || is_end(m->p, frame))
			found = frame;
	}
	return found;
}

static uint32_t group_of_leaf(const struct merge *m, uint32_t leaf)
{
	while (m->nodes[leaf].parent)
		leaf = m->nodes[leaf].parent;
	return m->nodes[leaf].key;
}

/* The value of the key "parent" for a chain; NULL: no caller matches. 0 or -ENOMEM. */
static int parent_of(struct merge *m, uint32_t leaf, const char **name)
{
	const struct profile_parent *want = m->p->want.parent;

	*name = NULL;
	for (uint32_t at = leaf; m->nodes[at].parent && (want->from_outside || !*name); at = m->nodes[at].parent) {
		uint32_t frame = outer_of(m, m->nodes[at].key);
		const char *sym = frame == NAMES_NONE ? NULL : m->p->frames.v.v[frame].sym;

		if (frame == NAMES_NONE)
			return -ENOMEM;
		if (sym && rex_match(&want->names, sv_from(sym)))
			*name = sym;
	}
	return 0;
}

/* The group of a leaf's samples; NAMES_NONE: no memory. *counts: cleared if the required caller is missing. */
static uint32_t group_by_parent(struct merge *m, uint32_t leaf, bool *counts)
{
	uint32_t id = group_of_leaf(m, leaf);
	struct hist_group g;

	if (!*counts || !m->p->want.parent)
		return id;
	g = m->p->groups.v[id];
	if (parent_of(m, leaf, &g.parent))
		return NAMES_NONE;
	*counts = g.parent || !m->p->want.parent->alone;
	return g.parent ? profile_group(m->p, &g) : id;
}

/* Add the samples of a leaf of the batch. */
static int add_leaf(struct merge *m, uint32_t leaf)
{
	const struct ct_node *n = &m->nodes[leaf];
	struct profile *p = m->p;
	bool counts = n->parent;
	uint32_t to, group;

	if (counts && p->filter.by_name) {
		uint32_t frame = innermost(m, leaf);

		if (frame == NAMES_NONE)
			return -ENOMEM;
		counts = filter_frame(&p->filter, &p->frames.v.v[frame]);
	}
	group = group_by_parent(m, leaf, &counts);
	if (group == NAMES_NONE)
		return -ENOMEM;
	if (!counts) {
		p->filtered += n->samples;
		return 0;
	}
	to = place_in(m, leaf, group);
	if (to == CALLTREE_NONE)
		return -ENOMEM;
	calltree_add(&p->tree, to, n->self, n->samples);
	return 0;
}

/* With filters by name each leaf must be checked: add them one by one. */
static int add_chosen(struct merge *m)
{
	int r = 0;

	for (uint32_t i = 1; i < m->n_nodes && !r; i++)
		if (m->nodes[i].samples)
			r = add_leaf(m, i);
	return r;
}

int profile_merge(struct profile *p, struct profile_batch *b)
{
	const struct calltree *t = &b->samples.tree;
	size_t n_places = b->samples.places.n, n_nodes = t->nodes.n;
	struct merge m = { .p = p, .b = b, .nodes = t->nodes.v, .n_nodes = n_nodes };

	/* + 1: the batch may have no places. */
	if (vec_reserve(&b->frame, n_places + 1) || vec_reserve(&p->node_of, n_nodes))
		return -ENOMEM;
	m.frame = b->frame.v;
	m.to = memset(p->node_of.v, 0, n_nodes * sizeof(*m.to));
	if (!profile_by_name(p))
		return add_all(&m);
	memset(m.frame, 0xff, n_places * sizeof(*m.frame));
	return add_chosen(&m);
}
