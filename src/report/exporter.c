/* exporter.c - number the threads, chains and functions of samples, and feed a format's writer. */
#include "report/exporter.h"

#include "perf/attr.h"

enum { PROGRESS = 1 << 14 };

/* --- before the first sample --------------------------------------------------------------------------------- */

static bool counts_ns(const struct session *s, size_t i)
{
	const struct perf_attr *a = &s->head->events.v[i].attr;

	return i == s->timed || (a->type == PERF_SOFTWARE && a->config <= PERF_SW_TASK_CLOCK);
}

static bool is_wanted(const struct exporter *p, const struct perf_event *ev)
{
	return p->want.event ? !strcmp(p->want.event, ev->label) : !attr_is_dummy(&ev->attr);
}

static int add_events(struct exporter *p, struct err *e)
{
	const struct perf_head *h = p->session->head;
	struct nearest near;
	char text[160];

	p->event_of = calloc(h->events.n, sizeof(*p->event_of));
	if (!p->event_of)
		return err_nomem(e);
	nearest_init(&near, sv_from(p->want.event ? p->want.event : ""));
	for (size_t i = 0; i < h->events.n; i++) {
		const struct perf_event *ev = &h->events.v[i];
		struct export_event *new;

		nearest_feed(&near, ev->label);
		p->event_of[i] = NAMES_NONE;
		if (!is_wanted(p, ev))
			continue;
		new = vec_add(&p->events);
		if (!new)
			return err_nomem(e);
		*new = (struct export_event){
			.name = ev->label, .unit = counts_ns(p->session, i) ? "nanoseconds" : "count",
			.period = ev->attr.flags & PERF_ATTR_FREQ ? 0 : ev->attr.sample_period,
			.counted = !(ev->attr.flags & PERF_ATTR_FREQ) && !ev->attr.sample_period,
			.text = ev->attr.type == PERF_TRACEPOINT && i != p->session->timed,
		};
		p->event_of[i] = (uint32_t)p->events.n - 1;
	}
	if (p->events.n)
		return 0;
	if (!p->want.event)
		return err_set(e, ENODATA, "%s has no events", p->session->path);
	return err_set(e, ENOENT, "%s has no event '%s'%s", p->session->path, p->want.event,
		       nearest_text(&near, text, sizeof(text)));
}

/* CLOCK_DATA: u32 version, u32 clockid, u64 ns since 1970, u64 ns of that clock. */
static void set_clock(struct exporter *p)
{
	struct export_about *a = &p->x.about;
	struct cursor c = perf_head_feature(p->session->head, PERF_FEAT_CLOCK_DATA);
	uint64_t wall, clock;

	cur_skip(&c, 2 * sizeof(uint32_t));
	wall = cur_u64(&c);
	clock = cur_u64(&c);
	if (c.bad)
		return;
	a->wall = wall;
	a->clock = clock;
}

static void set_about(struct exporter *p)
{
	const struct perf_head *h = p->session->head;
	const struct exporter_want *w = &p->want;

	p->x.about = (struct export_about){
		.path = w->path, .version = w->version, .hostname = h->hostname, .release = h->release, .arch = h->arch,
		.cpudesc = h->cpudesc, .cmdline = h->cmdline.v, .n_cmdline = h->cmdline.n, .event = w->event,
		.timed = p->session->timed < h->events.n ? p->event_of[p->session->timed] : NAMES_NONE,
		.weigh = w->weigh, .memory = w->memory, .trace = p->session->trace, .to = w->to,
	};
	set_clock(p);
}

static int begin(struct exporter *p, struct err *e)
{
	const struct export_format *f = p->want.format;
	int r = add_events(p, e);

	if (r)
		return r;
	set_about(p);
	p->x.own = calloc(1, f->own);
	if (!p->x.own || frames_init(&p->frames, p->session) || calltree_init(&p->stacks))
		return err_nomem(e);
	p->frames.exact = f->needs & EXPORT_PLACES;
	p->frames.inlines = p->want.inlines;
	if (p->want.code && hits_init(&p->hits, 1, p->session->arch))
		return err_nomem(e);
	r = filter_init(&p->filter, p->want.filter, p->session, e);
	return r ? r : f->begin && f->begin(&p->x) ? err_nomem(e) : 0;
}

/* --- modules and functions ----------------------------------------------------------------------------------- */

static void set_build_id(struct exporter *p, struct export_module *m)
{
	const struct perf_head *h = p->session->head;
	uint32_t told = names_find(&p->id_names, m->path, strlen(m->path));

	if (told < p->ids.n)
		m->id = p->ids.v[told];
	for (size_t i = 0; i < h->build_ids.n && !m->id.size; i++)
		if (!strcmp(h->build_ids.v[i].name, m->path))
			m->id = build_id_from(h->build_ids.v[i].id, h->build_ids.v[i].size);
}

static uint32_t module_of(struct exporter *p, const struct hist_frame *f)
{
	uint32_t id = names_add(&p->module_names, f->dso, strlen(f->dso));
	struct export_module *m;

	if (id == NAMES_NONE || id < p->modules.n)
		return id;
	m = vec_add(&p->modules);
	if (!m)
		return NAMES_NONE;
	*m = (struct export_module){ .path = f->dso, .name = f->dso_short, .kernel = f->kernel };
	set_build_id(p, m);
	return id;
}

/* Names of symbols and files are interned, so the key consists of pointers. */
static uint32_t func_of(struct exporter *p, uint32_t frame)
{
	const struct hist_frame *f = &p->frames.v.v[frame];
	struct { const char *sym, *dso; uint64_t addr; } key = { f->sym, f->dso, f->sym ? 0 : f->addr };
	uint32_t id = names_add(&p->func_keys, (const char *)&key, sizeof(key));
	struct export_func *new;

	if (id == NAMES_NONE || id < p->funcs.n)
		return id;
	new = vec_add(&p->funcs);
	if (!new)
		return NAMES_NONE;
	*new = (struct export_func){ .module = module_of(p, f), .known = f->sym };
	/* Without the label's "(inlined)": formats have their own way to mark it, or none. */
	new->name = f->inlined ? f->sym : frames_label(&p->frames, frame);
	return new->module == NAMES_NONE ? NAMES_NONE : id;
}

static int add_frames(struct exporter *p)
{
	while (p->func_of.n < p->frames.v.n) {
		uint32_t func = func_of(p, (uint32_t)p->func_of.n);
		uint32_t *new = func == NAMES_NONE ? NULL : vec_add(&p->func_of);

		if (!new)
			return -ENOMEM;
		*new = func;
	}
	return 0;
}

/* --- a sample ------------------------------------------------------------------------------------------------ */

static uint32_t thread_new(struct exporter *p, const struct sample *s, const char *comm)
{
	struct { const char *comm; uint32_t pid, tid; } key = { comm, s->pid, s->tid };
	uint32_t id = names_add(&p->thread_keys, (const char *)&key, sizeof(key));
	struct export_thread *t;

	if (id == NAMES_NONE || id < p->threads.n)
		return id;
	t = vec_add(&p->threads);
	if (!t)
		return NAMES_NONE;
	*t = (struct export_thread){
		.pid = s->pid, .tid = s->tid, .comm = comm, .first = s->time, .last = s->time,
		.process = resolver_comm_of(p->session->resolver, s->pid, s->pid),
	};
	return id;
}

static uint32_t thread_of(struct exporter *p, const struct sample *s, const char *comm)
{
	struct exporter_thread *t = &p->recent[s->tid % EXPORTER_RECENT];
	uint32_t id;

	if (t->thread && t->tid == s->tid && t->comm == comm && p->threads.v[t->thread - 1].pid == s->pid)
		return t->thread - 1;
	id = thread_new(p, s, comm);
	if (id != NAMES_NONE)
		*t = (struct exporter_thread){ .tid = s->tid, .comm = comm, .thread = id + 1 };
	return id;
}

static uint32_t lane_of(struct exporter *p, uint32_t event, uint32_t thread)
{
	bool is_new;
	uint64_t *at = map_add(&p->lane_of, (uint64_t)event << 32 | thread, &is_new);
	struct export_lane *new;

	if (!at || !is_new)
		return at ? (uint32_t)*at : NAMES_NONE;
	new = vec_add(&p->lanes);
	if (!new)
		return NAMES_NONE;
	*at = p->lanes.n - 1;
	*new = (struct export_lane){ .event = event, .thread = thread };
	return (uint32_t)*at;
}

/* Extend a chain by one address, which may have several frames; CALLTREE_NONE: no memory. */
static uint32_t below(struct exporter *p, uint32_t stack, uint32_t at)
{
	uint32_t of[SYM_SPOTS_MAX];
	size_t n = frames_of(&p->frames, at, of);

	for (size_t i = 0; i < n && stack != CALLTREE_NONE; i++)
		stack = calltree_child(&p->stacks, stack, of[i]);
	return stack;
}

/* 1: *stack is the sample's chain; 0: filtered out by name; -ENOMEM. */
static int stack_of(struct exporter *p, const struct perf_event *ev, const struct sample *s, uint32_t *stack)
{
	struct chain_frame f[CHAIN_MAX];
	size_t max = p->want.max_stack ? (size_t)MIN(p->want.max_stack, (uint64_t)CHAIN_MAX) : CHAIN_MAX;
	size_t n = sample_frames(&ev->layout, s, f, max);
	struct resolver_spaces in = resolver_spaces(p->session->resolver, s->pid, s->time);
	uint32_t at = 0;

	*stack = 0;
	for (size_t i = n; i-- > 0; ) {
		at = frames_at(&p->frames, &in, &f[i]);
		*stack = at == NAMES_NONE ? CALLTREE_NONE : below(p, *stack, at);
		if (*stack == CALLTREE_NONE)
			return -ENOMEM;
	}
	if (add_frames(p) || (n && p->want.code && exporter_code_take(p, &in, &f[0])))
		return -ENOMEM;
	return !n || filter_frame(&p->filter, &p->frames.v.v[frames_outer(&p->frames, at)]);
}

static uint64_t field(const struct tevent *ev, unsigned number, const struct sample *s)
{
	return tfmt_value(ev->field[number], s->raw.p, s->raw.n);
}

/* prev_state of sched_switch is a mask of task states; 0: still runnable. */
static enum export_state state_of(uint64_t bits)
{
	enum { INTERRUPTIBLE = 1, UNINTERRUPTIBLE = 2, STOPPED = 4 | 8, DEAD = 0x10 | 0x20 };

	return bits & INTERRUPTIBLE ? EXPORT_SLEEPING : bits & STOPPED ? EXPORT_STOPPED :
	       bits & DEAD ? EXPORT_DEAD : (bits & UNINTERRUPTIBLE) || (bits & 0xff) ? EXPORT_WAITING : EXPORT_RUNNABLE;
}

static bool sched_of(const struct tevent *ev, const struct sample *s, struct export_sched *to)
{
	*to = (struct export_sched){ .cpu = s->cpu };
	if (ev->kind == KIND_SCHED_SWITCH) {
		to->is_switch = true;
		to->prev = (struct export_task){
			(uint32_t)field(ev, SWITCH_PREV_PID, s), (uint32_t)field(ev, SWITCH_PREV_PRIO, s),
			tfmt_str(ev->field[SWITCH_PREV_COMM], s->raw.p, s->raw.n),
		};
		to->next = (struct export_task){
			(uint32_t)field(ev, SWITCH_NEXT_PID, s), (uint32_t)field(ev, SWITCH_NEXT_PRIO, s),
			tfmt_str(ev->field[SWITCH_NEXT_COMM], s->raw.p, s->raw.n),
		};
		to->state = state_of(field(ev, SWITCH_PREV_STATE, s));
		return true;
	}
	if (ev->kind != KIND_SCHED_WAKEUP && ev->kind != KIND_SCHED_WAKEUP_NEW && ev->kind != KIND_SCHED_WAKING)
		return false;
	to->next = (struct export_task){
		(uint32_t)field(ev, WAKEUP_PID, s), (uint32_t)field(ev, WAKEUP_PRIO, s),
		tfmt_str(ev->field[WAKEUP_COMM], s->raw.p, s->raw.n),
	};
	to->cpu = (uint32_t)field(ev, WAKEUP_TARGET_CPU, s);
	return true;
}

/* Does the event of this kernel have the fields that sched_of() reads? */
static bool is_whole(const struct tevent *ev)
{
	if (ev->kind == KIND_SCHED_SWITCH)
		return ev->field[SWITCH_PREV_COMM] && ev->field[SWITCH_NEXT_COMM];
	return ev->kind >= KIND_SCHED_WAKEUP && ev->kind <= KIND_SCHED_WAKING && ev->field[WAKEUP_COMM];
}

/* Add the contents of a tracepoint to the sample: a scheduler event, or its text. */
static int tell(struct exporter *p, const struct sample *s, struct export_sample *x, struct export_sched *sched)
{
	struct tevent *ev = tevents_of(p->session->trace, s->raw.p, s->raw.n);
	struct tprint_names names = session_names(p->session);
	const struct tprint *print;

	if (!ev)
		return 0;
	if (is_whole(ev) && sched_of(ev, s, sched)) {
		x->sched = sched;
		return 0;
	}
	print = tevents_print(p->session->trace, ev);
	if (!print)
		return -ENOMEM;
	p->text.n = 0;
	tprint_record(print, &names, s->raw.p, s->raw.n, &p->text.out);
	mem_out_str(&p->text);
	x->text = (struct sv){ p->text.v, p->text.n };
	return p->text.out.error;
}

static void give_fields(const struct exporter *p, const struct sample *s, struct export_sample *x)
{
	const struct tevent *ev = tevents_of(p->session->trace, s->raw.p, s->raw.n);

	x->fields = ev ? &ev->fmt : NULL;
	x->raw = (struct traw){ s->raw.p, s->raw.n };
}

static void give_meaning(const struct exporter *p, const struct sample *s, struct export_sample *x)
{
	x->tracepoint = tevents_of(p->session->trace, s->raw.p, s->raw.n);
	x->raw = (struct traw){ s->raw.p, s->raw.n };
}

static void refresh(struct exporter *p)
{
	p->x.t = (struct export_tables){
		.frames = p->frames.v.v, .func_of = p->func_of.v, .funcs = p->funcs.v, .modules = p->modules.v,
		.stacks = &p->stacks, .threads = p->threads.v, .events = p->events.v, .lanes = p->lanes.v,
		.n_frames = p->func_of.n, .n_funcs = p->funcs.n, .n_modules = p->modules.n, .n_threads = p->threads.n,
		.n_events = p->events.n, .n_lanes = p->lanes.n,
	};
}

static void count(struct exporter *p, const struct export_sample *x)
{
	struct export_lane *l = &p->lanes.v[x->lane];
	struct export_event *ev = &p->events.v[x->event];
	struct export_thread *t = &p->threads.v[x->thread];

	l->samples++;
	l->weight += x->weight;
	ev->samples++;
	ev->weight += x->weight;
	t->last = MAX(t->last, x->time);
	if (++p->samples % PROGRESS == 0 && p->want.progress)
		p->want.progress(p->want.arg, p->samples);
}

static uint64_t lost_so_far(const struct session *s)
{
	return s->stats.lost + s->stats.lost_samples + s->source->stats.lost + s->source->stats.gaps;
}

static int take(struct exporter *p, const struct perf_event *ev, const struct sample *s)
{
	struct export_sample x = {
		.event = p->event_of[session_event_index(p->session, ev)], .time = s->time, .weight = s->period,
		.cpu = s->cpu, .kernel = s->cpumode == PERF_MISC_KERNEL || s->cpumode == PERF_MISC_GUEST_KERNEL,
	};
	struct export_sched sched;
	const char *comm;
	int r;

	if (x.event == NAMES_NONE || !filter_sample(&p->filter, s))
		return 0;
	comm = resolver_comm_of(p->session->resolver, s->pid, s->tid);
	if (!filter_comm(&p->filter, comm))
		return 0;
	r = stack_of(p, ev, s, &x.stack);
	if (r != 1)
		return r;
	x.thread = thread_of(p, s, comm);
	x.lane = x.thread == NAMES_NONE ? NAMES_NONE : lane_of(p, x.event, x.thread);
	if (x.lane == NAMES_NONE)
		return -ENOMEM;
	if (p->want.format->needs & EXPORT_TEXTS && p->events.v[x.event].text && tell(p, s, &x, &sched))
		return -ENOMEM;
	if (p->want.format->needs & EXPORT_FIELDS && p->events.v[x.event].text)
		give_fields(p, s, &x);
	if (p->want.format->needs & EXPORT_MEANS && ev->attr.type == PERF_TRACEPOINT)
		give_meaning(p, s, &x);
	count(p, &x);
	p->x.lost = lost_so_far(p->session);
	refresh(p);
	return p->want.format->sample(&p->x, &x);
}

/* Take note of the build-id that MMAP2 records of recent kernels have. */
static int note_id(struct exporter *p, const struct side *d)
{
	const struct side_map *m = &d->map;
	struct build_id *id;
	uint32_t i;

	if (d->type != PERF_REC_MMAP2 || !m->has_build_id)
		return 0;
	i = names_add(&p->id_names, m->name, strlen(m->name));
	if (i != p->ids.n)
		return i == NAMES_NONE ? -ENOMEM : 0;
	id = vec_add(&p->ids);
	if (!id)
		return -ENOMEM;
	*id = build_id_from(m->build_id, MIN(m->build_id_size, sizeof(m->build_id)));
	return 0;
}

static int read_all(struct exporter *p, struct err *e)
{
	struct session_item it;
	int r;

	while ((r = session_next(p->session, &it, e)) == 1) {
		r = it.event ? take(p, it.event, &it.sample) : note_id(p, &it.side);
		if (r)
			break;
		/* The output failed, as when its reader has closed the pipe. */
		if (p->x.out->error)
			return 0;
	}
	if (r == -ENOMEM)
		return err_nomem(e);
	if (r == -ENOSPC) {
		err_set(e, ENOMEM, "the samples do not fit into memory: %s has each thread's in one piece",
			p->want.format->name);
		return err_hint(e, "choose some with --time or --comms, or give it more with --max-memory");
	}
	return r;
}

int exporter_run(struct exporter *p, struct session *s, const struct exporter_want *w, struct out *o, struct err *e)
{
	int r;

	*p = (struct exporter){ .session = s, .want = *w, .x = { .format = w->format, .out = o } };
	mem_out_init(&p->text);
	r = begin(p, e);
	if (!r)
		r = read_all(p, e);
	refresh(p);
	if (!r && w->code && exporter_code_put(p))
		r = err_nomem(e);
	return r ? r : w->format->end(&p->x, e);
}

void exporter_deinit(struct exporter *p)
{
	if (p->x.own && p->want.format->close)
		p->want.format->close(&p->x);
	free(p->x.own);
	filter_deinit(&p->filter);
	frames_deinit(&p->frames);
	calltree_deinit(&p->stacks);
	names_deinit(&p->func_keys);
	names_deinit(&p->module_names);
	names_deinit(&p->thread_keys);
	names_deinit(&p->id_names);
	map_deinit(&p->lane_of);
	vec_free(&p->func_of);
	vec_free(&p->funcs);
	vec_free(&p->modules);
	vec_free(&p->threads);
	vec_free(&p->events);
	vec_free(&p->lanes);
	vec_free(&p->ids);
	free(p->event_of);
	hits_deinit(&p->hits);
	mem_out_deinit(&p->text);
}
