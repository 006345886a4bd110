/* prof_task_state.c - sonde prof task-state: time that tasks spend in each scheduling state. */
#include "analyse/spread.h"
#include "engine/line.h"
#include "engine/timeline.h"
#include "prof/rows.h"
#include "prof/stacks.h"
#include "prof/states.h"
#include "prof/tasks.h"

struct want {
	struct prof_want prof;
	const char *filter, *than;
	bool interruptible, no_interruptible, uninterruptible, per_instance;
};

/* --no-interruptible differs from omitting --interruptible. */
static int watch(void *want, const struct opt *o, bool negated, const char *value UNUSED, struct err *e UNUSED)
{
	if (o->letter == 'S')
		((struct want *)want)->no_interruptible = negated;
	return 0;
}

static const struct opt opts[] = {
	OPT_WATCH(watch),
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("States"),
	OPT_STR(0, "filter", struct want, filter, "<comms>", "only tasks of these names: patterns, comma-separated"),
	OPT_FLAG('S', "interruptible", struct want, interruptible,
		 "only state S (with -D: S and D); --no-interruptible: all but S, in which most tasks wait for work"),
	OPT_FLAG('D', "uninterruptible", struct want, uninterruptible, "only state D (with -S: S and D)"),
	OPT_STR(0, "than", struct want, than, "<time>",
		"print the events at start and end of each state that lasts longer: 20us, 5ms; without a unit ns"),
	OPT_FLAG(0, "perins", struct want, per_instance, "rows per thread"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct row {
	uint32_t tid;                    /* 0 if threads are not distinguished */
	enum task_state state;
	uint32_t comm;
	struct spread spread;            /* ns */
};

struct task_states {
	struct prof *prof;
	struct prof_stacks stacks;
	struct prof_tasks tasks;
	struct states states;
	struct timeline timeline;        /* with --than */
	unsigned shown;                  /* bits by enum task_state */
	uint64_t than, left_out;
	const struct hit *hit;           /* the current one */
	struct names ids;                /* ids: (thread, state) of each row, until the rows are sorted */
	VEC(struct row) rows;
	struct names comms;
	struct out *out;
};

/* --- events -------------------------------------------------------------------------------------------------- */

/* 'FIELD~"java"||FIELD~"python*"' of each field. */
static int put_filter(struct out *o, const char *const *fields, const char *patterns, struct err *e)
{
	for (unsigned i = 0; fields[i]; i++) {
		struct sv rest = sv_from(patterns), one;

		while (sv_cut(&rest, ',', &one)) {
			if (!one.n || memchr(one.s, '"', one.n) || memchr(one.s, '\\', one.n))
				return err_set(e, EINVAL, "--filter: '%.*s' is no pattern of a name",
					       (int)MIN(one.n, 40u), one.s);
			out_printf(o, "%s%s~\"%.*s\"", i || one.s != patterns ? "||" : "", fields[i], (int)one.n,
				   one.s);
		}
	}
	return 0;
}

static int add(struct prof *p, const char *event, const char *const *fields, bool optional, struct err *e)
{
	const struct want *w = p->want;
	struct mem_out m;
	int r = 0;

	mem_out_init(&m);
	out_str(&m.out, event);
	if (w->filter) {
		out_char(&m.out, '/');
		r = put_filter(&m.out, fields, w->filter, e);
		out_char(&m.out, '/');
	}
	r = r ? r : optional ? prof_add_optional(p, mem_out_str(&m), e) : prof_add(p, mem_out_str(&m), e);
	mem_out_deinit(&m);
	return r;
}

static int prepare(struct prof *p, struct err *e)
{
	static const char *const of_switch[] = { "prev_comm", "next_comm", NULL };
	static const char *const of_wakeup[] = { "comm", NULL };
	int r = prof_tasks_check(p, e);

	r = r ? r : add(p, "sched:sched_switch", of_switch, false, e);
	r = r ? r : add(p, "sched:sched_wakeup", of_wakeup, true, e);
	r = r ? r : add(p, "sched:sched_wakeup_new", of_wakeup, true, e);
	return r ? r : prof_tasks_add(p, e);
}

static unsigned shown(const struct want *w)
{
	unsigned some = (w->interruptible ? 1u << TASK_S : 0) | (w->uninterruptible ? 1u << TASK_D : 0);

	return some ? some : ((1u << TASK_STATES) - 1) & ~(w->no_interruptible ? 1u << TASK_S : 0);
}

static int over(void *arg, const struct states_stay *s);

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct task_states *t = p->own;
	int r;

	t->prof = p;
	t->out = p->feed.expr.out;
	t->shown = shown(w);
	t->states.over = over;
	t->states.arg = t;
	t->stacks.unit = "ns";
	states_init(&t->states);
	if (w->than && !line_read_time(w->than, &t->than))
		return err_set(e, EINVAL, "--than %s: it is no time, as 500, 20us, 5ms or 1s", w->than);
	r = prof_tasks_open(&t->tasks, p, e);
	r = r ? r : prof_stacks_open(&t->stacks, p, e);
	if (!r && w->than && timeline_open(&t->timeline, TIMELINE_BYTES))
		r = err_nomem(e);
	return r;
}

/* --- stays --------------------------------------------------------------------------------------------------- */

/* NULL: no memory, or too many rows. */
static struct row *row_of(struct task_states *t, const struct states_stay *s, bool *is_full)
{
	const struct want *w = t->prof->want;
	uint32_t id[2] = { w->per_instance ? s->tid : 0, s->state }, at = prof_row(&t->ids, id, sizeof(id));
	struct row *r;

	*is_full = at == PROF_ROWS;
	if (*is_full || at == NAMES_NONE)
		return NULL;
	r = at < t->rows.n ? &t->rows.v[at] : vec_add(&t->rows);
	if (r) {
		r->tid = id[0];
		r->state = s->state;
	}
	return r;
}

static void put_event(struct task_states *t, const struct hit *h, uint32_t stack)
{
	out_str(t->out, "  ");
	line_put(&t->prof->feed, h, t->out);
	out_char(t->out, '\n');
	if (stack)
		callers_put(&t->stacks.callers, stack, t->out);
}

/* Print the events of a stay from the timeline, unless its begin is too old for it. */
static void put_stay(struct task_states *t, const struct states_stay *s)
{
	struct timeline_walk w = { 0 };
	struct timeline_item it;
	char time[LINE_TIME];

	out_printf(t->out, "%.*s %u %s %s\n", (int)s->comm.n, s->comm.s, s->tid, task_state_name(s->state),
		   line_time(time, s->to - s->from));
	if (timeline_next(&t->timeline, &w, s->seq, &it) && it.seq == s->seq)
		put_event(t, &it.hit, s->stack);
	else
		out_str(t->out, "  (what it began with is not kept any more)\n");
	put_event(t, t->hit, s->end_stack);
}

/* The stack of a wait is that of leaving the CPU, or of the waker; of running, that of leaving the CPU. */
static int draw(struct task_states *t, const struct states_stay *s)
{
	uint32_t stack = s->state == TASK_R ? s->end_stack : s->stack;

	return stack ? prof_stacks_draw(&t->stacks, t->prof, stack, s->tid, s->to - s->from) : 0;
}

static int over(void *arg, const struct states_stay *s)
{
	const struct want *w = ((struct task_states *)arg)->prof->want;
	struct task_states *t = arg;
	uint64_t ns = s->to - s->from;
	struct row *r;
	bool is_full;
	int ret = 0;

	if (!(t->shown >> s->state & 1))
		return 0;
	r = row_of(t, s, &is_full);
	t->left_out += is_full;
	if (!r)
		return is_full ? 0 : -ENOMEM;
	r->comm = names_add(&t->comms, s->comm.s, s->comm.n);
	if (w->than && ns > t->than && !t->stacks.flame)
		put_stay(t, s);
	if (t->stacks.flame && (!w->than || ns > t->than))
		ret = draw(t, s);
	return ret ? ret : spread_add(&r->spread, ns);
}

/* --- hits ---------------------------------------------------------------------------------------------------- */

static struct states_at at_of(const struct hit *h, unsigned tid, unsigned comm, uint32_t stack, uint64_t seq)
{
	return (struct states_at){
		.time = h->time, .cpu = h->cpu, .tid = (uint32_t)hit_field(h, tid), .stack = stack, .seq = seq,
		.comm = h->event->field[comm] ? tfmt_str(h->event->field[comm], h->raw.p, h->raw.n) : SV(""),
	};
}

/* Does the filter match this one of a switch's two tasks? */
static bool is_named(const struct task_states *t, struct sv comm)
{
	const struct want *w = t->prof->want;
	struct sv rest = sv_from(w->filter ? w->filter : ""), one;
	char pattern[64];

	while (w->filter && sv_cut(&rest, ',', &one))
		if (str_copy(pattern, sizeof(pattern), one) < sizeof(pattern) && str_glob(pattern, comm))
			return true;
	return !w->filter;
}

static bool is_meant(const struct task_states *t, const struct states_at *at)
{
	return prof_tasks_has(&t->tasks, at->tid) && is_named(t, at->comm);
}

static int take_switch(struct task_states *t, const struct hit *h, uint32_t stack, uint64_t seq)
{
	struct states_at out = at_of(h, SWITCH_PREV_PID, SWITCH_PREV_COMM, stack, seq);
	struct states_at in = at_of(h, SWITCH_NEXT_PID, SWITCH_NEXT_COMM, 0, seq);
	int r = 0;

	if (is_meant(t, &out))
		r = states_switched_out(&t->states, &out, hit_field(h, SWITCH_PREV_STATE));
	return r || !is_meant(t, &in) ? r : states_switched_in(&t->states, &in);
}

static int take_wakeup(struct task_states *t, const struct hit *h, uint32_t stack, uint64_t seq)
{
	struct states_at at = at_of(h, WAKEUP_PID, WAKEUP_COMM, stack, seq);

	if (h->event->field[WAKEUP_SUCCESS] && !hit_field(h, WAKEUP_SUCCESS))
		return 0;
	return is_meant(t, &at) ? states_woken(&t->states, &at) : 0;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct task_states *t = p->own;
	uint32_t stack = callers_of(&t->stacks.callers, h);
	uint64_t seq = t->timeline.bytes ? timeline_add(&t->timeline, h, 0) : 0;

	if (stack == CALLTREE_NONE || prof_tasks_follow(&t->tasks, h))
		return -ENOMEM;
	t->hit = h;
	switch (hit_kind(h)) {
	case KIND_SCHED_SWITCH:
		return take_switch(t, h, stack, seq);
	case KIND_SCHED_WAKEUP:
	case KIND_SCHED_WAKEUP_NEW:
		return take_wakeup(t, h, stack, seq);
	default:
		return 0;
	}
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct task_states *t = p->own;

	return states_lose(&t->states, cpu);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->tid != y->tid ? (x->tid < y->tid ? -1 : 1) : x->state < y->state ? -1 : x->state > y->state;
}

static void put_row(const struct task_states *t, struct table *to, const struct row *r, bool threads)
{
	const struct spread *s = &r->spread;
	const double us = 1000;

	if (threads) {
		table_u64(to, r->tid);
		table_str(to, r->comm == NAMES_NONE ? "" : names_str(&t->comms, r->comm));
	}
	table_str(to, task_state_name(r->state));
	table_u64(to, s->n);
	table_fixed(to, s->total / us, 3);
	table_fixed(to, (double)s->min / us, 3);
	table_fixed(to, (double)spread_at(s, 500) / us, 3);
	table_fixed(to, (double)spread_at(s, 950) / us, 3);
	table_fixed(to, (double)spread_at(s, 990) / us, 3);
	table_fixed(to, (double)s->max / us, 3);
}

static void forget(struct task_states *t)
{
	for (size_t i = 0; i < t->rows.n; i++)
		spread_clear(&t->rows.v[i].spread);
	t->rows.n = 0;
	names_deinit(&t->ids);
	t->ids = (struct names){ 0 };
}

static void put_rest(const struct task_states *t, struct out *o)
{
	prof_count(t->prof, o, t->states.discarded, "stays are left out: events are missing within them");
	prof_count(t->prof, o, t->states.dropped + t->tasks.dropped, "tasks are left out: too many at a time");
	prof_count(t->prof, o, t->left_out, "stays are left out: too many threads for rows");
	prof_count(t->prof, o, t->states.n_open, "tasks are in a state at the end: how long is not known");
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	static const struct table_col cols[] = {
		{ "thread", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 }, { "St", "state", TABLE_LEFT, 0 },
		{ "calls", NULL, TABLE_RIGHT, 0 }, { "total(us)", "total_us", TABLE_RIGHT, 0 },
		{ "min(us)", "min_us", TABLE_RIGHT, 0 }, { "p50(us)", "p50_us", TABLE_RIGHT, 0 },
		{ "p95(us)", "p95_us", TABLE_RIGHT, 0 }, { "p99(us)", "p99_us", TABLE_RIGHT, 0 },
		{ "max(us)", "max_us", TABLE_RIGHT, 0 },
	};
	const struct want *w = p->want;
	struct task_states *t = p->own;
	struct table_want form = prof_table(p);
	unsigned skip = w->per_instance ? 0 : 2;
	struct table *table = table_new(cols + skip, ARRAY_SIZE(cols) - skip);
	int r;

	if (!table)
		return err_nomem(e);
	if (t->rows.n)
		qsort(t->rows.v, t->rows.n, sizeof(*t->rows.v), by_place);
	for (size_t i = 0; i < t->rows.n; i++)
		put_row(t, table, &t->rows.v[i], w->per_instance);
	prof_interval(p, o);
	r = table_print(table, &form, o);
	table_free(table);
	forget(t);
	if (last)
		put_rest(t, o);
	return r ? err_nomem(e) : prof_stacks_show(&t->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct task_states *t = p->own;

	forget(t);
	vec_free(&t->rows);
	names_deinit(&t->comms);
	states_deinit(&t->states);
	timeline_close(&t->timeline);
	prof_tasks_close(&t->tasks);
	prof_stacks_close(&t->stacks);
}

DEFINE_PROF(task_state) = {
	.cmd = {
		.name = "task-state", .family = "prof", .brief = "Show how long tasks run, sleep, and wait for a CPU",
		.synopsis = "[-S] [-D] [--than TIME] [--filter COMMS] [options] [-- command [arguments]]",
		.details = PACKED(
			"States: R running, S interruptible sleep, D uninterruptible sleep, T stopped, t traced, P "
			"parked, I idle (kernel threads), RD runnable but not running. Events of all CPUs are traced, "
			"also with -p or -t, which needs the permission. A recording needs sched:sched_switch, and "
			"sched:sched_wakeup and sched_wakeup_new to tell sleeps from RD."),
		.examples = PACKED(
			"sonde prof task-state -i 1000 --no-interruptible\tall tasks, every second\n"
			"sonde prof task-state -p 2347 --perins\teach thread of a process\n"
			"sonde prof task-state -p 2347 -SD --than 20ms -g\tcall chains of sleeps longer than 20 ms\n"
			"sonde prof task-state --filter 'java,python*' -S -g --flame-graph waits\tflame graph of sleep "
				"times\n"
			"sonde prof task-state -- ip link show eth0\ta command\n"
			"sonde prof task-state --perins -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct task_states), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
