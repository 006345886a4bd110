/*
 * loop.c - sonde ovs loop: how long each iteration of a program's main loop runs, and how long it waits for the next.
 * Measured by USDT probes, if Open vSwitch was built with them, else by its function that waits, else by system calls.
 */
#include "arch/arch.h"
#include "analyse/spread.h"
#include "engine/line.h"
#include "poll/poll.h"
#include "poll/program.h"
#include "prof/tasks.h"
#include "show/text.h"
#include "tracefs/kind.h"

#define NS_PER_S UINT64_C(1000000000)

struct want {
	struct prof_want prof;
	const char *by, *func, *than;
	bool per_thread;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Loop"),
	OPT_STR(0, "by", struct want, by, "markers|function|calls",
		"how to find iterations (default: the first that is available)"),
	OPT_STR(0, "func", struct want, func, "<name>", "function that blocks the loop (default: poll_block)"),
	OPT_STR(0, "than", struct want, than, "<time>", "print each iteration that ran longer: 500us, 5ms"),
	OPT_FLAG(0, "perins", struct want, per_thread, "rows per thread, for all threads that block there"),
	OPT_END,
};

enum way { MARKERS, FUNCTION, CALLS, WAYS };
static const char *const way_names[WAYS] = { "markers", "function", "calls" };

static const struct program_place run_start = { "main", "run_start" };

enum phase { NOTHING, RUNS, WAITS, PHASES };

struct turn {
	uint32_t tid;
	enum phase in;
	uint64_t since;
	struct spread spread[PHASES];    /* ns */
};

enum { TURNS_MAX = 4096 };

struct loop_view {
	struct prof *prof;
	enum way way;
	char text[200];                  /* a description of `way`, for the footer */
	int pid;
	char *target;                    /* the feed's target, a pid */
	VEC(struct turn) turns;
	struct map of;                   /* tid -> index + 1 */
	uint64_t than, dropped;
};

/* --- events --- */

static int by_markers(struct loop_view *l, struct prof *p, struct err *e)
{
	char path[PATH_MAX];
	int r = program_with(p->sys, l->pid, &run_start, path, sizeof(path), e);

	r = r ? r : program_event(p, e, "usdt:main:run_start@\"%s\"", path);
	snprintf(l->text, sizeof(l->text), "by the markers main:run_start and main:poll_block");
	return r ? r : program_event(p, e, "usdt:main:poll_block@\"%s\"", path);
}

static int by_function(struct loop_view *l, struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct program_place what = { NULL, w->func ? w->func : "poll_block" };
	char path[PATH_MAX];
	int r = program_with(p->sys, l->pid, &what, path, sizeof(path), e);

	/* phase_of_tap() relies on this order: the return first. */
	r = r ? r : program_event(p, e, "uretprobe:%s@\"%s\"", what.name, path);
	snprintf(l->text, sizeof(l->text), "by %.100s, which waits", what.name);
	return r ? r : program_event(p, e, "uprobe:%s@\"%s\"", what.name, path);
}

static const char *const calls[] = { "poll", "ppoll", "epoll_wait", "epoll_pwait", "epoll_pwait2" };

/* A filter for those system calls by number, and for the main thread; NULL: no memory. */
static const char *filter_of(struct loop_view *l, struct prof *p)
{
	enum { NUMBERS = 512 };
	const struct want *w = p->want;
	const char *kept, *between = "";
	struct mem_out m;

	mem_out_init(&m);
	out_char(&m.out, '(');
	for (unsigned nr = 0; nr < NUMBERS; nr++) {
		const char *name = arch_syscall_name(arch_native(), nr);

		for (size_t i = 0; name && i < ARRAY_SIZE(calls); i++) {
			if (strcmp(name, calls[i]))
				continue;
			out_printf(&m.out, "%sid==%u", between, nr);
			between = "||";
		}
	}
	out_char(&m.out, ')');
	if (!w->per_thread)
		out_printf(&m.out, "&&common_pid==%d", l->pid);
	kept = mem_out_str(&m);
	kept = arena_dup(&p->specs.arena, kept, m.n);
	mem_out_deinit(&m);
	return kept;
}

/* It is not known which of these calls the program uses to wait, so all are measured. */
static int by_calls(struct loop_view *l, struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	int r = program_event(p, e, "raw_syscalls:sys_exit");
	const char *kept;

	r = r ? r : program_event(p, e, "raw_syscalls:sys_enter");
	snprintf(l->text, sizeof(l->text), "by the calls poll, ppoll and epoll_wait%s%s",
		 w->by || w->prof.from.input ? "" : ": it has no such marker, and no function ",
		 w->by || w->prof.from.input ? "" : w->func ? w->func : "poll_block");
	if (r || w->prof.from.input)
		return r;
	kept = filter_of(l, p);
	for (size_t i = 0; kept && i < p->specs.v.n; i++)
		p->specs.v.v[i].filter = kept;
	return kept ? 0 : err_nomem(e);
}

static int (*const ways[WAYS])(struct loop_view *l, struct prof *p, struct err *e) = {
	by_markers, by_function, by_calls,
};

static int choose_way(struct loop_view *l, struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	int r = -ENOENT;

	for (unsigned i = 0; r == -ENOENT && i < WAYS; i++) {
		if (w->by && strcmp(w->by, way_names[i]))
			continue;
		l->way = (enum way)i;
		*e = (struct err){ 0 };
		r = ways[i](l, p, e);
	}
	return r;
}

/* Event names in recordings: of a run of this command, and of probes that were defined permanently. */
static const char *const recorded[] = {
	"usdt:main:run_start", "usdt:main:poll_block", "main:run_start", "main:poll_block",
};

/* In a recording, use those of these events that it has. */
static int add_recorded(struct loop_view *l, struct prof *p, struct err *e)
{
	int r = 0;

	l->way = MARKERS;
	for (size_t i = 0; !r && i < ARRAY_SIZE(recorded); i++)
		r = program_event(p, e, "%s", recorded[i]);
	r = r ? r : by_calls(l, p, e);
	for (size_t i = 0; !r && i < p->specs.v.n; i++)
		p->specs.v.v[i].optional = true;
	return r;
}

static int check(struct loop_view *l, struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct target_want t = w->prof.target;
	unsigned i = 0;
	int r = prof_own_only(p, e);

	if (r)
		return r;
	while (w->by && i < WAYS && strcmp(w->by, way_names[i]))
		i++;
	if (i == WAYS)
		return err_set(e, EINVAL, "--by %s: it is markers, function or calls", w->by);
	if (w->prof.from.input && (w->by || w->func))
		return err_set(e, EINVAL, "--by and --func say what is attached; a recording has what it has");
	if (t.cgroups || t.tids || p->argc || (!w->prof.from.input && (t.cpus || (t.pids && strchr(t.pids, ',')))))
		return err_set(e, EINVAL, "loop looks at one process: -p");
	if (w->than && !line_read_time(w->than, &l->than))
		return err_set(e, EINVAL, "--than %s: it is no time; 500us and 5ms are", w->than);
	return 0;
}

static int prepare(struct prof *p, struct err *e)
{
	struct want *w = p->want;
	struct loop_view *l = p->own;
	struct target_want *t = &w->prof.target;
	int r = check(l, p, e);

	l->prof = p;
	l->than = w->than ? l->than : UINT64_MAX;
	if (r || w->prof.from.input)
		return r ? r : add_recorded(l, p, e);
	/* The main thread's tid is the pid. */
	r = program_asked(p, &l->pid, &l->target, e);
	r = r ? r : choose_way(l, p, e);
	if (r)
		return r;
	*t = (struct target_want){ .no_inherit = true };
	*(w->per_thread ? &t->pids : &t->tids) = l->target;
	return 0;
}

/* Events come in pairs: the first of a pair begins an iteration, the second ends it. */
static enum phase phase_of_tap(const struct tap *t)
{
	return t->spec->group % 2 ? WAITS : RUNS;
}

static bool has(const struct prof *p, const char *event)
{
	for (size_t i = 0; i < p->feed.taps.n; i++)
		if (!strcmp(p->feed.taps.v[i].spec->event, event))
			return true;
	return false;
}

static int begin(struct prof *p, struct err *e)
{
	struct loop_view *l = p->own;
	bool live = feed_is_live(&p->feed);

	if (!live && !has(p, recorded[0]) && !has(p, recorded[2]))
		l->way = CALLS;
	if (!live && l->way == CALLS && !has(p, "raw_syscalls:sys_enter"))
		return err_set(e, ENOENT, "%s has neither main:run_start and main:poll_block nor raw_syscalls:*",
			       prof_want(p)->from.input);
	if (!live && l->way == MARKERS)
		snprintf(l->text, sizeof(l->text), "by the markers main:run_start and main:poll_block");
	return 0;
}

/* --- hits --- */

/* NULL: no memory (*r is set), or too many threads. */
static struct turn *turn_of(struct loop_view *l, uint32_t tid, int *r)
{
	uint64_t *at = map_get(&l->of, tid);
	struct turn *t;

	*r = 0;
	if (at)
		return &l->turns.v[*at - 1];
	if (l->turns.n == TURNS_MAX) {
		l->dropped++;
		return NULL;
	}
	at = map_add(&l->of, tid, NULL);
	t = vec_add(&l->turns);
	*r = at && t ? 0 : -ENOMEM;
	if (*r)
		return NULL;
	*at = l->turns.n;
	*t = (struct turn){ .tid = tid };
	return t;
}

/* Print a long iteration: "... [001] 12.345678: ovs-vswitchd 4711 ran 5.123 ms" */
static void tell(struct loop_view *l, const struct hit *h, uint64_t from)
{
	struct out *o = l->prof->feed.expr.out;
	char time[LINE_TIME];

	line_date(&l->prof->feed, from, o);
	out_printf(o, "[%03u] %llu.%06llu: ", h->cpu, (unsigned long long)(from / NS_PER_S),
		   (unsigned long long)(from / 1000 % 1000000));
	text_put(o, sv_from(feed_comm(&l->prof->feed, h->tid)), TEXT_ALL, TEXT_PLAIN);
	out_printf(o, " %u ran %s\n", h->tid, line_time(time, h->time - from));
}

static int enter(struct loop_view *l, const struct hit *h, enum phase next)
{
	int r;
	struct turn *t = turn_of(l, h->tid, &r);

	if (!t)
		return r;
	if (t->in != NOTHING && t->in != next && h->time >= t->since) {
		r = spread_add(&t->spread[t->in], h->time - t->since);
		if (t->in == RUNS && h->time - t->since > l->than)
			tell(l, h, t->since);
	}
	t->in = next;
	t->since = h->time;
	return r;
}

static bool is_wait(const struct loop_view *l, const struct hit *h)
{
	unsigned field = hit_kind(h) == KIND_SYS_EXIT ? (unsigned)SYS_EXIT_ID : (unsigned)SYS_ENTER_ID;
	const char *name = arch_syscall_name(l->prof->feed.session.arch, hit_field(h, field));

	for (size_t i = 0; name && i < ARRAY_SIZE(calls); i++)
		if (!strcmp(name, calls[i]))
			return true;
	return false;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct loop_view *l = p->own;
	const struct want *w = p->want;
	enum tkind kind = hit_kind(h);
	bool is_call = kind == KIND_SYS_ENTER || kind == KIND_SYS_EXIT;

	if (is_call != (l->way == CALLS) || (is_call && !is_wait(l, h)) || (!w->per_thread && h->tid != h->pid))
		return 0;
	return enter(l, h, phase_of_tap(h->tap));
}

static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct loop_view *l = p->own;

	for (size_t i = 0; i < l->turns.n; i++)
		l->turns.v[i].in = NOTHING;
	return 0;
}

/* --- the table --- */

static void put_row(struct loop_view *l, struct table *t, const struct turn *turn, enum phase phase)
{
	const struct spread *s = &turn->spread[phase];
	const double us = 1000;

	table_u64(t, turn->tid);
	table_str(t, feed_comm(&l->prof->feed, turn->tid));
	table_str(t, phase == RUNS ? "run" : "wait");
	table_u64(t, s->n);
	table_fixed(t, s->total / us, 1);
	table_fixed(t, (double)s->min / us, 1);
	table_fixed(t, (double)spread_at(s, 500) / us, 1);
	table_fixed(t, (double)spread_at(s, 950) / us, 1);
	table_fixed(t, (double)spread_at(s, 990) / us, 1);
	table_fixed(t, (double)s->max / us, 1);
}

static int by_tid(const void *a, const void *b)
{
	const struct turn *const *x = a, *const *y = b;

	return ((*x)->tid > (*y)->tid) - ((*x)->tid < (*y)->tid);
}

static int put_rows(struct loop_view *l, struct table *t)
{
	const struct turn **v = calloc(l->turns.n + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < l->turns.n; i++)
		v[i] = &l->turns.v[i];
	qsort(v, l->turns.n, sizeof(*v), by_tid);
	for (size_t i = 0; i < l->turns.n; i++)
		for (enum phase k = RUNS; k < PHASES; k++)
			if (v[i]->spread[k].n)
				put_row(l, t, v[i], k);
	free(v);
	return 0;
}

static void forget(struct loop_view *l)
{
	for (size_t i = 0; i < l->turns.n; i++)
		for (unsigned k = 0; k < PHASES; k++)
			spread_clear(&l->turns.v[i].spread[k]);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	static const struct table_col cols[] = {
		{ "thread", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
		{ "PHASE", "phase", TABLE_LEFT, 0 },
		{ "COUNT", "count", TABLE_RIGHT, 0 }, { "TOTAL us", "total_us", TABLE_RIGHT, 0 },
		{ "min", "min_us", TABLE_RIGHT, 0 }, { "p50", "p50_us", TABLE_RIGHT, 0 },
		{ "p95", "p95_us", TABLE_RIGHT, 0 }, { "p99", "p99_us", TABLE_RIGHT, 0 },
		{ "MAX us", "max_us", TABLE_RIGHT, 0 },
	};
	struct loop_view *l = p->own;
	struct table_want form = prof_table(p);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r = t ? put_rows(l, t) : -ENOMEM;

	prof_interval(p, o);
	r = r ? r : table_print(t, &form, o);
	table_free(t);
	forget(l);
	if (last)
		prof_count(p, o, l->dropped, "turns are in no row: there are too many threads");
	if (last && !prof_want(p)->form.quiet)
		p->how->note(p->how->arg, l->text);
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct loop_view *l = p->own;

	forget(l);
	vec_free(&l->turns);
	map_deinit(&l->of);
	free(l->target);
}

const struct prof_kind poll_loop = {
	.cmd = {
		.name = "loop", .family = "ovs",
		.brief = "Show run and wait times of the main loop's iterations",
		.synopsis = "[-p <pid>] [--than <time>] [options]",
		.details = PACKED(
			"Iterations are found by the USDT markers main:run_start and main:poll_block if Open vSwitch "
			"was built with them (--enable-usdt-probes; Debian's is not), else by its function poll_block, "
			"else, without symbols, by the system calls in which the main thread blocks; the output says "
			"which. To see what a long iteration does, use ovs delay with these as triggers."),
		.examples = PACKED(
			"sonde ovs loop -i 1000\tthe running switch, every second\n"
			"sonde ovs loop --than 5ms\tand each iteration longer than 5 ms\n"
			"sonde ovs loop -p 2347 --perins\tall threads: handlers, revalidators\n"
			"sonde ovs loop -p 2347 --by function --func wait_for_work\tanother program\n"
			"sonde ovs loop -i perf.data\ta recording of raw_syscalls:*, or of the markers"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct loop_view), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close,
};
