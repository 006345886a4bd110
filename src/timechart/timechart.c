/* timechart.c - sonde timechart: tasks that run, wait and wake, and states of CPUs, in one picture. */
#include "timechart/timechart.h"

/* BARS: as many as a viewer can show. NO_STATE: power:cpu_idle's state when the CPU wakes (PWR_EVENT_EXIT). */
enum { BARS = 1 << 16, NO_STATE = 0xffffffff, FREQ_MOST = 8000000, FROM_IRQ = 0x18 };
enum { WIDTH = 1000, WIDEST = 1000000, ROWS = 15, ROWS_MOST = 10000 };

#define MS UINT64_C(1000000)
#define US UINT64_C(1000)

/* A time, "2ms" or "500us", or a number of ns. */
static int set_ns(void *field, const char *value, struct err *e)
{
	uint64_t *to = field;

	if (value && str_time(sv_from(value), 1, to))
		return 0;
	return err_set(e, EINVAL, "'%.40s' is no time: 500us, 2ms, or a number of ns", value ? value : "");
}

const struct opt timechart_opts[] = {
	OPT_HEAD("What is drawn"),
	OPT_FLAG('P', "power-only", struct timechart_want, show.power_only, "draw only CPUs, no tasks"),
	OPT_FLAG('T', "tasks-only", struct timechart_want, show.tasks_only,
		"draw no idle states and no frequencies of CPUs"),
	OPT_LIST('p', "process", struct timechart_want, show.whom, "<name or tid>",
		 "draw these tasks; repeatable"),
	OPT_U64('n', "proc-num", struct timechart_want, show.least_rows, "<n>",
		"draw at least <n> tasks, those with the most run time (default 15)"),
	OPT_FLAG('t', "topology", struct timechart_want, show.by_topology, "sort CPUs by socket and core"),
	OPT_STR(0, "highlight", struct timechart_want, show.highlight, "<ns or name>",
		"highlight tasks that run longer, or whose name contains this"),
	OPT_U64('w', "width", struct timechart_want, show.width, "<px>",
		"width of the picture; at least 200 per second up to 30 s (default 1000)"),
	OPT_FLAG('g', "callchain", struct timechart_want, chains, "live: record call chains of context switches"),
	OPT_HEAD("I/O, of recordings with system calls"),
	OPT_FLAG('I', "io-only", struct timechart_want, calls.live, "live: record reads, writes and polls"),
	OPT_FLAG(0, "io-skip-eagain", struct timechart_want, calls.no_eagain, "skip calls that return EAGAIN"),
	OPT_CALL(0, "io-min-time", 0, struct timechart_want, calls.least_ns, set_ns, "<time>",
		 "draw shorter calls as long as this (default 1ms)"),
	OPT_CALL(0, "io-merge-dist", 0, struct timechart_want, calls.near_ns, set_ns, "<time>",
		 "merge calls on one descriptor that are this close together (default 1us)"),
	OPT_HEAD("Input"),
	OPT_STR('i', "input", struct timechart_want, view.prof.from.input, "<file>",
		"recording to read (default perf.data)"),
	OPT_SUB(view_files_opts, struct timechart_want, view.prof.session),
	OPT_SUB(view_opts, struct timechart_want, view),
	OPT_END,
};

void timechart_defaults(void *want)
{
	struct timechart_want *w = want;

	w->show.width = WIDTH;
	w->show.least_rows = ROWS;
	w->calls.least_ns = MS;
	w->calls.near_ns = US;
}

static int check(const struct timechart_want *w, struct err *e)
{
	if (w->show.power_only && w->show.tasks_only)
		return err_set(e, EINVAL, "-P and -T leave nothing");
	if (w->calls.live && (w->show.power_only || w->show.tasks_only || w->chains))
		return err_set(e, EINVAL, "-I is of calls: neither -P nor -T nor -g goes with it");
	if (w->show.width < 100 || w->show.width > WIDEST)
		return err_set(e, EINVAL, "--width: 100 to %d", WIDEST);
	if (w->show.least_rows > ROWS_MOST)
		return err_set(e, EINVAL, "--proc-num: at most %d", ROWS_MOST);
	return 0;
}

static int prepare(struct prof *p, struct err *e)
{
	struct timechart_want *w = p->want;
	int r = check(w, e);

	w->view.prof.chains.graph.on = w->chains;
	return r ? r : timechart_add(p, w, e);
}

/* --- tasks and their rows --- */

int timechart_task(struct timechart *t, uint32_t tid, uint32_t *i)
{
	*i = switches_task(&t->switches, tid);
	if (*i == SWITCHES_FULL)
		return 1;
	while (*i != SWITCHES_NONE && t->tasks.n <= *i)
		if (!vec_add(&t->tasks))
			return -ENOMEM;
	return *i == SWITCHES_NONE ? -ENOMEM : 0;
}

/* The row's index + 1; 0: there is no room; -ENOMEM. */
static int row_of(struct timechart *t, uint32_t tid, const char *comm)
{
	uint32_t name = t->rows.n < CHART_ROWS ? names_add(&t->names, comm, strlen(comm)) :
						 names_find(&t->names, comm, strlen(comm));
	uint64_t key = (uint64_t)tid << 32 | name, *at = name == NAMES_NONE ? NULL : map_get(&t->row_of, key);
	struct chart_row *row;

	if (at)
		return (int)*at;
	if (t->rows.n >= CHART_ROWS) {
		t->dropped++;
		return 0;
	}
	at = name == NAMES_NONE ? NULL : map_add(&t->row_of, key, NULL);
	row = at ? vec_add(&t->rows) : NULL;
	if (!row)
		return -ENOMEM;
	*row = (struct chart_row){ .tid = tid, .name = name, .first = UINT64_MAX };
	*at = t->rows.n;
	return (int)t->rows.n;
}

struct chart_row *timechart_row(struct timechart *t, uint32_t task, int *r)
{
	struct chart_task *c = &t->tasks.v[task];
	uint32_t tid = t->switches.v.v[task].tid;

	if (!c->row) {
		*r = row_of(t, tid, feed_comm(&t->prof->feed, tid));
		if (*r <= 0)
			return NULL;
		c->row = (uint32_t)*r;
	}
	*r = 0;
	return &t->rows.v[c->row - 1];
}

/* For sched_ends: the tid has another name from now on, or is another task's, and gets another row. */
static int ends(void *arg, uint32_t tid)
{
	struct timechart *t = arg;

	switches_end_of(&t->switches, tid);
	return 0;
}

static int begin(struct prof *p, struct err *e)
{
	struct timechart *t = p->own;

	t->prof = p;
	t->want = p->want;
	t->taps = timechart_taps(p, &t->has_calls);
	t->has_waking = sched_has_waking(p);
	bars_init(&t->of_rows, BARS);
	bars_init(&t->of_cpus, BARS);
	t->ends = (struct sched_ends){ .ends = ends, .arg = t };
	sched_watch_ends(p, &t->ends);
	if (t->want->show.by_topology && topology_read(&t->places, p->feed.session.head))
		return err_nomem(e);
	return !t->taps || callers_open(&t->callers, &p->feed) ? err_nomem(e) : 0;
}

/* --- what tasks do --- */

static int put_bar(struct timechart *t, struct chart_row *row, const struct bar *b)
{
	row->first = MIN(row->first, b->start);
	if (b->kind == CHART_RUN)
		row->run += b->sum;
	return bars_add(&t->of_rows, (uint32_t)(row - t->rows.v), b);
}

/* Put the bars for the time before a task came to the CPU: blocked, then waiting. */
static int put_before(struct timechart *t, uint32_t i, uint32_t cpu, uint64_t in, struct chart_row *row)
{
	const struct switches_times *now = &t->switches.v.v[i].now;
	uint64_t delay = MIN(now->delay, in), blocked = MIN(now->iowait, in);
	struct bar b = { .kind = CHART_BLOCKED, .start = in - blocked, .end = in - delay, .of = cpu, .n = 1 };
	int r = 0;

	b.sum = b.end - MIN(b.end, b.start);
	if (blocked > delay)
		r = put_bar(t, row, &b);
	b = (struct bar){ .kind = CHART_WAIT, .start = in - delay, .end = in, .sum = delay, .of = cpu, .n = 1 };
	return r || !delay ? r : put_bar(t, row, &b);
}

static int put_run(struct timechart *t, struct chart_row *row, uint32_t cpu, struct bar b)
{
	int r;

	b.of = cpu;
	b.sum = b.end - b.start;
	r = b.sum ? put_bar(t, row, &b) : 0;
	b.of = (uint32_t)(row - t->rows.v);
	return r || !b.sum ? r : bars_add(&t->of_cpus, cpu, &b);
}

/*
 * The task leaves the CPU. Kernels may not record the switch from idle to it: then it came when it was woken or
 * created.
 */
static void leave(struct timechart *t, uint32_t i, const struct switches_at *at)
{
	struct switches_cpu *c = switches_cpu(&t->switches, at->cpu);
	struct switches_task *s = &t->switches.v.v[i];
	uint64_t ready = s->losses == t->switches.losses ? s->ready : 0;
	uint64_t from = ready || s->left ? ready : t->tasks.v[i].born, before = c->time, shown;
	bool unseen = c->known && !c->on;

	switches_take(&t->switches, c, s, at, false, &shown);
	if (unseen && !s->now.run && from)
		s->now.run = at->time - MIN(MAX(from, before), at->time);
}

/* A stay on a CPU ends, by a switch, a new name or the end of the recording: draw it, and the wait before it. */
static int put_stay(struct timechart *t, uint32_t i, uint32_t cpu, uint64_t time, uint32_t chain)
{
	uint64_t in = time - MIN(t->switches.v.v[i].now.run, time);
	int r;
	struct chart_row *row = timechart_row(t, i, &r);

	if (!row)
		return r;
	r = put_before(t, i, cpu, in, row);
	return r ? r : put_run(t, row, cpu, (struct bar){ .kind = CHART_RUN, .start = in, .end = time, .n = 1,
							  .note = chain });
}

static int need_cpu(struct timechart *t, uint32_t cpu)
{
	while (t->cpus.n <= cpu)
		if (!vec_add(&t->cpus))
			return -ENOMEM;
	return 0;
}

static void learn(struct timechart *t, const struct hit *h, uint32_t i, unsigned tid, unsigned comm)
{
	if (!t->tasks.v[i].known)
		sched_learn(t->prof, h, tid, comm);
	t->tasks.v[i].known = true;
}

static int take_switch(struct timechart *t, const struct hit *h)
{
	struct switches_at at = {
		.time = h->time, .cpu = h->cpu, .prev = (uint32_t)hit_field(h, SWITCH_PREV_PID),
		.next = (uint32_t)hit_field(h, SWITCH_NEXT_PID), .state = hit_field(h, SWITCH_PREV_STATE),
	};
	struct switches_cpu *c = switches_cpu(&t->switches, h->cpu);
	uint32_t i = 0, chain;
	uint64_t shown;
	int r = !c || need_cpu(t, h->cpu) ? -ENOMEM : at.prev ? timechart_task(t, at.prev, &i) : 0;

	if (r)
		return MIN(r, 0);
	if (at.prev)
		learn(t, h, i, SWITCH_PREV_PID, SWITCH_PREV_COMM);
	chain = at.prev ? callers_of(&t->callers, h) : 0;
	if (chain == CALLTREE_NONE)
		return -ENOMEM;
	if (!at.prev) {
		switches_take(&t->switches, c, &c->idle, &at, false, &shown);
		return 0;
	}
	leave(t, i, &at);
	return put_stay(t, i, h->cpu, h->time, chain);
}

/* Put a wake-up with the waker's row; without it, if an interrupt woke, or the waker has no row. */
static int put_wakeup(struct timechart *t, const struct hit *h, uint32_t i)
{
	uint32_t at = t->tasks.v[i].row - 1;
	bool irq = tfmt_value(h->event->common[COMMON_FLAGS], h->raw.p, h->raw.n) & FROM_IRQ;
	struct bar b = { .kind = irq ? CHART_IRQ_WAKE : CHART_WAKE, .start = h->time, .end = h->time, .n = 1 };
	uint32_t by = 0;
	struct chart_row *row = NULL;
	int r = 0;

	if (!irq && h->tid) {
		r = timechart_task(t, h->tid, &by);
		row = r ? NULL : timechart_row(t, by, &r);
	} else if (!irq) {
		r = row_of(t, 0, "swapper");
		row = r > 0 ? &t->rows.v[r - 1] : NULL;
	}
	if (r < 0)
		return r;
	b.of = row ? (uint32_t)(row - t->rows.v) : (uint32_t)BARS_SEVERAL;
	t->wakeups++;
	return bars_add(&t->of_rows, at, &b);
}

static int take_wakeup(struct timechart *t, const struct hit *h)
{
	uint32_t i;
	int r = timechart_task(t, (uint32_t)hit_field(h, WAKEUP_PID), &i);
	struct chart_row *row;

	if (r)
		return MIN(r, 0);
	learn(t, h, i, WAKEUP_PID, WAKEUP_COMM);
	switches_woken(&t->switches, &t->switches.v.v[i], h->time);
	row = timechart_row(t, i, &r);
	if (!row)
		return r;
	row->first = MIN(row->first, h->time);
	return put_wakeup(t, h, i);
}

/* --- what CPUs do --- */

static int end_idle(struct timechart *t, uint32_t cpu, uint64_t time)
{
	struct chart_cpu *c = &t->cpus.v[cpu];
	struct bar b = { .kind = CHART_IDLE, .start = c->idle_since, .end = time, .of = c->idle, .n = 1 };

	if (!c->is_idle)
		return 0;
	c->is_idle = false;
	b.sum = time - MIN(time, b.start);
	return bars_add(&t->of_cpus, cpu, &b);
}

static int end_freq(struct timechart *t, uint32_t cpu, uint64_t time)
{
	struct chart_cpu *c = &t->cpus.v[cpu];
	struct bar b = { .kind = CHART_FREQ, .start = c->freq_since, .end = time, .of = c->freq, .n = 1 };

	if (!c->is_known)
		return 0;
	b.sum = time - MIN(time, b.start);
	return bars_add(&t->of_cpus, cpu, &b);
}

static int take_power(struct timechart *t, const struct hit *h, const struct chart_tap *tap)
{
	uint32_t state = (uint32_t)chart_value(tap->value, h);
	uint64_t cpu = chart_value(tap->cpu, h);
	bool idle = tap->kind == CHART_IDLE;
	struct chart_cpu *c;
	int r = 0;

	if (cpu >= CPUS_MAX || (!idle && state > FREQ_MOST))
		return 0;
	if (need_cpu(t, (uint32_t)cpu))
		return -ENOMEM;
	r = idle ? end_idle(t, (uint32_t)cpu, h->time) : end_freq(t, (uint32_t)cpu, h->time);
	c = &t->cpus.v[cpu];
	if (idle && state != NO_STATE) {
		c->is_idle = true;
		c->idle = state;
		c->idle_since = h->time;
	} else if (!idle) {
		c->is_known = true;
		c->freq = state;
		c->freq_since = h->time;
		t->most_freq = MAX(t->most_freq, state);
	}
	return r;
}

/* --- hits --- */

static int take(struct timechart *t, const struct hit *h)
{
	const struct chart_tap *tap = &t->taps[h->tap->index];

	switch (hit_kind(h)) {
	case KIND_SCHED_SWITCH:
		return t->has_calls || h->cpu >= CPUS_MAX ? 0 : take_switch(t, h);
	case KIND_SCHED_WAKEUP:
		return t->has_calls || t->has_waking ? 0 : take_wakeup(t, h);
	case KIND_SCHED_WAKING:
	case KIND_SCHED_WAKEUP_NEW:
		return t->has_calls ? 0 : take_wakeup(t, h);
	default:
		break;
	}
	if (tap->kind == CHART_IDLE || tap->kind == CHART_FREQ)
		return t->has_calls ? 0 : take_power(t, h, tap);
	return t->has_calls && tap->kind >= CHART_READ ? timechart_take_call(t, h, tap) : 0;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct timechart *t = p->own;

	if (t->ends.failed)
		return -ENOMEM;
	t->first = t->first ? MIN(t->first, h->time) : h->time;
	t->last = MAX(t->last, h->time);
	return take(t, h);
}

/* The task gets a new name. */
static int rename_task(struct timechart *t, uint32_t i, uint64_t time)
{
	struct chart_task *task = &t->tasks.v[i];
	uint32_t before = task->row;
	struct chart_row *row;
	int r;

	task->row = 0;
	row = timechart_row(t, i, &r);
	if (!row)
		return r;
	if (before && before != task->row)
		t->rows.v[before - 1].last = time;
	row->first = MIN(row->first, time);
	row->last = 0;
	return 0;
}

/* CPU of a task that is renamed, by itself or another task. UINT32_MAX: unknown. */
static uint32_t place_of(const struct timechart *t, uint32_t tid, const struct sample *s)
{
	const struct switches_cpu *c = t->switches.cpus.v;
	size_t n = t->switches.cpus.n;

	if (s->tid == tid)
		return s->cpu < n && c[s->cpu].known && (!c[s->cpu].on || c[s->cpu].on == tid) ? s->cpu : UINT32_MAX;
	for (uint32_t i = 0; i < n; i++)
		if (c[i].known && c[i].on == tid)
			return i;
	return UINT32_MAX;
}

/* Split the stay at a rename: as if the task left its CPU, and came back without a wait. */
static int part_stay(struct timechart *t, uint32_t i, const struct sample *s)
{
	struct switches_task *task = &t->switches.v.v[i];
	struct switches_at at = { .time = s->time, .cpu = place_of(t, task->tid, s), .prev = task->tid,
				  .next = task->tid };

	if (t->has_calls || !t->tasks.v[i].row || at.cpu == UINT32_MAX)
		return 0;
	leave(t, i, &at);
	task->left = task->ready = 0;
	return put_stay(t, i, at.cpu, s->time, 0);
}

/* Rows begin and end with tasks and their names. Synthesised records of existing tasks have no time. */
static int record(struct prof *p, const struct session_item *item)
{
	const struct side *d = &item->side;
	struct timechart *t = p->own;
	uint64_t time = item->sample.time;
	uint32_t i;
	int r = 1;

	if (time && d->tid && (d->type == PERF_REC_FORK || d->type == PERF_REC_COMM || d->type == PERF_REC_EXIT))
		r = timechart_task(t, d->tid, &i);
	if (!r && d->type == PERF_REC_FORK)
		t->tasks.v[i].born = time;
	if (!r && d->type == PERF_REC_COMM)
		r = part_stay(t, i, &item->sample);
	if (!r && d->type != PERF_REC_EXIT)
		r = rename_task(t, i, time);
	else if (!r && t->tasks.v[i].row)
		t->rows.v[t->tasks.v[i].row - 1].last = time;
	t->ends.failed |= r < 0;
	return 0;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct timechart *t = p->own;

	switches_lose(&t->switches, cpu);
	for (size_t i = 0; i < t->tasks.n; i++)
		t->tasks.v[i].calls = false;
	for (size_t i = 0; i < t->cpus.n; i++)
		if (cpu == UINT32_MAX || i == cpu)
			t->cpus.v[i].is_idle = t->cpus.v[i].is_known = false;
	return 0;
}

/* --- the end: open stays end there --- */

static int end_run(struct timechart *t, uint32_t cpu)
{
	struct switches_cpu *c = &t->switches.cpus.v[cpu];
	struct switches_at at = { .time = t->last, .cpu = cpu, .prev = c->on };
	uint32_t i;
	int r = c->known && c->on ? timechart_task(t, c->on, &i) : 1;

	if (r)
		return MIN(r, 0);
	t->tasks.v[i].runs = true;
	leave(t, i, &at);
	return put_stay(t, i, cpu, t->last, 0);
}

static int end_wait(struct timechart *t, uint32_t i)
{
	const struct switches_task *s = &t->switches.v.v[i];
	struct bar b = { .kind = CHART_BLOCKED, .start = s->left, .end = s->ready ? s->ready : t->last, .n = 1,
			 .of = BARS_SEVERAL };
	int r = 0;
	struct chart_row *row;

	if (t->tasks.v[i].runs || s->losses != t->switches.losses || !t->tasks.v[i].row || (!s->left && !s->ready))
		return 0;
	row = timechart_row(t, i, &r);
	b.sum = b.end - MIN(b.end, b.start);
	if (row && s->state == 'D' && s->left && b.sum)
		r = put_bar(t, row, &b);
	b = (struct bar){ .kind = CHART_WAIT, .start = s->ready, .end = t->last, .sum = t->last - s->ready, .n = 1,
			  .of = BARS_SEVERAL };
	return row && !r && s->ready && s->ready < t->last ? put_bar(t, row, &b) : r;
}

static int finish(struct timechart *t)
{
	int r = 0;

	for (uint32_t i = 0; !r && i < t->switches.cpus.n; i++)
		r = end_run(t, i);
	for (uint32_t i = 0; !r && i < t->tasks.n; i++)
		r = end_wait(t, i);
	for (uint32_t i = 0; !r && i < t->cpus.n; i++) {
		r = end_idle(t, i, t->last);
		r = r ? r : end_freq(t, i, t->last);
	}
	return r;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct timechart *t = p->own;
	int r;

	if (!last)
		return 0;
	if (t->last <= t->first) {
		err_set(e, ENODATA, "no events to draw: neither of the scheduler nor of CPUs' states nor of calls");
		return err_hint(e, "sonde timechart record makes such a recording");
	}
	r = finish(t);
	r = r ? r : timechart_draw(t, o);
	view_note(p, t->unpaired, "calls have no beginning or no end in the recording");
	view_note(p, t->dropped + t->switches.dropped, "events are left out: too many tasks");
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct timechart *t = p->own;

	callers_close(&t->callers);
	switches_deinit(&t->switches);
	names_deinit(&t->names);
	map_deinit(&t->row_of);
	vec_free(&t->rows);
	vec_free(&t->tasks);
	vec_free(&t->cpus);
	bars_deinit(&t->of_rows);
	bars_deinit(&t->of_cpus);
	cpu_places_deinit(&t->places);
}

const struct prof_kind timechart = {
	.cmd = {
		.name = "timechart", .opts = timechart_opts, .want_size = sizeof(struct timechart_want),
	},
	.own = sizeof(struct timechart), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit,
	.record = record, .lost = lost, .show = show, .close = close, .everywhere = true, .lines = true,
};
