/* timehist.c - sonde sched timehist: one line per stay of a task on a CPU. */
#include "sched/timehist.h"

enum { MAX_STACK = 5, NAME_WIDTH = 30, CPUS_UNKNOWN = 4, CHAINS_OF_RECORDINGS = 1 };

static const struct opt opts[] = {
	OPT_HEAD("What is shown"),
	OPT_FLAG('s', "summary", struct timehist_want, show.summary_only, "print only a summary per task"),
	OPT_FLAG('S', "with-summary", struct timehist_want, show.summary, "print the lines, then the summary"),
	OPT_FLAG('w', "wakeups", struct timehist_want, show.wakeups, "print wakeups, too"),
	OPT_FLAG('n', "next", struct timehist_want, show.next, "print the next task"),
	OPT_FLAG('M', "migrations", struct timehist_want, show.migrations, "print migrations, too"),
	OPT_FLAG('P', "pre-migrations", struct timehist_want, show.pre_migrations,
		 "print how long a task waited on a runqueue before it was migrated to another CPU"),
	OPT_FLAG('V', "cpu-visual", struct timehist_want, show.visual, "print a column per CPU: s task switch, i idle"),
	OPT_FLAG('I', "idle-hist", struct timehist_want, show.idle,
		"only idle times, counted for the task that ran before"),
	OPT_FLAG(0, "state", struct timehist_want, show.state,
		"print the state of the task when switched out; times by state in the summary"),
	OPT_FLAG(0, "show-prio", struct timehist_want, show.prio, "print the priority of the task"),
	OPT_COUNT('g', "call-graph", struct timehist_want, show.chains,
		  "print the call chain where the task was switched out (default with recordings that have it; live "
		  "only with -g)"),
	OPT_U64(0, "max-stack", struct timehist_want, show.max_stack, "<n>",
		"print at most <n> innermost functions (default 5)"),
	OPT_HEAD("Filters"),
	OPT_STR('C', "cpu", struct timehist_want, filter.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_LIST('p', "pid", struct timehist_want, filter.pids, "<pids>", "only these processes, by PID"),
	OPT_LIST('t', "tid", struct timehist_want, filter.tids, "<tids>", "only these threads, by TID"),
	OPT_STR(0, "prio", struct timehist_want, show.prios, "<list>", "only these task priorities: 120,0-99"),
	OPT_STR(0, "time", struct timehist_want, filter.time, "<from,to>",
		"only this time range, in seconds; either end may be left out"),
	OPT_HEAD("Input"),
	OPT_STR('i', "input", struct timehist_want, sched.prof.from.input, "<file>",
		"recording to read (default perf.data)"),
	OPT_SUB(view_files_opts, struct timehist_want, sched.prof.session),
	OPT_SUB(view_opts, struct timehist_want, sched),
	OPT_FLAG('j', "json", struct timehist_want, sched.prof.form.json, "print as JSON"),
	OPT_STR('x', "field-separator", struct timehist_want, sched.prof.form.sep, "<sep>",
		"print as CSV with this separator"),
	OPT_END,
};

static void defaults(void *want)
{
	struct timehist_want *w = want;

	w->show.chains = CHAINS_OF_RECORDINGS;
	w->show.max_stack = MAX_STACK;
}

/* --- options --- */

static int read_prios(struct timehist *t, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), piece, from;
	uint64_t first, last;

	while (sv_cut(&rest, ',', &piece)) {
		struct sv to = piece;
		bool range = memchr(piece.s, '-', piece.n);

		sv_cut(&to, '-', &from);
		if (!str_u64(from, 10, &first) || !str_u64(range ? to : from, 10, &last) || first > last ||
		    last >= SWITCHES_PRIOS)
			return err_set(e, EINVAL, "--prio: '%.*s' is no priority of 0 to 139, nor two with a -",
				       (int)MIN(piece.n, 40u), piece.s);
		for (; first <= last; first++)
			t->prios[first / 64] |= UINT64_C(1) << (first % 64);
	}
	return 0;
}

static int check(const struct timehist_want *w, struct err *e)
{
	if (w->show.summary_only && (w->show.wakeups || w->show.next))
		return err_set(e, EINVAL, "-s and -[n|w] are mutually exclusive: with -s there are no lines");
	if (w->show.summary && (w->sched.prof.form.json || w->sched.prof.form.sep))
		return err_set(e, EINVAL, "-S is two tables: take -s, or lines without it");
	return 0;
}

static int prepare(struct prof *p, struct err *e)
{
	struct timehist_want *w = p->want;
	struct timehist *t = p->own;
	int r = check(w, e);

	w->sched.prof.chains.graph.on = w->show.chains > CHAINS_OF_RECORDINGS;
	r = r || !w->show.prios ? r : read_prios(t, w->show.prios, e);
	r = r ? r : sched_add(p, e);
	r = r ? r : prof_add_optional(p, "sched:sched_stat_runtime", e);
	if (!r && (w->show.migrations || w->show.pre_migrations))
		r = prof_add_optional(p, "sched:sched_migrate_task", e);
	return r;
}

/* --- begin --- */

static int ends(void *arg, uint32_t tid)
{
	struct timehist *t = arg;
	struct switches_task *task = switches_end_of(&t->switches, tid);
	const char *comm = task ? feed_comm(&t->prof->feed, tid) : "";
	uint32_t name = task ? names_add(&t->names, comm, strlen(comm)) : 0;

	if (task) {
		task->name = name + 1;
		task->ended = true;
	}
	return name == NAMES_NONE ? -ENOMEM : 0;
}

/* Do the switches of the recording have call chains? */
static bool has_chains(const struct prof *p)
{
	const struct perf_head *h = p->feed.session.head;

	for (size_t i = 0; i < h->events.n && i < p->feed.n_of_event; i++) {
		uint32_t at = p->feed.of_event[i];
		const struct tevent *ev = at ? p->feed.taps.v[at - 1].event : NULL;

		if (ev && ev->kind == KIND_SCHED_SWITCH && h->events.v[i].attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	}
	return false;
}

static int open_chains(struct timehist *t)
{
	bool has = has_chains(t->prof);
	int r;

	t->chains = t->show->chains && has;
	if (t->show->chains && !has && !feed_is_live(&t->prof->feed) && !prof_want(t->prof)->form.quiet)
		t->prof->how->note(t->prof->how->arg, "Samples of sched_switch event do not have callchains.");
	if (!t->chains)
		return 0;
	/* Limit the depth to what is printed: chains that differ only further out become the same. */
	r = callers_open(&t->callers, &t->prof->feed);
	t->callers.most = (size_t)MIN(t->show->max_stack, (uint64_t)CHAIN_MAX) + SCHEDULER_FRAMES;
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	const struct timehist_want *w = p->want;
	struct timehist *t = p->own;
	uint32_t cpus = view_cpus(p);
	int r = filter_init(&t->filter, &w->filter, &p->feed.session, e);

	if (r)
		return r;
	t->prof = p;
	t->show = &w->show;
	t->out = p->feed.expr.out;
	t->width = NAME_WIDTH;
	t->cpus = cpus ? cpus : CPUS_UNKNOWN;
	t->has_waking = sched_has_waking(p);
	t->switches.want = (struct switches_want){
		.from = t->filter.from, .to = t->filter.to == UINT64_MAX ? 0 : t->filter.to, .idle = w->show.idle,
		.cpus = w->filter.cpus ? &t->filter.cpus : NULL,
	};
	t->ends = (struct sched_ends){ .ends = ends, .arg = t };
	sched_watch_ends(p, &t->ends);
	sched_find_fields(p, &t->fields);
	r = open_chains(t);
	r = r || w->show.summary_only ? r : timehist_begin_rows(t);
	return r ? err_nomem(e) : 0;
}

/* --- which tasks --- */

static bool has_id(const uint32_t *v, size_t n, uint32_t id)
{
	size_t i = 0;

	while (i < n && v[i] != id)
		i++;
	return !n || i < n;
}

static bool is_filtered(const struct timehist *t, const struct switches_task *task)
{
	uint32_t pid = task->pid == UINT32_MAX ? task->tid : task->pid;

	return !has_id(t->filter.pids.v, t->filter.pids.n, pid) ||
	       !has_id(t->filter.tids.v, t->filter.tids.n, task->tid);
}

/* Does --prio leave it out? Its priority at switch-in counts; if that is unknown, the one `now` (-1: unknown, too). */
static bool has_other_prio(const struct timehist *t, const struct switches_task *task, int now)
{
	int prio = task->prio == -1 ? now : task->prio;

	return t->show->prios && prio >= 0 && prio < SWITCHES_PRIOS && !(t->prios[prio / 64] >> (prio % 64) & 1);
}

static bool is_left_out(struct timehist *t, const struct switches_task *task, int prio)
{
	bool out = is_filtered(t, task) || has_other_prio(t, task, prio);

	t->skipped += out;
	return out;
}

/* --- hits --- */

/* Find or add a task. 0: its index is *i; 1: too many tasks; -ENOMEM. */
static int find(struct timehist *t, uint32_t tid, uint32_t *i)
{
	*i = switches_task(&t->switches, tid);
	return *i == SWITCHES_NONE ? -ENOMEM : *i == SWITCHES_FULL;
}

/* Take the task's name from the event's fields; and its pid from the sample, if the sample is of this task. */
static void learn(struct timehist *t, const struct hit *h, struct switches_task *task, unsigned tid, unsigned comm)
{
	if (!task->known)
		sched_learn(t->prof, h, tid, comm);
	task->known = true;
	if (task->tid == h->tid && h->pid && h->pid != UINT32_MAX)
		task->pid = h->pid;
}

static int set_prio(struct timehist *t, const struct hit *h, struct switches_cpu *c)
{
	uint32_t next = (uint32_t)hit_field(h, SWITCH_NEXT_PID), i = 0;
	int r = next ? find(t, next, &i) : 0;

	if (!r)
		(next ? &t->switches.v.v[i] : &c->idle)->prio = (int32_t)hit_field(h, SWITCH_NEXT_PRIO);
	return MIN(r, 0);
}

/* With -I: note after which task, and which call chain of it, the CPU goes idle. */
static int note_idle(struct timehist *t, const struct hit *h, struct switches_cpu *c, uint32_t task, uint32_t chain)
{
	c->idle.last = task + 1;
	if (hit_field(h, SWITCH_NEXT_PID))
		return 0;
	while (t->idle_chain.n <= h->cpu)
		if (!vec_add(&t->idle_chain))
			return -ENOMEM;
	t->idle_chain.v[h->cpu] = chain;
	return 0;
}

static int add_idle(struct timehist *t, uint32_t cpu, uint64_t ns)
{
	uint32_t chain = cpu < t->idle_chain.n ? t->idle_chain.v[cpu] : 0;
	uint64_t *at = chain ? map_add(&t->idle_of, (uint64_t)cpu << 32 | chain, NULL) : NULL;
	struct timehist_idle *d;

	if (!at)
		return chain ? -ENOMEM : 0;
	if (!*at) {
		d = vec_add(&t->idle);
		if (!d)
			return -ENOMEM;
		*d = (struct timehist_idle){ .cpu = cpu, .chain = chain };
		*at = t->idle.n;
	}
	d = &t->idle.v[*at - 1];
	d->ns += ns;
	d->n++;
	t->idle_chain.v[cpu] = 0;
	return 0;
}

static int take_stay(struct timehist *t, const struct hit *h, struct switches_cpu *c, struct switches_task *task,
		     uint32_t chain)
{
	struct switches_at at = {
		.time = h->time, .cpu = h->cpu, .prev = task->tid, .next = (uint32_t)hit_field(h, SWITCH_NEXT_PID),
		.state = hit_field(h, SWITCH_PREV_STATE),
	};
	struct timehist_row row = {
		.hit = h, .task = task, .chain = chain, .state = switches_state(at.state), .prio = task->prio,
	};
	bool skip = is_left_out(t, task, (int)hit_field(h, SWITCH_PREV_PRIO));
	int r = 0;

	skip |= t->show->idle && at.prev && at.next;
	if (!switches_take(&t->switches, c, task, &at, skip, &row.time))
		return 0;
	if (t->show->idle && t->chains)
		r = add_idle(t, h->cpu, task->now.run);
	if (!t->show->summary_only)
		timehist_put(t, &row);
	return r;
}

static int take_switch(struct timehist *t, const struct hit *h)
{
	uint32_t prev = (uint32_t)hit_field(h, SWITCH_PREV_PID), i = 0, chain = 0;
	struct switches_cpu *c = h->cpu < CPUS_MAX ? switches_cpu(&t->switches, h->cpu) : NULL;
	int r = c ? 0 : h->cpu < CPUS_MAX ? -ENOMEM : 1;

	t->cpus = c ? MAX(t->cpus, h->cpu + 1) : t->cpus;
	if (!r && (t->show->prio || t->show->prios))
		r = set_prio(t, h, c);
	if (!r && prev)
		r = find(t, prev, &i);
	if (r)
		return MIN(r, 0);
	if (prev)
		learn(t, h, &t->switches.v.v[i], SWITCH_PREV_PID, SWITCH_PREV_COMM);
	if (prev && t->chains)
		chain = callers_of(&t->callers, h);
	if (chain == CALLTREE_NONE)
		return -ENOMEM;
	if (prev && t->show->idle)
		r = note_idle(t, h, c, i, chain);
	return r ? r : take_stay(t, h, c, prev ? &t->switches.v.v[i] : &c->idle, chain);
}

static bool is_in_time(const struct timehist *t, uint64_t time)
{
	return time >= t->filter.from && time <= t->filter.to;
}

/* Print a wakeup or migration of task `whom`, unless both it and the task that did it (NULL: idle) are left out. */
static int show_event(struct timehist *t, const struct hit *h, uint32_t whom,
		      void (*put)(struct timehist *t, const struct hit *h, const struct switches_task *by,
				  const struct switches_task *whom))
{
	const struct switches_task *v, *by;
	uint32_t i = 0;
	bool by_out;
	int r = h->tid ? find(t, h->tid, &i) : 0;

	if (r)
		return MIN(r, 0);
	v = t->switches.v.v;
	by = h->tid ? &v[i] : NULL;
	by_out = by ? is_left_out(t, by, -1) : t->filter.pids.n || t->filter.tids.n;
	if (t->show->idle || (by_out && is_left_out(t, &v[whom], -1)))
		return 0;
	put(t, h, by, &v[whom]);
	return 0;
}

static int take_wakeup(struct timehist *t, const struct hit *h)
{
	uint32_t i;
	int r = find(t, (uint32_t)hit_field(h, WAKEUP_PID), &i);

	if (r)
		return MIN(r, 0);
	learn(t, h, &t->switches.v.v[i], WAKEUP_PID, WAKEUP_COMM);
	switches_woken(&t->switches, &t->switches.v.v[i], h->time);
	return t->show->wakeups && is_in_time(t, h->time) ? show_event(t, h, i, timehist_put_wakeup) : 0;
}

static int take_move(struct timehist *t, const struct hit *h)
{
	uint32_t i;
	int r = find(t, (uint32_t)sched_value(h, t->fields.move_pid), &i);

	if (r)
		return MIN(r, 0);
	switches_moved(&t->switches, &t->switches.v.v[i], h->time);
	return t->show->migrations && !t->show->summary_only ? show_event(t, h, i, timehist_put_move) : 0;
}

static int take_runtime(struct timehist *t, const struct hit *h)
{
	uint64_t *at = map_get(&t->switches.of, (uint32_t)sched_value(h, t->fields.runtime_pid));

	if (at && *at)
		t->switches.v.v[*at - 1].ran += sched_value(h, t->fields.runtime_ns);
	return 0;
}

static __attribute__((noinline)) int take_kind(struct timehist *t, const struct hit *h)
{
	switch (hit_kind(h)) {
	case KIND_SCHED_SWITCH:
		return take_switch(t, h);
	case KIND_SCHED_WAKEUP:
		return t->has_waking ? 0 : take_wakeup(t, h);
	case KIND_SCHED_WAKING:
	case KIND_SCHED_WAKEUP_NEW:
		return take_wakeup(t, h);
	default:
		return h->event == t->fields.move ? take_move(t, h) : 0;
	}
}

/* Most events are sched_stat_runtime, so these take the shortest way. */
static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct timehist *t = p->own;

	if (t->ends.failed)
		return -ENOMEM;
	return h->event && h->event == t->fields.runtime ? take_runtime(t, h) : take_kind(t, h);
}

/* COMM, FORK and EXIT records tell a thread's process, its parent, and its end. */
static int record(struct prof *p, const struct session_item *item)
{
	const struct side *d = &item->side;
	struct timehist *t = p->own;
	uint32_t i;
	int r = 1;

	if (d->type == PERF_REC_FORK || d->type == PERF_REC_COMM || d->type == PERF_REC_EXIT)
		r = d->tid ? find(t, d->tid, &i) : 1;
	t->ends.failed |= r < 0;
	if (r)
		return 0;
	t->switches.v.v[i].pid = d->pid;
	if (d->type == PERF_REC_FORK)
		t->switches.v.v[i].parent = d->task.ptid;
	t->switches.v.v[i].ended |= d->type == PERF_REC_EXIT;
	return 0;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct timehist *t = p->own;
	uint64_t n = p->feed.stats.lost - t->lost;

	t->lost = p->feed.stats.lost;
	if (n && !t->show->summary_only)
		timehist_put_loss(t, cpu, n);
	switches_lose(&t->switches, cpu);
	return 0;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct timehist *t = p->own;
	int r = 0;

	if (!last)
		return 0;
	if (t->table)
		r = table_end(t->table);
	if (!r && (t->show->summary || t->show->summary_only))
		r = timehist_sum(t);
	out_flush(o);
	view_note(p, t->switches.told, "stays have no beginning: it is told by what the task ran");
	view_note(p, t->switches.unknown, "stays have no beginning: their times are not known");
	view_note(p, t->switches.dropped, "events are left out: too many tasks");
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct timehist *t = p->own;

	table_free(t->table);
	switches_deinit(&t->switches);
	filter_deinit(&t->filter);
	callers_close(&t->callers);
	names_deinit(&t->names);
	map_deinit(&t->idle_of);
	vec_free(&t->idle);
	vec_free(&t->idle_chain);
}

const struct prof_kind sched_timehist = {
	.cmd = {
		.name = "timehist", .family = "sched", .brief = "Print each time slice of each task on a CPU",
		.synopsis = "[options] [-i <file>] | -a | [--] command",
		.details = PACKED(
			"A line is printed when a task is switched out. wait time: how long it was off CPU before; sch "
			"delay: the part of it when it was runnable; run time: how long it ran. Without -i, -a and a "
			"command perf.data is read. Some kernels do not record switches from the idle task: there the "
			"run time is from sched_stat_runtime, or unknown (0) without it; perf counts the idle time as "
			"run time."),
		.examples = PACKED(
			"sonde sched record -- make && sonde sched timehist\tas with perf\n"
			"sonde sched timehist -s --state\tsummary per task, times by state\n"
			"sonde sched timehist -wMn -V\twith wakeups, migrations and the next task\n"
			"sonde sched timehist -p 2347 --time 12.5,13\ta process, during half a second\n"
			"sonde sched timehist -IS\tidle times by the task that ran before\n"
			"sonde sched timehist -g -- make\tlive, with call chains"),
		.opts = opts, .want_size = sizeof(struct timehist_want), .defaults = defaults,
	},
	.own = sizeof(struct timehist), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit,
	.record = record, .lost = lost, .show = show, .close = close, .everywhere = true, .kernel_only = true,
};
