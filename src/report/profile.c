/* profile.c - make a call tree of a session: batches of samples are summed up by threads and merged into the tree. */
#include "report/profile_merge.h"

#include "base/slots.h"
#include "report/touched_keys.h"
#include "source/session_plain.h"
#include "sys/jobs.h"

enum {
	BATCH_MAX = 1 << 19,      /* bytes of samples in a batch */
	BATCH_PART = 64,          /* a batch may have 1/64 of the memory budget */
	/* Peak memory of a node and a frame, which is reached while rows and their chains are made. */
	NODE_BYTES = 160,
	FRAME_BYTES = 240,
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
	vec_free(&b->frame);
	vec_free(&b->lists);
	batch_deinit(&b->samples);
}

/* Number, + 1, of an address space that is not in the cache `recent`; 0: no memory. */
static uint32_t space_new(struct profile_batch *b, struct resolver_space s)
{
	bool is_new = true;
	/* Without a generation equal spaces are not recognised: each is added as a new one. */
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

/* --- batches ------------------------------------------------------------------------------------------------- */

static size_t max_frames(const struct profile_want *w)
{
	if (w->chains == PROFILE_FLAT)
		return 1;
	return w->max_stack && w->max_stack < CHAIN_MAX ? (size_t)w->max_stack : CHAIN_MAX;
}

/* Allocate a batch, and fill it next. */
static int batch_new(struct profile *p)
{
	size_t bytes = (size_t)MIN(p->want.budget.memory / BATCH_PART, (uint64_t)BATCH_MAX);

	p->round++;
	p->batch = &p->batches[p->n_batches];
	if (vec_reserve(&p->added, p->n_batches + 1) || vec_reserve(&p->idle, p->n_batches + 1) ||
	    batch_room(p->batch, bytes, max_frames(&p->want)))
		return -ENOMEM;
	p->batch->of = p;
	p->batch->samples.nowhere = p->nowhere;
	p->n_batches++;
	return 0;
}

static int batches_init(struct profile *p)
{
	p->batches = calloc(JOBS_MAX + 1, sizeof(*p->batches));
	return p->batches ? batch_new(p) : -ENOMEM;
}

/* Free the batches; samples not merged yet are dropped. */
static void batches_deinit(struct profile *p)
{
	while (p->given && jobs_take(p->jobs))
		p->given--;
	jobs_free(p->jobs);
	while (p->n_batches)
		batch_end(&p->batches[--p->n_batches]);
	free(p->batches);
	vec_free(&p->added);
	vec_free(&p->idle);
	p->jobs = NULL;
	p->batches = NULL;
}

/* --- the profile --------------------------------------------------------------------------------------------- */

static bool same_touch(const struct hist_frame *x, const struct hist_frame *y, unsigned keys)
{
	for (unsigned i = 0; keys & HIST_TOUCH_KEYS && i < HIST_TOUCH_TEXTS; i++)
		if (keys & HIST_TYPE << i && hist_touched(x, i) != hist_touched(y, i))
			return false;
	return true;
}

/* Do two frames belong to the same row, by the keys of the rows? */
static bool same_row(const void *arg, uint32_t a, uint32_t b)
{
	const struct profile *p = arg;
	const struct hist_frame *x = &p->frames.v.v[a], *y = &p->frames.v.v[b];

	if (p->want.rows & HIST_SYM)
		return a == b;
	return (!(p->want.rows & HIST_DSO) || x->dso == y->dso) &&
	       (!(p->want.rows & HIST_LINE) || x->line == y->line) &&
	       (!(p->want.rows & HIST_FILE) || x->file == y->file) && same_touch(x, y, p->want.rows);
}

static bool is_inlined(const void *arg, uint32_t frame)
{
	const struct profile *p = arg;

	return p->frames.v.v[frame].inlined;
}

/* Events of a live trace are added as they occur. */
static int meet_events(struct profile *p)
{
	while (p->events.n < p->session->head->events.n)
		if (!vec_add(&p->events))
			return -ENOMEM;
	return 0;
}

/* Does a sample's group depend on its CPU? */
static bool by_cpu(const struct profile *p)
{
	return p->want.keys & (HIST_CPU | HIST_SOCKET) || p->want.by_socket;
}

static int tell_by_touch(struct profile *p)
{
	unsigned keys = p->want.rows & HIST_TOUCH_KEYS;

	if (!keys)
		return 0;
	p->touched = touched_keys_new(p->session, keys);
	if (!p->touched)
		return -ENOMEM;
	p->frames.touch = (struct frames_touch){ touched_keys_of, p->touched };
	return 0;
}

int profile_begin(struct profile *p, struct session *s, const struct profile_want *w, const struct filter_want *fw,
		  struct err *e)
{
	int r;

	*p = (struct profile){ .session = s, .want = *w };
	p->folded = (struct fold){ .same = same_row, .inlined = is_inlined, .arg = p };
	memset(p->recent_id, 0xff, sizeof(p->recent_id));
	r = filter_init(&p->filter, fw, s, e);
	p->nowhere = w->nowhere && !p->filter.by_name && !w->ends;
	if (r)
		return r;
	p->most_nodes = (size_t)(w->budget.memory / 2 / NODE_BYTES);
	p->most_frames = (size_t)(w->budget.memory / 2 / FRAME_BYTES);
	p->swapper = resolver_comm_of(s->resolver, 0, 0);
	if (by_cpu(p) && topology_read(&p->places, s->head))
		r = -ENOMEM;
	if (r || batches_init(p) || calltree_init(&p->tree) || frames_init(&p->frames, s) || meet_events(p)) {
		profile_deinit(p);
		return err_nomem(e);
	}
	p->frames.inlines = w->inlines && w->chains == PROFILE_CHAINS;
	p->frames.lines = w->rows & (HIST_LINE | HIST_FILE);
	if (tell_by_touch(p)) {
		profile_deinit(p);
		return err_nomem(e);
	}
	/* Parallelism depends on earlier switches, so it needs the order of time. */
	if (!(w->keys & HIST_PARALLELISM))
		session_unordered(s);
	if (w->budget.jobs > 1 && !p->nowhere)
		session_ahead(s, true);
	return 0;
}

void profile_deinit(struct profile *p)
{
	/* First, since a thread may still be merging. */
	batches_deinit(p);
	filter_deinit(&p->filter);
	calltree_deinit(&p->tree);
	fold_deinit(&p->folded);
	frames_deinit(&p->frames);
	touched_keys_free(p->touched);
	vec_free(&p->groups);
	vec_free(&p->events);
	vec_free(&p->old);
	vec_free(&p->node_of);
	vec_free(&p->depth_of);
	vec_free(&p->by_depth);
	names_deinit(&p->group_ids);
	running_deinit(&p->running);
	cpu_places_deinit(&p->places);
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
	       a->cpu == b->cpu && a->socket == b->socket && a->parallelism == b->parallelism &&
	       a->space == b->space && a->values == b->values;
}

uint32_t profile_group(struct profile *p, const struct hist_group *g)
{
	struct { uint64_t comm, event_cpu, pid_tid, values, parent, socket_parallelism; } key = {
		(uint64_t)(uintptr_t)g->comm, (uint64_t)g->space << 60 | (uint64_t)g->event << 32 | g->cpu,
		(uint64_t)g->pid << 32 | g->tid,
		(uint64_t)(uintptr_t)g->values, (uint64_t)(uintptr_t)g->parent,
		(uint64_t)(uint32_t)g->socket << 32 | g->parallelism,
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

/* Index of the sample's group, with a cache for the last threads. */
static uint32_t group_id(struct profile *p, const struct hist_group *g, uint32_t tid)
{
	uint64_t values = g->values ? hash_u64((uintptr_t)g->values) : 0;
	size_t i = (tid ^ g->cpu ^ (uint32_t)g->socket ^ g->event ^ g->parallelism ^ (uint32_t)g->space ^ values) %
		   PROFILE_RECENT;

	if (p->recent_id[i] == NAMES_NONE || !same(g, &p->recent[i])) {
		p->recent_id[i] = profile_group(p, g);
		p->recent[i] = *g;
	}
	return p->recent_id[i];
}

static int32_t socket_of(const struct profile *p, uint32_t cpu)
{
	return cpu < p->places.v.n ? (int32_t)p->places.v.v[cpu].socket : -1;
}

static enum hist_space space_of(const struct sample *smp)
{
	static const uint8_t spaces[] = {
		[PERF_MISC_KERNEL] = HIST_KERNEL, [PERF_MISC_USER] = HIST_USER,
		[PERF_MISC_GUEST_KERNEL] = HIST_GUEST_KERNEL, [PERF_MISC_GUEST_USER] = HIST_GUEST_USER,
		[0] = HIST_ELSEWHERE, [PERF_MISC_HYPERVISOR] = HIST_ELSEWHERE,
	};

	return smp->cpumode < ARRAY_SIZE(spaces) ? (enum hist_space)spaces[smp->cpumode] : HIST_ELSEWHERE;
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
		.socket = keys & HIST_SOCKET ? socket_of(p, smp->cpu) : 0,
		.parallelism = keys & HIST_PARALLELISM ? running_count(&p->running) : 0,
		.space = keys & HIST_SPACE ? space_of(smp) : HIST_KERNEL,
	};
}

/* Runs in any thread; only one at a time merges. */
static void run_step(void *piece)
{
	struct profile_batch *b = piece;

	if (b->step == PROFILE_ADD_UP)
		batch_run(&b->samples);
	else
		b->failed = profile_merge(b->of, b);
}

/* Nodes were renumbered: the old sums are lost until the next profile_gather(). */
static void forget_old(struct profile *p)
{
	p->old.n = 0;
	for (size_t i = 0; i < p->events.n; i++) {
		p->events.v[i].old_samples = p->events.v[i].old_weight = 0;
		p->events.v[i].old_latency = 0;
	}
}

/* Fold to half of the allowed nodes and frames, as far as they can be folded. */
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
	forget_old(p);
	/* If little could be folded, raise the limits, so that it is not tried again and again. */
	p->most_nodes = MAX(p->most_nodes, p->tree.nodes.n / 2 * 3);
	p->most_frames = MAX(p->most_frames, p->frames.v.n / 2 * 3);
	return r;
}

/* Resolve the batch's places; after that its address spaces are not needed any more. */
static int find_frames(struct profile *p, struct profile_batch *b)
{
	int r = profile_find_frames(p, b);

	drop_spaces(b);
	return r;
}

/* The batch was merged: make it free for reuse. */
static int merged(struct profile *p, struct profile_batch *b)
{
	p->filtered += b->filtered;
	b->filtered = 0;
	batch_clear(&b->samples);
	drop_spaces(b);
	p->idle.v[p->idle.n++] = b;
	return b->failed;
}

/* Merge in this thread; then fold if there are too many nodes or frames. */
static int merge(struct profile *p, struct profile_batch *b)
{
	int r;

	b->failed = profile_merge(p, b);
	r = merged(p, b);
	return r || (p->tree.nodes.n <= p->most_nodes && p->frames.v.n <= p->most_frames) ? r : fold(p);
}

static void give(struct profile *p, struct profile_batch *b, enum profile_step step)
{
	b->step = step;
	p->merging |= step == PROFILE_MERGE;
	jobs_give(p->jobs, b);
	p->given++;
}

/* Wait for the oldest batch given to a thread. */
static int take_back(struct profile *p)
{
	struct profile_batch *b = jobs_take(p->jobs);

	p->given--;
	if (b->step == PROFILE_MERGE) {
		p->merging = false;
		return merged(p, b);
	}
	p->added.v[p->added.n++] = b;
	return b->samples.failed ? -ENOMEM : 0;
}

/* Is it certain that merging b exceeds no limit? Then nothing is folded: the next batch can be resolved meanwhile. */
static bool fits(const struct profile *p, const struct profile_batch *b)
{
	size_t most = b->samples.tree.nodes.n * SYM_SPOTS_MAX;

	return p->tree.nodes.n + most <= p->most_nodes && p->frames.v.n <= p->most_frames;
}

/*
 * Pass the oldest summed-up batch on to merging. Its places are resolved in this thread, while another one merges the
 * batch before it: the resolver is not for several threads.
 */
static int pass_on(struct profile *p)
{
	struct profile_batch *b = p->added.v[0];
	int r = profile_by_name(p) ? 0 : find_frames(p, b);

	memmove(p->added.v, p->added.v + 1, --p->added.n * sizeof(*p->added.v));
	while (!r && p->merging)
		r = take_back(p);
	if (r)
		return r;
	if (jobs_room(p->jobs) == 1 || profile_by_name(p) || !fits(p, b))
		return merge(p, b);
	give(p, b, PROFILE_MERGE);
	return 0;
}

/* The batch is full: give it to a thread and fill another one. */
static int hand_over(struct profile *p)
{
	int r = 0;

	if (!p->jobs)
		p->jobs = jobs_new(p->want.budget.jobs, run_step);
	if (!p->jobs)
		return -ENOMEM;
	give(p, p->batch, PROFILE_ADD_UP);
	if (p->n_batches < jobs_room(p->jobs))
		return batch_new(p);
	while (!r && !p->idle.n)
		r = p->added.n ? pass_on(p) : take_back(p);
	if (r)
		return r;
	p->round++;
	p->batch = p->idle.v[--p->idle.n];
	return 0;
}

static int flush(struct profile *p)
{
	int r = 0;

	/* A recording that fits into one batch needs no threads. */
	if (!p->jobs) {
		batch_run(&p->batch->samples);
		if (p->batch->samples.failed || (!profile_by_name(p) && find_frames(p, p->batch)))
			return -ENOMEM;
		return merge(p, p->batch);
	}
	give(p, p->batch, PROFILE_ADD_UP);
	while (!r && (p->added.n || p->given))
		r = p->added.n ? pass_on(p) : take_back(p);
	return r;
}

static int note_old(struct profile *p)
{
	const struct calltree *t = &p->tree;

	p->old.n = 0;
	if (vec_reserve(&p->old, t->nodes.n))
		return -ENOMEM;
	for (; p->old.n < t->nodes.n; p->old.n++)
		p->old.v[p->old.n] = (struct profile_old){ t->nodes.v[p->old.n].self, t->nodes.v[p->old.n].samples };
	for (size_t i = 0; i < p->events.n; i++) {
		p->events.v[i].old_samples = p->events.v[i].samples;
		p->events.v[i].old_weight = p->events.v[i].weight;
		p->events.v[i].old_latency = p->events.v[i].latency;
	}
	return 0;
}

int profile_gather(struct profile *p)
{
	int r = flush(p);

	if (r)
		return r;
	p->round++;
	p->batch = p->idle.v[--p->idle.n];
	return note_old(p) ? -ENOMEM : meet_events(p);
}

/* Set the numbers of the thread's address spaces in the current batch. */
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

static int put(struct profile *p, struct profile_thread *t, const struct perf_event *ev, const struct sample *smp,
	       uint64_t weight, uint32_t group)
{
	struct batch_sample in = { .layout = &ev->layout, .sample = smp, .weight = weight, .group = group };

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

/* The sample's group, with these values of keys. NAMES_NONE: no memory. */
static uint32_t group_with(struct profile *p, const struct perf_event *ev, const struct sample *smp, const char *comm,
			   const char *values)
{
	struct hist_group g = group_of(p, ev, smp, comm);

	g.values = values;
	return group_id(p, &g, smp->tid);
}

/* The same through a cache by values. */
static uint32_t group_with_values(struct profile *p, const struct profile_thread *t, const struct perf_event *ev,
				  const struct sample *smp, const char *values)
{
	const unsigned by_thread = HIST_COMM | HIST_PID | HIST_TID | HIST_CPU | HIST_SOCKET;
	uint64_t of = p->want.keys & by_thread ? t->met : t->event;
	uint32_t hash = slots_hash((uint64_t)(uintptr_t)values ^ of << 32), group;
	struct profile_valued *v = &p->valued[hash % PROFILE_VALUED & ~1u];

	for (unsigned i = 0; i < 2; i++)
		if (v[i].values == values && v[i].of == of)
			return v[i].group;
	group = group_with(p, ev, smp, t->comm, values);
	if (group != NAMES_NONE) {
		v[1] = v[0];
		v[0] = (struct profile_valued){ values, of, group };
	}
	return group;
}

/* The group of a sample whose thread has several groups. NAMES_NONE: no memory. */
static uint32_t group_of_sample(struct profile *p, const struct profile_thread *t, const struct perf_event *ev,
				const struct sample *smp)
{
	const char *values;

	if (!(p->want.keys & HIST_VALUES))
		return group_with(p, ev, smp, t->comm, NULL);
	values = values_of(p->want.values, t->event, smp);
	if (!values)
		return NAMES_NONE;
	if (p->want.keys & HIST_PARALLELISM)
		return group_with(p, ev, smp, t->comm, values);
	return group_with_values(p, t, ev, smp, values);
}

/* Fill the cache entry of a thread that is new, was evicted, or has changed. */
static int meet_thread(struct profile *p, struct profile_thread *t, const struct perf_event *ev,
		       const struct sample *smp)
{
	struct resolver *r = p->session->resolver;

	*t = (struct profile_thread){
		.met = ++p->met, .changes = resolver_changes(r), .pid = smp->pid, .tid = smp->tid,
		.comm = smp->tid ? resolver_comm_of(r, smp->pid, smp->tid) : p->swapper,
		.event = (uint32_t)session_event_index(p->session, ev),
		.cpu = by_cpu(p) ? smp->cpu : 0,
		.group = NAMES_NONE,
	};
	t->counts = filter_comm(&p->filter, t->comm) &&
		    (!p->want.by_socket || socket_of(p, smp->cpu) == p->want.socket);
	if (!t->counts || p->want.keys & (HIST_VALUES | HIST_PARALLELISM | HIST_SPACE))
		return 0;
	t->group = group_with(p, ev, smp, t->comm, NULL);
	return t->group == NAMES_NONE ? -ENOMEM : 0;
}

/* NULL: no memory. */
static struct profile_thread *thread_of(struct profile *p, const struct perf_event *ev, const struct sample *smp)
{
	uint32_t event = (uint32_t)session_event_index(p->session, ev), cpu = by_cpu(p) ? smp->cpu : 0;
	uint32_t hash = slots_hash(smp->tid ^ (uint64_t)event << 24 ^ (uint64_t)cpu << 12);
	struct profile_thread *t = &p->threads[hash % PROFILE_RECENT & ~1u];
	uint64_t changes = resolver_changes(p->session->resolver);

	for (unsigned i = 0; i < 2; i++)
		if (t[i].comm && t[i].tid == smp->tid && t[i].pid == smp->pid && t[i].event == event &&
		    t[i].cpu == cpu && t[i].changes == changes)
			return &t[i];
	t[1] = t[0];
	return meet_thread(p, t, ev, smp) ? NULL : t;
}

static int take_sample(struct profile *p, const struct perf_event *ev, const struct sample *smp, uint64_t weight)
{
	size_t index = session_event_index(p->session, ev);
	struct profile_thread *t;
	struct profile_event *pe;
	uint32_t group;

	if (p->want.keys & HIST_PARALLELISM && running_comes(&p->running, smp->cpu, smp->tid))
		return -ENOMEM;
	if (!filter_sample(&p->filter, smp))
		return 0;
	if (index >= p->events.n && meet_events(p))
		return -ENOMEM;
	pe = &p->events.v[index];
	pe->samples++;
	pe->weight += weight;
	if (p->want.keys & HIST_PARALLELISM)
		pe->latency += (double)weight / (double)running_count(&p->running);
	pe->with_chain += smp->n_chain > 0;
	t = thread_of(p, ev, smp);
	if (!t)
		return -ENOMEM;
	if (!t->counts) {
		p->filtered++;
		return 0;
	}
	group = t->group != NAMES_NONE ? t->group : group_of_sample(p, t, ev, smp);
	return group == NAMES_NONE ? -ENOMEM : put(p, t, ev, smp, weight, group);
}

int profile_take(struct profile *p, const struct perf_event *ev, const struct sample *smp)
{
	uint64_t weight = p->want.by_weight ? sample_weight(&ev->layout, smp) : smp->period;

	/* A weight of 0 counts as 1, as in perf. */
	return take_sample(p, ev, smp, p->want.by_weight && !weight ? 1 : weight);
}

int profile_follow(struct profile *p, const struct session_item *it)
{
	const struct perf_record *rec = &it->record;

	if (!(p->want.keys & HIST_PARALLELISM))
		return 0;
	p->by_cpus |= rec->type == PERF_REC_SWITCH_CPU_WIDE;
	/* With SWITCH_CPU_WIDE the task's last switch follows its EXIT; events of single tasks end with EXIT. */
	if (rec->type == PERF_REC_EXIT && !p->by_cpus)
		return running_goes(&p->running, it->sample.cpu, it->side.tid);
	if (rec->type != PERF_REC_SWITCH && rec->type != PERF_REC_SWITCH_CPU_WIDE)
		return 0;
	return (rec->misc & PERF_MISC_SWITCH_OUT ? running_goes : running_comes)(&p->running, it->sample.cpu,
										 it->sample.tid);
}

static int take_all(struct profile *p, struct err *e)
{
	struct session_item it;
	uint64_t plain = 0;
	int r;

	while ((r = session_next_fast(p->session, &it, &plain, e)) == 1)
		if (it.event ? profile_take(p, it.event, &it.sample) : profile_follow(p, &it))
			return err_nomem(e);
	return r ? r : flush(p) || meet_events(p) ? err_nomem(e) : 0;
}

/* All samples are in the tree. Making rows and chains needs the most memory: free all that is not needed any more. */
static int settle(struct profile *p)
{
	int r;

	batches_deinit(p);
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
	int r = profile_begin(p, s, w, fw, e);

	if (r)
		return r;
	r = take_all(p, e);
	if (settle(p) && !r)
		r = err_nomem(e);
	if (r)
		profile_deinit(p);
	return r;
}
