/* profile_batch.c - raw places to frames, and a batch's tree to the profile's. */
#include "report/profile_batch.h"

#include "report/profile.h"

int profile_batch_init(struct profile_batch *b, size_t bytes, size_t max_frames)
{
	*b = (struct profile_batch){ 0 };
	return batch_init(&b->samples, bytes, max_frames);
}

static void drop_spaces(struct profile_batch *b)
{
	for (size_t i = 0; i < b->spaces.n; i++)
		resolver_space_drop(&b->spaces.v[i]);
	b->spaces.n = 0;
	map_deinit(&b->space_of);
	memset(b->recent_id, 0, sizeof(b->recent_id));
	memset(b->process, 0, sizeof(b->process));
}

void profile_batch_deinit(struct profile_batch *b)
{
	drop_spaces(b);
	vec_free(&b->spaces);
	batch_deinit(&b->samples);
}

/* --- samples in ---------------------------------------------------------------------------------------------- */

/* Number of a space that is seen for the first time, or not often, + 1; 0: no memory. */
static uint32_t space_new(struct profile_batch *b, struct resolver_space s)
{
	bool is_new = true;
	/* Without a generation nobody knows whether it was here before. */
	uint64_t *at = s.generation ? map_add(&b->space_of, s.generation, &is_new) : NULL;
	struct resolver_space *new;

	if (s.generation && !at)
		return 0;
	if (!is_new)
		return (uint32_t)*at + 1;
	new = vec_add(&b->spaces);
	if (!new)
		return 0;
	*new = resolver_space_keep(s);
	if (at)
		*at = b->spaces.n - 1;
	return (uint32_t)b->spaces.n;
}

static uint32_t space_id(struct profile_batch *b, struct resolver_space s)
{
	size_t i = s.generation % PROFILE_SPACES;

	if (!b->recent_id[i] || !s.generation || b->recent[i].generation != s.generation) {
		b->recent[i] = s;
		b->recent_id[i] = space_new(b, s);
	}
	return b->recent_id[i];
}

int profile_batch_put(struct profile_batch *b, struct resolver *r, const struct sample_layout *l,
		      const struct sample *s, uint32_t group)
{
	struct profile_process *p = &b->process[s->pid % PROFILE_SPACES];

	if (!p->user || p->pid != s->pid || p->changes != resolver_changes(r)) {
		struct resolver_spaces now = resolver_spaces(r, s->pid);

		*p = (struct profile_process){
			.changes = resolver_changes(r), .pid = s->pid,
			.user = space_id(b, now.user), .kernel = space_id(b, now.kernel),
		};
	}

	struct batch_sample in = {
		.layout = l, .sample = s, .group = group, .user = p->user - 1, .kernel = p->kernel - 1,
	};

	return p->user && p->kernel ? batch_put(&b->samples, &in) : -ENOMEM;
}

/* --- merge --------------------------------------------------------------------------------------------------- */

struct merge {
	struct profile *p;
	const struct profile_batch *b;
	const struct ct_node *nodes;   /* of the batch */
	uint32_t *frame;               /* of each place; NAMES_NONE: not known yet */
	uint32_t *to;                  /* of each node: that of the profile; 0: not known yet */
};

/* Of a node of the profile: nothing that was called from here counts. */
#define ENDS (UINT32_C(1) << 31)

static uint32_t frame_of(struct merge *m, uint32_t place)
{
	const struct batch_place *at = &m->b->samples.places.v[place];
	const struct resolver_space *space = &m->b->spaces.v[at->space];
	struct chain_frame f = { at->ip, at->cpumode, at->returns };
	struct resolver_spaces in = { .user = *space, .kernel = *space };

	if (m->frame[place] == NAMES_NONE)
		m->frame[place] = frames_at(&m->p->frames, &in, &f);
	return m->frame[place];
}

static bool is_end(const struct profile *p, uint32_t frame)
{
	const char *sym = p->want.ends ? p->frames.v.v[frame].sym : NULL;

	return sym && rex_match(p->want.ends, sv_from(sym));
}

/* The profile's node for a batch's below the node `at`. CALLTREE_NONE: no memory. */
static uint32_t step(struct merge *m, uint32_t at, uint32_t node, bool innermost)
{
	struct profile *p = m->p;
	uint32_t frame, to;

	if (at & ENDS)
		return at;
	frame = frame_of(m, m->nodes[node].key);
	if (frame == NAMES_NONE)
		return CALLTREE_NONE;
	if (!innermost && p->filter.want->hide_unresolved && !p->frames.v.v[frame].sym)
		return at;
	to = calltree_child(&p->tree, at, frame);
	if (to >= ENDS)
		return CALLTREE_NONE;
	return to | (is_end(p, frame) ? ENDS : 0);
}

/* From the node up to the one whose place in the profile is known, or to its group. Returns how many. */
static size_t path_to(const struct merge *m, uint32_t node, uint32_t *path)
{
	size_t n = 0;

	for (; m->nodes[node].parent && !m->to[node]; node = m->nodes[node].parent)
		path[n++] = node;
	path[n] = node;
	return n;
}

/* The profile's node where the samples of a batch's end. CALLTREE_NONE: no memory. */
static uint32_t place_in(struct merge *m, uint32_t leaf)
{
	uint32_t path[CHAIN_MAX + 1];
	size_t n = path_to(m, leaf, path);
	uint32_t at = m->to[path[n]];

	if (!at)
		at = m->to[path[n]] = calltree_child(&m->p->tree, 0, m->nodes[path[n]].key);
	while (n-- && at != CALLTREE_NONE)
		at = m->to[path[n]] = step(m, at, path[n], path[n] == leaf);
	return at == CALLTREE_NONE ? at : at & ~ENDS;
}

/* The frame that counts as the innermost: the outermost one whose callees do not. NAMES_NONE: no memory. */
static uint32_t innermost(struct merge *m, uint32_t leaf)
{
	uint32_t found = frame_of(m, m->nodes[leaf].key);

	for (uint32_t at = m->nodes[leaf].parent; found != NAMES_NONE && m->p->want.ends && m->nodes[at].parent;
	     at = m->nodes[at].parent) {
		uint32_t frame = frame_of(m, m->nodes[at].key);

		if (frame == NAMES_NONE || is_end(m->p, frame))
			found = frame;
	}
	return found;
}

/* Samples that end in a node of the batch. */
static int add_leaf(struct merge *m, uint32_t leaf)
{
	const struct ct_node *n = &m->nodes[leaf];
	struct profile *p = m->p;
	bool counts = n->parent;
	uint32_t to;

	if (counts && p->filter.by_name) {
		uint32_t frame = innermost(m, leaf);

		if (frame == NAMES_NONE)
			return -ENOMEM;
		counts = filter_frame(&p->filter, &p->frames.v.v[frame]);
	}
	if (!counts) {
		p->filtered += n->samples;
		return 0;
	}
	to = place_in(m, leaf);
	if (to == CALLTREE_NONE)
		return -ENOMEM;
	calltree_add(&p->tree, to, n->self, n->samples);
	return 0;
}

int profile_batch_merge(struct profile_batch *b, struct profile *p)
{
	const struct calltree *t = &b->samples.tree;
	struct merge m = {
		.p = p, .b = b, .nodes = t->nodes.v,
		.frame = malloc((b->samples.places.n + 1) * sizeof(*m.frame)),
		.to = calloc(t->nodes.n, sizeof(*m.to)),
	};
	int r = b->samples.failed || !m.frame || !m.to ? -ENOMEM : 0;

	if (m.frame)
		memset(m.frame, 0xff, b->samples.places.n * sizeof(*m.frame));
	for (uint32_t i = 1; i < t->nodes.n && !r; i++)
		if (m.nodes[i].samples)
			r = add_leaf(&m, i);
	free(m.frame);
	free(m.to);
	batch_clear(&b->samples);
	drop_spaces(b);
	return r;
}
