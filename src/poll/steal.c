/*
 * steal.c - sonde pmd steal: what takes the CPU away from a polling thread: interrupts, soft interrupts, other threads.
 * Time taken by firmware is not seen, since it has no events.
 */
#include "analyse/spread.h"
#include "engine/line.h"
#include "poll/poll.h"
#include "poll/taken.h"
#include "prof/tasks.h"
#include "show/text.h"

#define NS_PER_S UINT64_C(1000000000)

struct want {
	struct prof_want prof;
	const char *than;
	bool per_thread;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Gaps"),
	OPT_STR(0, "than", struct want, than, "<time>", "print each gap longer than this: 20us, 1ms"),
	OPT_FLAG(0, "perins", struct want, per_thread, "rows per thread"),
	OPT_END,
};

enum { ROWS_MAX = 1 << 14 };

struct row {
	uint32_t tid, who;               /* tid 0: all threads */
	enum gap_cause cause;
	struct spread spread;            /* ns */
};

struct steal {
	struct taken taken;
	struct map rows_of;
	VEC(struct row) rows;
	uint64_t than, without;
	bool has_than;
	struct prof *prof;
};

/* --- events, and the CPUs to measure --- */

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
	s->taken.choice = (struct poll_choice){ w->prof.target.pids, w->prof.target.tids };
	r = w->prof.from.input ? 0 : poll_threads_find(&s->taken.found, p->sys, &w->prof.target, e);
	if (!r && !w->prof.from.input)
		r = taken_cpus(&s->taken, &prof_want(p)->target, e);
	return r ? r : taken_events(&p->specs, NULL, e);
}

/* --- rows --- */

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

static int take_piece(void *arg, const struct gap_thread *t, const struct gap_piece *g)
{
	struct steal *s = arg;
	struct taken_thread *w = &s->taken.threads.v[t - s->taken.gaps.threads.v];
	struct gap_piece named = *g;
	struct row *r;

	if (g->cause == GAP_PREEMPTED)
		named.who = taken_name(&s->taken, taken_by(&s->taken, g));
	if (named.who == NAMES_NONE)
		return -ENOMEM;
	w->taken += g->cause == GAP_PREEMPTED;
	w->ticks += g->cause == GAP_IRQ && strstr(names_str(&s->taken.who, named.who), "timer");
	r = row_for(s, t->tid, &named);
	s->without += !r;
	return r ? spread_add(&r->spread, g->ns) : 0;
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

/* Print a long gap: "... [005] 12.345678: pmd-c05/id:9 1904.0 us: preempted by kworker/5:1 1900.1 us, softirq ..." */
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
		out_printf(o, "%s%s ", i ? ", " : ": ", taken_cause(g->pieces[i].cause));
		if (g->pieces[i].cause == GAP_PREEMPTED)
			out_str(o, "by ");
		put_name(o, taken_by(&s->taken, &g->pieces[i]));
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

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	return taken_hit(&((struct steal *)p->own)->taken, h);
}

static int lost(struct prof *p, uint32_t cpu)
{
	taken_lost(&((struct steal *)p->own)->taken, cpu);
	return 0;
}

/* Page faults since the last call, from /proc: a tracepoint would hit for all programs on the CPU. */
static uint64_t new_faults(struct steal *s, size_t i)
{
	struct taken_thread *w = &s->taken.threads.v[i];
	int tid = (int)s->taken.gaps.threads.v[i].tid;
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
	int r;

	s->taken.gaps.piece = take_piece;
	s->taken.gaps.gap = take_gap;
	s->taken.gaps.arg = s;
	r = taken_begin(&s->taken, &p->feed, e);
	for (size_t i = 0; !r && i < s->taken.threads.n; i++)
		new_faults(s, i);
	return r;
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
	table_str(t, taken_cause(r->cause));
	table_u64(t, r->spread.n);
	table_fixed(t, r->spread.total / 1000, 1);
	table_fixed(t, (double)spread_at(&r->spread, 500) / 1000, 1);
	table_fixed(t, (double)spread_at(&r->spread, 990) / 1000, 1);
	table_fixed(t, (double)r->spread.max / 1000, 1);
	table_str(t, names_str(&s->taken.who, r->who));
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

/* Advice how to avoid the interruptions, based on this machine's settings in /sys and /proc only. */
static void advise(struct steal *s, const struct taken_thread *w, uint32_t tid)
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
	if (!s->taken.threads.n)
		p->how->note(p->how->arg, "no thread that polls was seen");
	for (size_t i = 0; feed_is_live(&p->feed) && i < s->taken.threads.n; i++)
		if (s->taken.threads.v[i].from)
			advise(s, &s->taken.threads.v[i], s->taken.gaps.threads.v[i].tid);
}

static void put_sums(struct steal *s, struct out *o)
{
	uint64_t ns = 0, faults = 0;
	size_t n = s->taken.threads.n;

	for (size_t i = 0; i < n; i++) {
		struct taken_thread *w = &s->taken.threads.v[i];

		ns += w->to - w->from;
		faults += new_faults(s, i);
		w->from = w->to;
		w->ticks = w->taken = 0;
	}
	if (prof_table(s->prof).form == TABLE_TEXT)
		out_printf(o, "%zu thread%s, seen for %llu.%03llu s\n", n, n == 1 ? "" : "s",
			   (unsigned long long)(ns / NS_PER_S), (unsigned long long)(ns / 1000000 % 1000));
	prof_count(s->prof, o, faults, "page faults");
	prof_count(s->prof, o, s->taken.gaps.discarded, "are left out: their beginning or end was lost");
	prof_count(s->prof, o, s->without, "are in no row: there are too many");
	s->taken.gaps.discarded = s->without = 0;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct steal *s = p->own;
	struct table_want form = prof_table(p);
	struct table_col cols[9];
	struct table *t = new_table(s, cols);
	int r = gaps_tell(&s->taken.gaps, p->to, last);

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
	taken_close(&s->taken);
}

const struct prof_kind poll_steal = {
	.cmd = {
		.name = "steal", .family = "pmd",
		.brief = "Show what interrupts polling threads: source, count, duration",
		.synopsis = "[-p <pids> | -t <tids> | -C <cpus>] [--than <time>] [options]",
		.details = PACKED(
			"IRQs by handler, softirqs by vector, IPIs, and threads that ran instead (the one that ran "
			"longest is named), from tracepoints on the CPUs that the polling threads are pinned to. Times "
			"exclude nested interrupts. Sleep is voluntary. What has no tracepoint, such as firmware, is "
			"not included."),
		.examples = PACKED(
			"sonde pmd steal -C 5 --than 20us\tthe loop on CPU 5, each gap above 20 us\n"
			"sonde pmd steal -p 2347 -i 1000 --perins\tthreads of a switch, every second\n"
			"sonde pmd steal -t 2351\tany thread\n"
			"sonde pmd steal -i perf.data\ta recording of sched:sched_switch, irq:*"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct steal), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
