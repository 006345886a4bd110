/*
 * steal.c - sonde pmd steal: what takes the CPU of a polling thread from it: interrupts, soft interrupts, other
 * threads. Only what events tell: what firmware takes no event tells of.
 */
#include "analyse/gaps.h"
#include "analyse/spread.h"
#include "analyse/taskprof.h"
#include "engine/line.h"
#include "poll/poll.h"
#include "poll/threads.h"
#include "prof/tasks.h"
#include "show/text.h"
#include "tracefs/kind.h"

#define NS_PER_S UINT64_C(1000000000)

struct want {
	struct prof_want prof;
	const char *than;
	bool per_thread;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Gaps"),
	OPT_STR(0, "than", struct want, than, "<time>", "show each gap that took longer: 20us, 1ms"),
	OPT_FLAG(0, "perins", struct want, per_thread, "rows by thread"),
	OPT_END,
};

/* ns: of these events what begins and ends. Those that a kernel does not have are passed over. */
enum what { SWITCH, IRQ, SOFTIRQ, IPI };
static const struct source_event {
	const char *name;
	enum what what;
	bool is_end;
	const char *who;                 /* NULL: a field of it tells */
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

enum { ROWS_MAX = 1 << 14, NAMES_MAX = 1 << 14, TIDS_MAX = 1 << 16 };

struct row {
	uint32_t tid, who;               /* tid 0: of all */
	enum gap_cause cause;
	struct spread spread;            /* ns */
};

/* A thread that is watched, in the order of gaps' threads. */
struct watched {
	uint32_t pid;
	uint64_t from, to;               /* ns: seen */
	uint64_t faults;                 /* so far, as the kernel counts them */
	uint32_t cpu;
	uint64_t ticks, taken;           /* timers' interrupts; others that ran instead */
};

struct steal {
	struct gaps gaps;
	struct poll_threads found;       /* live, at the start */
	struct poll_choice choice;
	char *cpus;                      /* the feed's target */
	struct map of;                   /* thread -> index + 1; 0: it is not meant */
	VEC(struct watched) watched;
	struct names who;
	struct map rows_of;
	VEC(struct row) rows;
	uint8_t *source;                 /* by tap */
	uint64_t than, without;
	bool has_than;
	struct prof *prof;
};

/* --- events, and where they are looked for --- */

/* Those that are pinned are on known CPUs; else any may be theirs. */
static int choose_cpus(struct steal *s, struct prof *p, struct err *e)
{
	struct target_want *t = &prof_want(p)->target;
	struct cpus cpus = { 0 };
	char text[512];
	bool known = true;

	for (size_t i = 0; i < s->found.v.n; i++) {
		known &= s->found.v.v[i].pinned >= 0;
		if (known)
			cpus_set(&cpus, (unsigned)s->found.v.v[i].pinned);
	}
	*t = (struct target_want){ .all = !known };
	if (!known)
		return 0;
	s->cpus = strdup(cpus_text(&cpus, text, sizeof(text)));
	t->cpus = s->cpus;
	return s->cpus ? 0 : err_nomem(e);
}

static int add_events(struct prof *p, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(sources); i++) {
		r = prof_add(p, sources[i].name, e);
		if (!r)
			p->specs.v.v[p->specs.v.n - 1].optional = i > 0;
	}
	return r;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct steal *s = p->own;
	int r = prof_own_only(p, e);

	if (r)
		return r;
	if (w->prof.target.cgroups || p->argc)
		return err_set(e, EINVAL, "steal looks at threads that poll: -p, -C or -t, and no command");
	if (w->than && !line_read_time(w->than, &s->than))
		return err_set(e, EINVAL, "--than %s: it is no time; 20us and 1ms are", w->than);
	s->has_than = w->than;
	s->prof = p;
	s->choice = (struct poll_choice){ w->prof.target.pids, w->prof.target.tids };
	r = w->prof.from.input ? 0 : poll_threads_find(&s->found, p->sys, &w->prof.target, e);
	if (!r && !w->prof.from.input)
		r = choose_cpus(s, p, e);
	return r ? r : add_events(p, e);
}

static const struct source_event *source_of(const struct steal *s, const struct hit *h)
{
	return &sources[s->source[h->tap->index]];
}

static uint8_t source_named(const struct tap *t)
{
	uint8_t i = 0;

	while (i < ARRAY_SIZE(sources) - 1 && strcmp(t->label, sources[i].name))
		i++;
	return i;
}

/* --- rows --- */

static uint32_t who_is(struct steal *s, const char *name)
{
	if (s->who.list.n >= NAMES_MAX && names_find(&s->who, name, strlen(name)) == NAMES_NONE)
		name = "others";
	return names_add(&s->who, name, strlen(name));
}

static struct row *row_for(struct steal *s, uint32_t tid, const struct gap_piece *g)
{
	const struct want *w = s->prof->want;
	uint64_t key = hash_u64((uint64_t)(w->per_thread ? tid : 0) << 32 | g->who) ^ (uint64_t)g->cause << 60;
	bool is_new;
	uint64_t *at;

	if (s->rows.n == ROWS_MAX && !map_get(&s->rows_of, key))
		return NULL;
	at = map_add(&s->rows_of, key, &is_new);
	if (!at)
		return NULL;
	if (is_new) {
		struct row *r = vec_add(&s->rows);

		if (!r)
			return NULL;
		*r = (struct row){ .tid = w->per_thread ? tid : 0, .who = g->who, .cause = g->cause };
		*at = s->rows.n - 1;
	}
	return &s->rows.v[*at];
}

/* Who runs may call another program meanwhile: of threads it is known at the end how they are called. */
static const char *who_name(struct steal *s, const struct gap_piece *g)
{
	return g->cause == GAP_PREEMPTED ? feed_comm(&s->prof->feed, g->who) : names_str(&s->who, g->who);
}

static int take_piece(void *arg, const struct gap_thread *t, const struct gap_piece *g)
{
	struct steal *s = arg;
	struct watched *w = &s->watched.v[t - s->gaps.threads.v];
	struct gap_piece named = *g;
	struct row *r;

	if (g->cause == GAP_PREEMPTED)
		named.who = who_is(s, who_name(s, g));
	if (named.who == NAMES_NONE)
		return -ENOMEM;
	w->taken += g->cause == GAP_PREEMPTED;
	w->ticks += g->cause == GAP_IRQ && strstr(names_str(&s->who, named.who), "timer");
	r = row_for(s, t->tid, &named);
	s->without += !r;
	return r ? spread_add(&r->spread, g->ns) : 0;
}

static const char *cause_name(enum gap_cause c)
{
	static const char *const names[GAP_CAUSES] = {
		[GAP_PREEMPTED] = "preempted", [GAP_IRQ] = "interrupt", [GAP_SOFTIRQ] = "softirq", [GAP_IPI] = "ipi",
		[GAP_SYSCALL] = "system call", [GAP_ASLEEP] = "asleep",
	};

	return names[c];
}

static void put_us(struct out *o, uint64_t ns)
{
	out_printf(o, "%llu.%llu us", (unsigned long long)(ns / 1000), (unsigned long long)(ns / 100 % 10));
}

static void put_name(struct out *o, const char *name)
{
	text_put(o, sv_from(name), TEXT_ALL, TEXT_PLAIN);
	out_char(o, ' ');
}

/* "... [005] 12.345678: pmd-c05/id:9 1904.0 us: preempted by kworker/5:1 1900.1 us, softirq TIMER 3.9 us" */
static int take_gap(void *arg, const struct gap *g)
{
	struct steal *s = arg;
	struct prof *p = s->prof;
	struct out *o = p->feed.expr.out;

	if (!s->has_than || g->to - g->from <= s->than)
		return 0;
	line_date(&p->feed, g->from, o);
	out_printf(o, "[%03u] %llu.%06llu: ", g->cpu, (unsigned long long)(g->from / NS_PER_S),
		   (unsigned long long)(g->from / 1000 % 1000000));
	put_name(o, feed_comm(&p->feed, g->tid));
	put_us(o, g->to - g->from);
	for (unsigned i = 0; i < g->n; i++) {
		out_printf(o, "%s%s ", i ? ", " : ": ", cause_name(g->pieces[i].cause));
		if (g->pieces[i].cause == GAP_PREEMPTED)
			out_str(o, "by ");
		put_name(o, who_name(s, &g->pieces[i]));
		put_us(o, g->pieces[i].ns);
	}
	if (g->others) {
		out_str(o, ", others ");
		put_us(o, g->others);
	}
	out_char(o, '\n');
	return 0;
}

/* --- hits --- */

static int watch(struct steal *s, uint32_t tid, uint32_t pid)
{
	uint64_t *at = map_add(&s->of, tid, NULL);
	struct watched *w = vec_add(&s->watched);
	int i = at && w ? gaps_watch(&s->gaps, tid) : -ENOMEM;

	if (i < 0)
		return i;
	*w = (struct watched){ .pid = pid };
	*at = (uint64_t)i + 1;
	return 0;
}

/* Those that are not meant are asked about again. */
static int forget_others(struct steal *s)
{
	map_deinit(&s->of);
	s->of = (struct map){ 0 };
	for (size_t i = 0; i < s->gaps.threads.n; i++) {
		uint64_t *at = map_add(&s->of, s->gaps.threads.v[i].tid, NULL);

		if (!at)
			return -ENOMEM;
		*at = i + 1;
	}
	return 0;
}

/* Index of the thread that runs there, or -1; -ENOMEM. */
static int running(struct steal *s, const struct hit *h)
{
	uint64_t *at = map_get(&s->of, h->tid);
	int r = 0;

	if (!at && h->tid && h->tid != UINT32_MAX) {
		if (s->of.n >= TIDS_MAX && forget_others(s))
			return -ENOMEM;
		/* Live some were found before it began, and others may come. */
		if (poll_is_chosen(&s->choice, h->pid, h->tid, feed_comm(&s->prof->feed, h->tid)))
			r = watch(s, h->tid, h->pid);
		else if (!(at = map_add(&s->of, h->tid, NULL)))
			r = -ENOMEM;
		if (r)
			return r;
		at = map_get(&s->of, h->tid);
	}
	return at && *at ? (int)*at - 1 : -1;
}

static void seen(struct steal *s, int i, const struct hit *h)
{
	struct watched *w = &s->watched.v[i];

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

static int begin_gap(struct steal *s, int i, const struct hit *h, enum gap_cause cause, const char *who)
{
	struct gap_piece g = { .cause = cause, .who = who_is(s, who) };

	return g.who == NAMES_NONE ? -ENOMEM : gaps_begin(&s->gaps, (size_t)i, h->cpu, h->time, &g);
}

static int begin_off(struct steal *s, int i, const struct hit *h, uint32_t next)
{
	/* Beside the states: it could have run on, Linux 4.14. */
	bool could_run = !(hit_field(h, SWITCH_PREV_STATE) & ~(uint64_t)TASKPROF_PREEMPTED);
	struct gap_piece g = { .cause = GAP_PREEMPTED, .who = next };

	if (!could_run)
		return begin_gap(s, i, h, GAP_ASLEEP, "its own doing");
	return gaps_begin(&s->gaps, (size_t)i, h->cpu, h->time, &g);
}

/* A recording may have no other name of it. */
static int learn_name(struct steal *s, const struct hit *h, uint32_t next)
{
	char name[40];

	if (!next || *feed_comm(&s->prof->feed, next) != ':')
		return 0;
	return resolver_comm(s->prof->feed.session.resolver, next, next, text_of(h, SWITCH_NEXT_COMM, name), false);
}

static int switched(struct steal *s, const struct hit *h)
{
	uint32_t next = (uint32_t)hit_field(h, SWITCH_NEXT_PID);
	uint64_t *at;
	int i = running(s, h), r = i < -1 ? i : learn_name(s, h, next);

	if (r)
		return r;
	gaps_runs(&s->gaps, h->cpu, h->time, next);
	if (i >= 0) {
		seen(s, i, h);
		r = begin_off(s, i, h, next);
	}
	at = map_get(&s->of, next);
	if (r || !at || !*at)
		return r;
	seen(s, (int)*at - 1, h);
	r = gaps_end(&s->gaps, (size_t)*at - 1, h->time, GAP_PREEMPTED);
	return r ? r : gaps_end(&s->gaps, (size_t)*at - 1, h->time, GAP_ASLEEP);
}

static int interrupted(struct steal *s, const struct hit *h, const struct source_event *of)
{
	static const enum gap_cause causes[] = { [IRQ] = GAP_IRQ, [SOFTIRQ] = GAP_SOFTIRQ, [IPI] = GAP_IPI };
	char buf[40];
	const char *who = of->who;
	int i = running(s, h);

	if (i < 0)
		return i == -1 ? 0 : i;
	seen(s, i, h);
	if (of->is_end)
		return gaps_end(&s->gaps, (size_t)i, h->time, causes[of->what]);
	if (of->what == IRQ && !who) {
		who = text_of(h, IRQ_NAME, buf);
	} else if (of->what == SOFTIRQ) {
		who = tkind_softirq(hit_field(h, SOFTIRQ_VEC));
		who = who ? who : "?";
	}
	return begin_gap(s, i, h, causes[of->what], who);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct steal *s = p->own;
	const struct source_event *of = source_of(s, h);

	if (of->what == SWITCH)
		return hit_kind(h) == KIND_SCHED_SWITCH ? switched(s, h) : 0;
	return interrupted(s, h, of);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct steal *s = p->own;

	gaps_lost(&s->gaps, cpu);
	return 0;
}

/* Since the last time; events of each would be those of all programs on its CPU. */
static uint64_t new_faults(struct steal *s, size_t i)
{
	struct watched *w = &s->watched.v[i];
	int tid = (int)s->gaps.threads.v[i].tid;
	uint64_t minor, major, before = w->faults;

	if (!feed_is_live(&s->prof->feed) ||
	    !poll_thread_stat(s->prof->sys, (int)w->pid, tid, POLL_STAT_MINOR_FAULTS, &minor) ||
	    !poll_thread_stat(s->prof->sys, (int)w->pid, tid, POLL_STAT_MAJOR_FAULTS, &major))
		return 0;
	w->faults = minor + major;
	return w->faults - MIN(before, w->faults);
}

static int begin(struct prof *p, struct err *e)
{
	struct steal *s = p->own;
	int r = 0;

	s->gaps.piece = take_piece;
	s->gaps.gap = take_gap;
	s->gaps.arg = s;
	s->source = arena_alloc(&p->feed.arena, p->feed.taps.n + 1);
	if (!s->source)
		return err_nomem(e);
	for (size_t i = 0; i < p->feed.taps.n; i++)
		s->source[i] = source_named(&p->feed.taps.v[i]);
	for (size_t i = 0; !r && i < s->found.v.n; i++) {
		r = watch(s, (uint32_t)s->found.v.v[i].tid, (uint32_t)s->found.v.v[i].pid);
		if (!r)
			new_faults(s, s->watched.n - 1);
	}
	return r ? err_nomem(e) : 0;
}

/* --- the table --- */

static int by_total(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->spread.total != y->spread.total)
		return x->spread.total < y->spread.total ? 1 : -1;
	return (int)x->cause - (int)y->cause;
}

static void put_row(const struct steal *s, const struct row *r, struct table *t)
{
	const struct want *w = s->prof->want;

	if (w->per_thread) {
		table_u64(t, r->tid);
		table_str(t, feed_comm(&s->prof->feed, r->tid));
	}
	table_str(t, cause_name(r->cause));
	table_u64(t, r->spread.n);
	table_fixed(t, r->spread.total / 1000, 1);
	table_fixed(t, (double)spread_at(&r->spread, 500) / 1000, 1);
	table_fixed(t, (double)spread_at(&r->spread, 990) / 1000, 1);
	table_fixed(t, (double)r->spread.max / 1000, 1);
	table_str(t, names_str(&s->who, r->who));
}

static struct table *new_table(const struct steal *s, struct table_col cols[9])
{
	static const struct table_col all[] = {
		{ "thread", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
		{ "CAUSE", "cause", TABLE_LEFT, 0 },
		{ "COUNT", "count", TABLE_RIGHT, 0 }, { "TOTAL us", "total_us", TABLE_RIGHT, 0 },
		{ "p50", "p50_us", TABLE_RIGHT, 0 }, { "p99", "p99_us", TABLE_RIGHT, 0 },
		{ "MAX us", "max_us", TABLE_RIGHT, 0 }, { "who", NULL, TABLE_LEFT, 0 },
	};
	const struct want *w = s->prof->want;
	size_t from = w->per_thread ? 0 : 2;

	memcpy(cols, all + from, sizeof(all) - from * sizeof(*all));
	return table_new(cols, ARRAY_SIZE(all) - from);
}

/* What would spare a thread that: only what this machine's own files say is asked. */
static void advise(struct steal *s, const struct watched *w, uint32_t tid)
{
	struct prof *p = s->prof;
	struct cpus full = { 0 };
	char text[1024], line[200];
	struct err e = { 0 };
	double seconds = (double)(w->to - w->from) / (double)NS_PER_S;
	double ticks = seconds > 0 ? (double)w->ticks / seconds : 0;

	if (sys_read_line(p->sys, text, sizeof(text), "/sys/devices/system/cpu/nohz_full") >= 0)
		cpus_parse(&full, sv_from(text), &e);
	if (ticks > 10 && !cpus_has(&full, w->cpu)) {
		snprintf(line, sizeof(line), "CPU %u takes some %.0f timer interrupts a second: nohz_full=%u on the "
					     "kernel's command line leaves one", w->cpu, ticks, w->cpu);
		p->how->note(p->how->arg, line);
	}
	full = (struct cpus){ 0 };
	if (sys_read_line(p->sys, text, sizeof(text), "/sys/devices/system/cpu/isolated") >= 0)
		cpus_parse(&full, sv_from(text), &e);
	if (w->taken && !cpus_has(&full, w->cpu)) {
		snprintf(line, sizeof(line), "others run on CPU %u beside thread %u: isolcpus=%u, or a cpuset of its "
					     "own, keeps them away", w->cpu, tid, w->cpu);
		p->how->note(p->how->arg, line);
	}
}

static void end(struct steal *s)
{
	struct prof *p = s->prof;

	if (prof_want(p)->form.quiet)
		return;
	if (!s->watched.n)
		p->how->note(p->how->arg, "no thread that polls was seen");
	for (size_t i = 0; feed_is_live(&p->feed) && i < s->watched.n; i++)
		if (s->watched.v[i].from)
			advise(s, &s->watched.v[i], s->gaps.threads.v[i].tid);
}

static void put_sums(struct steal *s, struct out *o)
{
	uint64_t ns = 0, faults = 0;

	for (size_t i = 0; i < s->watched.n; i++) {
		ns += s->watched.v[i].to - s->watched.v[i].from;
		faults += new_faults(s, i);
		s->watched.v[i].from = s->watched.v[i].to;
		s->watched.v[i].ticks = s->watched.v[i].taken = 0;
	}
	if (prof_table(s->prof).form == TABLE_TEXT)
		out_printf(o, "%zu thread%s, seen for %llu.%03llu s\n", s->watched.n, s->watched.n == 1 ? "" : "s",
			   (unsigned long long)(ns / NS_PER_S), (unsigned long long)(ns / 1000000 % 1000));
	prof_count(s->prof, o, faults, "page faults");
	prof_count(s->prof, o, s->gaps.discarded, "are left out: their beginning or end was lost");
	prof_count(s->prof, o, s->without, "are in no row: there are too many");
	s->gaps.discarded = s->without = 0;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct steal *s = p->own;
	struct table_want form = prof_table(p);
	struct table_col cols[9];
	struct table *t = new_table(s, cols);
	int r = gaps_tell(&s->gaps, p->to, last);

	if (s->rows.n)
		qsort(s->rows.v, s->rows.n, sizeof(*s->rows.v), by_total);
	for (size_t i = 0; t && i < s->rows.n; i++)
		put_row(s, &s->rows.v[i], t);
	prof_interval(p, o);
	r = r ? r : t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	if (last)
		end(s);
	put_sums(s, o);
	for (size_t i = 0; i < s->rows.n; i++)
		spread_clear(&s->rows.v[i].spread);
	s->rows.n = 0;
	map_deinit(&s->rows_of);
	s->rows_of = (struct map){ 0 };
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct steal *s = p->own;

	for (size_t i = 0; i < s->rows.n; i++)
		spread_clear(&s->rows.v[i].spread);
	vec_free(&s->rows);
	map_deinit(&s->rows_of);
	map_deinit(&s->of);
	vec_free(&s->watched);
	names_deinit(&s->who);
	gaps_deinit(&s->gaps);
	poll_threads_deinit(&s->found);
	free(s->cpus);
}

const struct prof_kind poll_steal = {
	.cmd = {
		.name = "steal", .family = "pmd",
		.brief = "What takes the CPU from threads that poll: who, how often, how long",
		.synopsis = "[-p <pids> | -t <tids> | -C <cpus>] [--than <time>] [options]",
		.details =
			"Interrupts by handler, soft interrupts by kind, interrupts between CPUs, and threads that ran "
			"instead (the one that ran longest is named), from tracepoints of the CPUs that these threads "
			"are pinned to. Each counts without what nests in it. Sleep is the thread's own doing. What no "
			"event tells of, as of firmware, is not in it.",
		.examples =
			"sonde pmd steal -C 5 --than 20us\tthe loop on CPU 5; gaps above 20 us, each\n"
			"sonde pmd steal -p 2347 -i 1000 --perins\ta switch's threads, each second\n"
			"sonde pmd steal -t 2351\ta thread, whatever it is called\n"
			"sonde pmd steal -i perf.data\tof a recording of sched:sched_switch, irq:*",
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct steal), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
