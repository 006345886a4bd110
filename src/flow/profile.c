/* profile.c - session to call tree. */
#include "flow/profile.h"

enum { MEMOS = 1 << 14 };

static int begin(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		  struct err *e)
{
	int r;

	*p = (struct profile){ .session = s, .want = *w };
	memset(p->recent_id, 0xff, sizeof(p->recent_id));
	r = filter_init(&p->filter, fw, s, e);
	if (r)
		return r;
	p->memo = calloc(MEMOS, sizeof(*p->memo));
	p->paths = calloc(PROFILE_PATHS, sizeof(*p->paths));
	p->swapper = resolver_comm_of(s->resolver, 0, 0);
	if (!p->memo || !p->paths || calltree_init(&p->tree) || frames_init(&p->frames, s) ||
	    vec_reserve(&p->events, s->file.events.n)) {
		profile_deinit(p);
		return err_nomem(e);
	}
	for (size_t i = 0; i < s->file.events.n; i++)
		vec_add(&p->events);
	return 0;
}

void profile_deinit(struct profile *p)
{
	filter_deinit(&p->filter);
	calltree_deinit(&p->tree);
	frames_deinit(&p->frames);
	vec_free(&p->groups);
	vec_free(&p->events);
	names_deinit(&p->group_ids);
	free(p->memo);
	free(p->paths);
}

struct hist_input profile_input(const struct profile *p)
{
	return (struct hist_input){
		.tree = &p->tree,
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

static struct profile_path *path_of(struct profile *p, uint32_t group)
{
	struct profile_path *path = &p->paths[group % PROFILE_PATHS];

	if (path->group != group)
		path->n = 0;
	path->group = group;
	return path;
}

/* The child of `at` for a frame: as in the chain before as long as the two agree. */
static uint32_t path_step(struct profile *p, struct profile_path *path, uint32_t depth, uint32_t at, uint32_t frame)
{
	if (depth < path->n && path->frame[depth] == frame)
		return path->node[depth];
	path->frame[depth] = frame;
	path->node[depth] = calltree_child(&p->tree, at, frame);
	path->n = path->node[depth] == CALLTREE_NONE ? 0 : depth + 1;
	return path->node[depth];
}

/* The frame that counts as the innermost: the outermost one whose callees do not. n: no memory. */
static size_t first_frame(struct profile *p, const struct sample *smp, const struct chain_frame *f, size_t n)
{
	for (size_t i = n; p->want.ends && i-- > 0; ) {
		uint32_t frame = frames_at(&p->frames, smp->pid, &f[i]);
		const char *sym = frame == NAMES_NONE ? NULL : p->frames.v.v[frame].sym;

		if (frame == NAMES_NONE)
			return n;
		if (sym && rex_match(p->want.ends, sv_from(sym)))
			return i;
	}
	return 0;
}

/* The node of the sample's innermost frame; CALLTREE_NONE: no memory, 0: the names leave it out. */
static uint32_t add_chain(struct profile *p, const struct sample *smp, uint32_t group, const struct chain_frame *f,
			  size_t n)
{
	uint32_t leaf = n ? frames_at(&p->frames, smp->pid, &f[0]) : NAMES_NONE;
	uint32_t at;

	if (leaf == NAMES_NONE)
		return n ? CALLTREE_NONE : 0;
	if (!filter_frame(&p->filter, &p->frames.v.v[leaf]))
		return 0;
	at = calltree_child(&p->tree, 0, group);

	struct profile_path *path = path_of(p, group);
	uint32_t depth = 0;

	for (size_t i = n; i-- > 1 && at != CALLTREE_NONE; ) {
		uint32_t frame = frames_at(&p->frames, smp->pid, &f[i]);

		if (frame == NAMES_NONE)
			return CALLTREE_NONE;
		if (p->filter.want->hide_unresolved && !p->frames.v.v[frame].sym)
			continue;
		at = path_step(p, path, depth++, at, frame);
	}
	return at == CALLTREE_NONE ? at : calltree_child(&p->tree, at, leaf);
}

/*
 * Most chains come again and again. Two that differ are taken for one when 64 bits of hash agree: of a million
 * distinct ones, with a chance of one in ten million.
 */
static uint64_t chain_hash(struct profile *p, const struct sample_layout *l, const struct sample *smp, uint32_t group)
{
	struct resolver *r = p->session->resolver;
	uint64_t user = resolver_generation(r, smp->pid, false), kernel = resolver_generation(r, smp->pid, true);
	uint64_t h = hash_u64((user << 32 | kernel) ^ (uint64_t)group << 48 ^ smp->cpumode) ^ hash_u64(smp->ip + group),
		 n = smp->n_chain;

	for (uint64_t i = 0; i < n; i++) {
		h = (h ^ sample_chain(l, smp, i)) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return hash_u64(h + n);
}

/* The node where the sample ends: remembered, or found by its frames. */
static uint32_t node_of(struct profile *p, const struct perf_event *ev, const struct sample *smp, uint32_t group)
{
	uint64_t hash = chain_hash(p, &ev->layout, smp, group);
	struct profile_memo *m = &p->memo[hash % MEMOS];
	size_t n, max = p->want.chains == PROFILE_FLAT ? 1 : CHAIN_MAX;
	struct chain_frame f[CHAIN_MAX];

	if (m->hash == hash && m->node)
		return m->node;
	if (p->want.max_stack && p->want.max_stack < max)
		max = (size_t)p->want.max_stack;
	n = chain_frames(&ev->layout, smp, f, max);

	size_t first = first_frame(p, smp, f, n);
	uint32_t node = n && first == n ? CALLTREE_NONE : add_chain(p, smp, group, f + first, n - first);

	if (node != CALLTREE_NONE)
		*m = (struct profile_memo){ hash, node };
	return node;
}

static int take_sample(struct profile *p, struct perf_event *ev, const struct sample *smp)
{
	struct profile_event *pe = &p->events.v[session_event_index(p->session, ev)];
	const char *comm;
	struct hist_group g;
	uint32_t group, node;

	if (!filter_sample(&p->filter, smp))
		return 0;
	pe->samples++;
	pe->weight += smp->period;
	pe->with_chain += smp->n_chain > 0;
	comm = smp->tid ? resolver_comm_of(p->session->resolver, smp->pid, smp->tid) : p->swapper;
	if (!filter_comm(&p->filter, comm)) {
		p->filtered++;
		return 0;
	}
	g = group_of(p, ev, smp, comm);
	if (p->want.keys & HIST_VALUES && !(g.values = values_of(p->want.values, g.event, smp->raw)))
		return -ENOMEM;
	group = group_id(p, &g, smp->tid);
	node = group == NAMES_NONE ? CALLTREE_NONE : node_of(p, ev, smp, group);
	if (node == CALLTREE_NONE)
		return -ENOMEM;
	if (!node)
		p->filtered++;
	else
		calltree_add(&p->tree, node, smp->period, 1);
	return 0;
}

static int take_all(struct profile *p, struct err *e)
{
	struct session_item it;
	int r;

	while ((r = session_next(p->session, &it, e)) == 1)
		if (it.event && take_sample(p, it.event, &it.sample))
			return err_nomem(e);
	return r;
}

/* All samples are in. What follows, rows and chains, is the peak: what only led there goes first. */
static void settle(struct profile *p)
{
	free(p->memo);
	free(p->paths);
	p->memo = NULL;
	p->paths = NULL;
	calltree_settle(&p->tree);
	frames_settle(&p->frames);
}

int profile_init(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		 struct err *e)
{
	int r = begin(p, s, w, fw, e);

	if (r)
		return r;
	r = take_all(p, e);
	settle(p);
	if (!r && vec_reserve(&p->frames.v, 1))
		r = err_nomem(e);
	if (r)
		profile_deinit(p);
	return r;
}
