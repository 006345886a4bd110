/* taken.c - turn scheduling and interrupt events of a CPU into gaps of the watched threads there. */
#include "poll/taken.h"

#include "analyse/taskprof.h"
#include "prof/tasks.h"
#include "tracefs/kind.h"

/* Which events begin and end what kind of gap. Those that a kernel lacks are left out. */
enum what { SWITCH, IRQ, SOFTIRQ, IPI };
static const struct source_event {
	const char *name;
	enum what what;
	bool is_end;
	const char *who;                 /* name of what took the CPU; NULL: a field has it */
} sources[] = {
	{ "sched:sched_switch", SWITCH, false, NULL },
	{ "irq:irq_handler_entry", IRQ, false, NULL }, { "irq:irq_handler_exit", IRQ, true, NULL },
	{ "irq:softirq_entry", SOFTIRQ, false, NULL }, { "irq:softirq_exit", SOFTIRQ, true, NULL },
	{ "ipi:ipi_entry", IPI, false, "between CPUs" }, { "ipi:ipi_exit", IPI, true, NULL },
	{ "irq_vectors:local_timer_entry", IRQ, false, "local_timer" },
	{ "irq_vectors:local_timer_exit", IRQ, true, NULL },
	{ "irq_vectors:reschedule_entry", IPI, false, "reschedule" },
	{ "irq_vectors:reschedule_exit", IPI, true, NULL },
	{ "irq_vectors:call_function_entry", IPI, false, "call_function" },
	{ "irq_vectors:call_function_exit", IPI, true, NULL },
	{ "irq_vectors:call_function_single_entry", IPI, false, "call_function_single" },
	{ "irq_vectors:call_function_single_exit", IPI, true, NULL },
};

enum { NAMES_MAX = 1 << 14, TIDS_MAX = 1 << 16 };

/* Filter by these threads: the event happens while one of them runs, or is a switch from or to one. */
static void put_filter(struct out *o, const struct source_event *of, const struct program_ids *only)
{
	out_char(o, '/');
	if (of->what == SWITCH) {
		program_ids_filter(only, "prev_pid", o);
		out_str(o, "||");
		program_ids_filter(only, "next_pid", o);
	} else {
		program_ids_filter(only, "common_pid", o);
	}
	out_char(o, '/');
}

static int add_source(struct specs *s, const struct source_event *of, const struct program_ids *only, struct err *e)
{
	struct mem_out m;
	int r;

	mem_out_init(&m);
	out_str(&m.out, of->name);
	if (only)
		put_filter(&m.out, of, only);
	r = specs_add(s, mem_out_str(&m), e);
	mem_out_deinit(&m);
	if (!r)
		s->v.v[s->v.n - 1].optional = of > sources;
	return r;
}

int taken_events(struct specs *s, const struct program_ids *only, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(sources); i++)
		r = add_source(s, &sources[i], only, e);
	return r;
}

int taken_cpus(struct taken *t, struct target_want *w, struct err *e)
{
	struct cpus cpus = { 0 };
	char text[512];
	bool known = true;

	for (size_t i = 0; i < t->found.v.n; i++) {
		known &= t->found.v.v[i].pinned >= 0;
		if (known)
			cpus_set(&cpus, (unsigned)t->found.v.v[i].pinned);
	}
	*w = (struct target_want){ .all = !known };
	if (!known)
		return 0;
	t->cpus = strdup(cpus_text(&cpus, text, sizeof(text)));
	w->cpus = t->cpus;
	return t->cpus ? 0 : err_nomem(e);
}

static uint8_t source_named(const struct tap *t)
{
	uint8_t i = 0;

	while (i < ARRAY_SIZE(sources) - 1 && strcmp(t->label, sources[i].name))
		i++;
	return i;
}

static int watch(struct taken *t, uint32_t tid, uint32_t pid)
{
	uint64_t *at = map_add(&t->of, tid, NULL);
	struct taken_thread *w = vec_add(&t->threads);
	int i = at && w ? gaps_watch(&t->gaps, tid) : -ENOMEM;

	if (i < 0)
		return i;
	*w = (struct taken_thread){ .pid = pid };
	*at = (uint64_t)i + 1;
	return 0;
}

int taken_begin(struct taken *t, struct feed *f, struct err *e)
{
	int r = 0;

	t->feed = f;
	t->source = arena_alloc(&f->arena, f->taps.n + 1);
	if (!t->source)
		return err_nomem(e);
	for (size_t i = 0; i < f->taps.n; i++)
		t->source[i] = source_named(&f->taps.v[i]);
	for (size_t i = 0; !r && i < t->found.v.n; i++)
		r = watch(t, (uint32_t)t->found.v.v[i].tid, (uint32_t)t->found.v.v[i].pid);
	return r ? err_nomem(e) : 0;
}

void taken_close(struct taken *t)
{
	map_deinit(&t->of);
	vec_free(&t->threads);
	names_deinit(&t->who);
	gaps_deinit(&t->gaps);
	poll_threads_deinit(&t->found);
	free(t->cpus);
}

/* --- names --- */

uint32_t taken_name(struct taken *t, const char *name)
{
	if (t->who.list.n >= NAMES_MAX && names_find(&t->who, name, strlen(name)) == NAMES_NONE)
		name = "others";
	return names_add(&t->who, name, strlen(name));
}

/* For threads, g->who is a tid: its name is looked up late, because it may still change by an exec. */
const char *taken_by(struct taken *t, const struct gap_piece *g)
{
	return g->cause == GAP_PREEMPTED ? feed_comm(t->feed, g->who) : names_str(&t->who, g->who);
}

const char *taken_cause(enum gap_cause c)
{
	static const char *const names[GAP_CAUSES] = {
		[GAP_PREEMPTED] = "preempted", [GAP_IRQ] = "interrupt", [GAP_SOFTIRQ] = "softirq", [GAP_IPI] = "ipi",
		[GAP_SYSCALL] = "system call", [GAP_ASLEEP] = "asleep",
	};

	return names[c];
}

/* --- hits --- */

/* The map is full: drop the threads that are not watched; they are checked again when they come again. */
static int forget_others(struct taken *t)
{
	map_deinit(&t->of);
	t->of = (struct map){ 0 };
	for (size_t i = 0; i < t->gaps.threads.n; i++) {
		uint64_t *at = map_add(&t->of, t->gaps.threads.v[i].tid, NULL);

		if (!at)
			return -ENOMEM;
		*at = i + 1;
	}
	return 0;
}

/* The index of the current thread, or -1 if it is not watched; -ENOMEM. */
static int running(struct taken *t, const struct hit *h)
{
	uint64_t *at = map_get(&t->of, h->tid);
	int r = 0;

	if (!at && h->tid && h->tid != UINT32_MAX) {
		if (t->of.n >= TIDS_MAX && forget_others(t))
			return -ENOMEM;
		/* A thread that was not found at the start: is it one to watch? */
		if (poll_is_chosen(&t->choice, h->pid, h->tid, feed_comm(t->feed, h->tid)))
			r = watch(t, h->tid, h->pid);
		else if (!(at = map_add(&t->of, h->tid, NULL)))
			r = -ENOMEM;
		if (r)
			return r;
		at = map_get(&t->of, h->tid);
	}
	return at && *at ? (int)*at - 1 : -1;
}

static void seen(struct taken *t, int i, const struct hit *h)
{
	struct taken_thread *w = &t->threads.v[i];

	if (!w->from)
		w->from = h->time;
	w->to = h->time;
	w->cpu = h->cpu;
}

static const char *text_of(const struct hit *h, unsigned field, char buf[40])
{
	struct sv text = h->event->field[field] ? tfmt_str(h->event->field[field], h->raw.p, h->raw.n) : sv_from("");

	snprintf(buf, 40, "%.*s", (int)MIN(text.n, 39u), text.s);
	return *buf ? buf : "?";
}

static int begin_gap(struct taken *t, int i, const struct hit *h, enum gap_cause cause, const char *who)
{
	struct gap_piece g = { .cause = cause, .who = taken_name(t, who) };

	return g.who == NAMES_NONE ? -ENOMEM : gaps_begin(&t->gaps, (size_t)i, h->cpu, h->time, &g);
}

static int begin_off(struct taken *t, int i, const struct hit *h, uint32_t next)
{
	/* prev_state has a flag for preemption since Linux 4.14: the thread is still runnable. */
	bool could_run = !(hit_field(h, SWITCH_PREV_STATE) & ~(uint64_t)TASKPROF_PREEMPTED);
	struct gap_piece g = { .cause = GAP_PREEMPTED, .who = next };

	if (!could_run)
		return begin_gap(t, i, h, GAP_ASLEEP, "its own doing");
	return gaps_begin(&t->gaps, (size_t)i, h->cpu, h->time, &g);
}

/* Take a thread's name from sched_switch: a recording may have no COMM record of it. */
static int learn_name(struct taken *t, const struct hit *h, uint32_t next)
{
	char name[40];

	if (!next || *feed_comm(t->feed, next) != ':')
		return 0;
	return resolver_comm(t->feed->session.resolver, next, next, text_of(h, SWITCH_NEXT_COMM, name), false);
}

static int switched(struct taken *t, const struct hit *h)
{
	uint32_t next = (uint32_t)hit_field(h, SWITCH_NEXT_PID);
	uint64_t *at;
	int i = running(t, h), r = i < -1 ? i : learn_name(t, h, next);

	if (r)
		return r;
	gaps_runs(&t->gaps, h->cpu, h->time, next);
	if (i >= 0) {
		seen(t, i, h);
		r = begin_off(t, i, h, next);
	}
	at = map_get(&t->of, next);
	if (r || !at || !*at)
		return r;
	seen(t, (int)*at - 1, h);
	r = gaps_end(&t->gaps, (size_t)*at - 1, h->time, GAP_PREEMPTED);
	return r ? r : gaps_end(&t->gaps, (size_t)*at - 1, h->time, GAP_ASLEEP);
}

static int interrupted(struct taken *t, const struct hit *h, const struct source_event *of)
{
	static const enum gap_cause causes[] = { [IRQ] = GAP_IRQ, [SOFTIRQ] = GAP_SOFTIRQ, [IPI] = GAP_IPI };
	char buf[40];
	const char *who = of->who;
	int i = running(t, h);

	if (i < 0)
		return i == -1 ? 0 : i;
	seen(t, i, h);
	if (of->is_end)
		return gaps_end(&t->gaps, (size_t)i, h->time, causes[of->what]);
	if (of->what == IRQ && !who) {
		who = text_of(h, IRQ_NAME, buf);
	} else if (of->what == SOFTIRQ) {
		who = tkind_softirq(hit_field(h, SOFTIRQ_VEC));
		who = who ? who : "?";
	}
	return begin_gap(t, i, h, causes[of->what], who);
}

int taken_hit(struct taken *t, const struct hit *h)
{
	const struct source_event *of = &sources[t->source[h->tap->index]];

	if (of->what == SWITCH)
		return hit_kind(h) == KIND_SCHED_SWITCH ? switched(t, h) : 0;
	return interrupted(t, h, of);
}

void taken_lost(struct taken *t, uint32_t cpu)
{
	gaps_lost(&t->gaps, cpu);
}
