/* profile.c - session to call tree: samples to batches, each added up by some thread and merged into the tree. */
#include "report/profile.h"

#include "sys/jobs.h"

enum {
	BATCH_MAX = 1 << 19,      /* bytes of samples */
	BATCH_PART = 64,          /* of the memory that there is */
	/* What they take at the peak: while rows are made, and their chains. */
	NODE_BYTES = 160,
	FRAME_BYTES = 240,
	/* Of what comes from memory so many are on their way. */
	FRAMES_AHEAD = 8,
	NODES_AHEAD = 8,
};

/* --- a batch ------------------------------------------------------------------------------------------------- */

static int batch_room(struct profile_batch *b, size_t bytes, size_t max_frames)
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
}

static void batch_end(struct profile_batch *b)
{
	drop_spaces(b);
	vec_free(&b->spaces);
	batch_deinit(&b->samples);
}

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

/* --- merge --------------------------------------------------------------------------------------------------- */

struct merge {
	struct profile *p;
	const struct profile_batch *b;
	const struct ct_node *nodes;   /* of the batch */
	uint32_t *frame;               /* of each place; NAMES_NONE: not known yet */
	uint32_t *to;                  /* of each node: that of the profile; 0: not known yet */
	size_t n_nodes;
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

/* The place will be asked for soon. */
static inline void near_frame(const struct merge *m, uint32_t place)
{
	const struct batch_place *at = &m->b->samples.places.v[place];
	struct chain_frame f = { at->ip, at->cpumode, at->returns };

	frames_near(&m->p->frames, m->b->spaces.v[at->space].generation, &f);
}

/* Does it take the names of frames to know which samples and frames count? */
static bool by_name(const struct profile *p)
{
	return p->filter.by_name || p->want.ends;
}

/* The node of an address below its caller's: one further in for each frame that it has. CALLTREE_NONE: no memory. */
static inline uint32_t add_frames(struct profile *p, uint32_t at, uint32_t id)
{
	uint32_t of[SYM_SPOTS_MAX];
	size_t n;

	if (!(id & FRAMES_LIST))
		return calltree_child(&p->tree, at, id);
	n = frames_of(&p->frames, id, of);
	for (size_t i = 0; i < n && at != CALLTREE_NONE; i++)
		at = calltree_child(&p->tree, at, of[i]);
	return at;
}

/* 0 or -ENOMEM. */
static int find_frames(struct merge *m)
{
	size_t n = m->b->samples.places.n;

	for (uint32_t i = 0; i < n; i++) {
		if (i + FRAMES_AHEAD < n)
			near_frame(m, i + FRAMES_AHEAD);
		if (frame_of(m, i) == NAMES_NONE)
			return -ENOMEM;
	}
	return 0;
}

/* Numbers of nodes, callers of callers first; of equal depth as they come. NULL: no memory. */
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

/* By what an address that is one frame will be asked for below its caller, if that one is there. */
static inline bool edge_of(const struct merge *m, uint32_t node, uint32_t *parent, uint32_t *key)
{
	const struct ct_node *n = &m->nodes[node];

	*parent = m->to[n->parent];
	*key = n->parent ? m->frame[n->key] : n->key;
	return (*parent || !n->parent) && !(*key & FRAMES_LIST);
}

/*
 * Most nodes are there already, somewhere in a large tree. They are looked for by their depth: so the next ones do not
 * depend on one another, and come from memory together.
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

/* All samples count, and all frames: each node has its own in the profile. In the order of the nodes, parents first. */
static int add_all(struct merge *m)
{
	struct calltree *to = &m->p->tree;

	if (find_frames(m) || find_nodes(m))
		return -ENOMEM;
	for (uint32_t i = 1; i < m->n_nodes; i++) {
		const struct ct_node *n = &m->nodes[i];
		uint32_t parent = n->parent;

		if (!parent) {
			m->p->filtered += n->samples;
			continue;
		}
		if (!m->to[parent])
			m->to[parent] = calltree_child(to, 0, m->nodes[parent].key);
		if (!m->to[i])
			m->to[i] = m->to[parent] == CALLTREE_NONE ? CALLTREE_NONE
								  : add_frames(m->p, m->to[parent], m->frame[n->key]);
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

/* The profile's node for a batch's below the node `at`. CALLTREE_NONE: no memory. */
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

/* The function out of line that a place is in. NAMES_NONE: no memory. */
static uint32_t outer_of(struct merge *m, uint32_t place)
{
	uint32_t id = frame_of(m, place);

	return id == NAMES_NONE ? id : frames_outer(&m->p->frames, id);
}

/* The frame that counts as the innermost: the outermost one whose callees do not. NAMES_NONE: no memory. */
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

/* Some samples, or frames, are left out: leaf by leaf. */
static int add_chosen(struct merge *m)
{
	int r = 0;

	for (uint32_t i = 1; i < m->n_nodes && !r; i++)
		if (m->nodes[i].samples)
			r = add_leaf(m, i);
	return r;
}

/* What was added up goes into the profile, and the batch is empty. 0 or -ENOMEM. */
static int batch_merge(struct profile *p, struct profile_batch *b)
{
	const struct calltree *t = &b->samples.tree;
	size_t n_places = b->samples.places.n, n_nodes = t->nodes.n;
	struct merge m = { .p = p, .b = b, .nodes = t->nodes.v, .n_nodes = n_nodes };
	int r = b->samples.failed ? -ENOMEM : 0;

	/* There may be no place at all. */
	if (!r && (vec_reserve(&p->frame_of, n_places + 1) || vec_reserve(&p->node_of, n_nodes)))
		r = -ENOMEM;
	if (!r) {
		m.frame = memset(p->frame_of.v, 0xff, n_places * sizeof(*m.frame));
		m.to = memset(p->node_of.v, 0, n_nodes * sizeof(*m.to));
		r = by_name(p) ? add_chosen(&m) : add_all(&m);
	}
	batch_clear(&b->samples);
	drop_spaces(b);
	return r;
}

/* --- batches ------------------------------------------------------------------------------------------------- */

static size_t max_frames(const struct profile_want *w)
{
	if (w->chains == PROFILE_FLAT)
		return 1;
	return w->max_stack && w->max_stack < CHAIN_MAX ? (size_t)w->max_stack : CHAIN_MAX;
}

/* One more batch, which is to be filled now. */
static int batch_new(struct profile *p)
{
	size_t bytes = (size_t)MIN(p->want.budget.memory / BATCH_PART, (uint64_t)BATCH_MAX);

	p->round++;
	p->batch = &p->batches[p->n_batches];
	if (batch_room(p->batch, bytes, max_frames(&p->want)))
		return -ENOMEM;
	p->n_batches++;
	return 0;
}

static int batches_init(struct profile *p)
{
	p->batches = calloc(JOBS_MAX + 1, sizeof(*p->batches));
	return p->batches ? batch_new(p) : -ENOMEM;
}

/* Whatever is not in the tree by now is given up. */
static void batches_deinit(struct profile *p)
{
	while (p->given && jobs_take(p->jobs))
		p->given--;
	jobs_free(p->jobs);
	while (p->n_batches)
		batch_end(&p->batches[--p->n_batches]);
	free(p->batches);
	p->jobs = NULL;
	p->batches = NULL;
}

/* --- the profile --------------------------------------------------------------------------------------------- */

/* Frames are one row's when its keys do not tell them apart. */
static bool same_row(const void *arg, uint32_t a, uint32_t b)
{
	const struct profile *p = arg;
	const struct hist_frame *x = &p->frames.v.v[a], *y = &p->frames.v.v[b];

	if (p->want.rows & HIST_SYM)
		return a == b;
	return (!(p->want.rows & HIST_DSO) || x->dso == y->dso) &&
	       (!(p->want.rows & HIST_LINE) || x->line == y->line) &&
	       (!(p->want.rows & HIST_FILE) || x->file == y->file);
}

static bool is_inlined(const void *arg, uint32_t frame)
{
	const struct profile *p = arg;

	return p->frames.v.v[frame].inlined;
}

/* Those of a trace that is running are met as they occur. */
static int meet_events(struct profile *p)
{
	while (p->events.n < p->session->head->events.n)
		if (!vec_add(&p->events))
			return -ENOMEM;
	return 0;
}

static int begin(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		  struct err *e)
{
	int r;

	*p = (struct profile){ .session = s, .want = *w };
	p->folded = (struct fold){ .same = same_row, .inlined = is_inlined, .arg = p };
	memset(p->recent_id, 0xff, sizeof(p->recent_id));
	r = filter_init(&p->filter, fw, s, e);
	if (r)
		return r;
	p->most_nodes = (size_t)(w->budget.memory / 2 / NODE_BYTES);
	p->most_frames = (size_t)(w->budget.memory / 2 / FRAME_BYTES);
	p->swapper = resolver_comm_of(s->resolver, 0, 0);
	if (batches_init(p) || calltree_init(&p->tree) || frames_init(&p->frames, s) || meet_events(p)) {
		profile_deinit(p);
		return err_nomem(e);
	}
	p->frames.inlines = w->inlines && w->chains == PROFILE_CHAINS;
	p->frames.lines = w->rows & (HIST_LINE | HIST_FILE);
	session_unordered(s);
	if (w->budget.jobs > 1)
		session_ahead(s);
	return 0;
}

void profile_deinit(struct profile *p)
{
	filter_deinit(&p->filter);
	calltree_deinit(&p->tree);
	fold_deinit(&p->folded);
	frames_deinit(&p->frames);
	vec_free(&p->groups);
	vec_free(&p->events);
	vec_free(&p->frame_of);
	vec_free(&p->node_of);
	vec_free(&p->depth_of);
	vec_free(&p->by_depth);
	names_deinit(&p->group_ids);
	batches_deinit(p);
}

void profile_footer(const struct profile *p, void (*say)(void *arg, const char *line), void *arg)
{
	char number[32], size[32], line[200];

	if (!p->folded.branches)
		return;
	fmt_grouped(number, sizeof(number), p->folded.branches);
	fmt_bytes(size, sizeof(size), p->want.budget.memory);
	snprintf(line, sizeof(line), "%s light branches of call trees were folded into their callers ([other] where "
		 "there is none), to do with %s of memory: --max-memory", number, size);
	say(arg, line);
}

struct hist_input profile_input(const struct profile *p)
{
	return (struct hist_input){
		.tree = &p->tree,
		.folded = p->folded.branches ? &p->folded : NULL,
		.groups = p->groups.v,
		.frames = p->frames.v.v,
		.n_groups = p->groups.n,
		.n_frames = p->frames.v.n,
	};
}

static bool same(const struct hist_group *a, const struct hist_group *b)
{
	return a->comm == b->comm && a->event == b->event && a->pid == b->pid && a->tid == b->tid &&
	       a->cpu == b->cpu && a->values == b->values;
}

static uint32_t group_new(struct profile *p, const struct hist_group *g)
{
	struct { uint64_t comm, event_cpu, pid_tid, values; } key = {
		(uint64_t)(uintptr_t)g->comm, (uint64_t)g->event << 32 | g->cpu, (uint64_t)g->pid << 32 | g->tid,
		(uint64_t)(uintptr_t)g->values,
	};
	uint32_t id = names_add(&p->group_ids, (const char *)&key, sizeof(key));

	if (id == p->groups.n) {
		struct hist_group *new = vec_add(&p->groups);

		if (!new)
			return NAMES_NONE;
		*new = *g;
	}
	return id;
}

/* Number of the sample's group; those of the last few threads are at hand. */
static uint32_t group_id(struct profile *p, const struct hist_group *g, uint32_t tid)
{
	size_t i = (tid ^ g->cpu ^ g->event) % PROFILE_RECENT;

	if (p->recent_id[i] == NAMES_NONE || !same(g, &p->recent[i])) {
		p->recent_id[i] = group_new(p, g);
		p->recent[i] = *g;
	}
	return p->recent_id[i];
}

static struct hist_group group_of(const struct profile *p, const struct perf_event *ev, const struct sample *smp,
				  const char *comm)
{
	unsigned keys = p->want.keys;

	return (struct hist_group){
		.comm = keys & (HIST_COMM | HIST_PID | HIST_TID) ? comm : "",
		.event = (uint32_t)session_event_index(p->session, ev),
		.pid = keys & HIST_PID ? smp->pid : 0,
		.tid = keys & HIST_TID ? smp->tid : 0,
		.cpu = keys & HIST_CPU ? smp->cpu : 0,
	};
}

static void add_up(void *piece)
{
	struct profile_batch *b = piece;

	batch_run(&b->samples);
}

/* Half of the nodes, and of the frames, stay; all of what cannot be folded. */
static int fold(struct profile *p)
{
	static const char other[] = "[other]";
	struct fold_want w = {
		.nodes = p->most_nodes / 2, .frames = p->most_frames / 2, .other = frames_named(&p->frames, other),
	};
	uint32_t *used = calloc(p->frames.v.n + 1, sizeof(*used));
	int r = used && w.other != NAMES_NONE ? 0 : -ENOMEM;

	w.n_frames = p->frames.v.n;
	r = r ? r : fold_tree(&p->folded, &p->tree, &w);
	if (!r) {
		fold_used(&p->folded, &p->tree, used);
		frames_keep(&p->frames, used);
		r = fold_renumber(&p->folded, &p->tree, used);
	}
	free(used);
	/* Not again and again where it is of no use. */
	p->most_nodes = MAX(p->most_nodes, p->tree.nodes.n / 2 * 3);
	p->most_frames = MAX(p->most_frames, p->frames.v.n / 2 * 3);
	return r;
}

static int merge(struct profile *p)
{
	int r = batch_merge(p, p->batch);

	return r || (p->tree.nodes.n <= p->most_nodes && p->frames.v.n <= p->most_frames) ? r : fold(p);
}

/* The oldest batch that was given goes into the tree, and is the one to fill. */
static int take_back(struct profile *p)
{
	p->round++;
	p->batch = jobs_take(p->jobs);
	p->given--;
	return merge(p);
}

/* The batch is full: another one is to be filled while threads add it up. */
static int hand_over(struct profile *p)
{
	if (!p->jobs)
		p->jobs = jobs_new(p->want.budget.jobs, add_up);
	if (!p->jobs)
		return -ENOMEM;
	jobs_give(p->jobs, p->batch);
	if (++p->given < jobs_room(p->jobs) && p->n_batches < jobs_room(p->jobs))
		return batch_new(p);
	return take_back(p);
}

static int flush(struct profile *p)
{
	int r = 0;

	/* A recording that is no more than one batch needs no threads. */
	if (!p->jobs) {
		add_up(p->batch);
		return merge(p);
	}
	jobs_give(p->jobs, p->batch);
	p->given++;
	while (!r && p->given)
		r = take_back(p);
	return r;
}

/* The thread's address spaces, as the batch that is being filled knows them. */
static int meet_spaces(struct profile *p, struct profile_thread *t, uint64_t time)
{
	struct resolver_spaces now = resolver_spaces(p->session->resolver, t->pid, time);
	uint32_t user = space_id(p->batch, now.user), kernel = space_id(p->batch, now.kernel);

	if (!user || !kernel)
		return -ENOMEM;
	t->round = p->round;
	t->since = now.user.since;
	t->until = now.user.until;
	t->user = user - 1;
	t->kernel = kernel - 1;
	return 0;
}

static inline bool knows_spaces(const struct profile *p, const struct profile_thread *t, uint64_t time)
{
	return t->round == p->round && time >= t->since && time < t->until;
}

static int put(struct profile *p, struct profile_thread *t, const struct sample_layout *l, const struct sample *smp,
	       uint32_t group)
{
	struct batch_sample in = { .layout = l, .sample = smp, .group = group };

	for (;;) {
		if (!knows_spaces(p, t, smp->time) && meet_spaces(p, t, smp->time))
			return -ENOMEM;
		in.user = t->user;
		in.kernel = t->kernel;
		if (batch_put(&p->batch->samples, &in))
			return 0;
		if (hand_over(p))
			return -ENOMEM;
	}
}

/* NAMES_NONE: no memory. */
static uint32_t group_of_sample(struct profile *p, const struct perf_event *ev, const struct sample *smp,
				const char *comm)
{
	struct hist_group g = group_of(p, ev, smp, comm);

	if (p->want.keys & HIST_VALUES && !(g.values = values_of(p->want.values, g.event, smp)))
		return NAMES_NONE;
	return group_id(p, &g, smp->tid);
}

/* A thread that is met for the first time, or not often, or of which something changed. */
static int meet_thread(struct profile *p, struct profile_thread *t, const struct perf_event *ev,
		       const struct sample *smp)
{
	struct resolver *r = p->session->resolver;

	*t = (struct profile_thread){
		.changes = resolver_changes(r), .pid = smp->pid, .tid = smp->tid,
		.comm = smp->tid ? resolver_comm_of(r, smp->pid, smp->tid) : p->swapper,
		.event = (uint32_t)session_event_index(p->session, ev),
		.cpu = p->want.keys & HIST_CPU ? smp->cpu : 0,
		.group = NAMES_NONE,
	};
	t->counts = filter_comm(&p->filter, t->comm);
	if (!t->counts || p->want.keys & HIST_VALUES)
		return 0;
	t->group = group_of_sample(p, ev, smp, t->comm);
	return t->group == NAMES_NONE ? -ENOMEM : 0;
}

/* NULL: no memory. */
static struct profile_thread *thread_of(struct profile *p, const struct perf_event *ev, const struct sample *smp)
{
	uint32_t event = (uint32_t)session_event_index(p->session, ev), cpu = p->want.keys & HIST_CPU ? smp->cpu : 0;
	struct profile_thread *t = &p->threads[(smp->tid ^ event ^ cpu) % PROFILE_RECENT];

	if (t->comm && t->tid == smp->tid && t->pid == smp->pid && t->event == event && t->cpu == cpu &&
	    t->changes == resolver_changes(p->session->resolver))
		return t;
	return meet_thread(p, t, ev, smp) ? NULL : t;
}

static int take_sample(struct profile *p, struct perf_event *ev, const struct sample *smp)
{
	size_t index = session_event_index(p->session, ev);
	struct profile_thread *t;
	struct profile_event *pe;
	uint32_t group;

	if (!filter_sample(&p->filter, smp))
		return 0;
	if (index >= p->events.n && meet_events(p))
		return -ENOMEM;
	pe = &p->events.v[index];
	pe->samples++;
	pe->weight += smp->period;
	pe->with_chain += smp->n_chain > 0;
	t = thread_of(p, ev, smp);
	if (!t)
		return -ENOMEM;
	if (!t->counts) {
		p->filtered++;
		return 0;
	}
	group = t->group != NAMES_NONE ? t->group : group_of_sample(p, ev, smp, t->comm);
	return group == NAMES_NONE ? -ENOMEM : put(p, t, &ev->layout, smp, group);
}

static int take_all(struct profile *p, struct err *e)
{
	struct session_item it;
	int r;

	while ((r = session_next(p->session, &it, e)) == 1)
		if (it.event && take_sample(p, it.event, &it.sample))
			return err_nomem(e);
	return r ? r : flush(p) || meet_events(p) ? err_nomem(e) : 0;
}

/* All samples are in. What follows, rows and chains, is the peak: what only led there goes first. */
static int settle(struct profile *p)
{
	int r;

	batches_deinit(p);
	vec_free(&p->frame_of);
	vec_free(&p->node_of);
	vec_free(&p->depth_of);
	vec_free(&p->by_depth);
	fold_settle(&p->folded);
	frames_settle(&p->frames);
	r = calltree_settle(&p->tree);
	return r ? r : vec_reserve(&p->frames.v, 1);
}

int profile_init(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		 struct err *e)
{
	int r = begin(p, s, w, fw, e);

	if (r)
		return r;
	r = take_all(p, e);
	if (settle(p) && !r)
		r = err_nomem(e);
	if (r)
		profile_deinit(p);
	return r;
}
