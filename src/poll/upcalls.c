/*
 * upcalls.c - sonde ovs upcalls: how many packets the kernel's datapath passes to Open vSwitch's handler threads, how
 * many it failed to pass, and how long handlers take. Measured by the functions dpif_recv and dpif_operate.
 */
#include "analyse/upcalls.h"

#include "poll/poll.h"
#include "poll/program.h"
#include "prof/tasks.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_END,
};

/* What an event means, by index of its spec. */
enum what { READ, TELL, TOLD, RAISED, REFUSED, WHATS };

enum { ERRORS = 134 };                   /* more than the largest errno, EHWPOISON (133) */

struct view {
	struct upcalls upcalls;
	struct prof_tasks tasks;
	const struct texpr *ret;         /* return value of dpif_recv */
	const struct texpr *refused;     /* return value of the kernel's ovs_dp_upcall; NULL: it is not probed */
	bool has_raised;
	uint64_t raised, lost[ERRORS];
	char *pids;
};

/* --- events --- */

static int add_functions(struct prof *p, int pid, struct err *e)
{
	static const struct program_place recv = { NULL, "dpif_recv" };
	char path[PATH_MAX];
	int r = program_with(p->sys, pid, &recv, path, sizeof(path), e);

	if (r)
		return err_hint(e, "Open vSwitch's library has it where it is one of its own, or was not stripped");
	r = program_event(p, e, "uretprobe:dpif_recv@\"%s\"/ret=$retval:s32/", path);
	r = r ? r : program_event(p, e, "uprobe:dpif_operate@\"%s\"", path);
	return r ? r : program_event(p, e, "uretprobe:dpif_operate@\"%s\"", path);
}

/* The tracepoint exists since Linux 5.14. Without the kernel's datapath (module openvswitch) there is neither event. */
static int add_kernel(struct prof *p, struct err *e)
{
	size_t from = p->specs.v.n;
	int r = program_event(p, e, "openvswitch:ovs_dp_upcall");

	r = r ? r : program_event(p, e, "kretprobe:ovs_dp_upcall/ret=$retval:s32/");
	for (size_t i = from; i < p->specs.v.n; i++)
		p->specs.v.v[i].optional = true;
	return r;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct prof_want *w = prof_want(p);
	struct view *v = p->own;
	int pid, r = prof_own_only(p, e);

	if (r)
		return r;
	if (w->from.input)
		return err_set(e, EINVAL, "upcalls sets probes of its own: no recording has them");
	if (w->target.cgroups || w->target.tids || w->target.cpus || p->argc)
		return err_set(e, EINVAL, "upcalls looks at one process: -p");
	r = program_asked(p, &pid, &v->pids, e);
	prof_want(p)->target.pids = v->pids;
	r = r ? r : add_functions(p, pid, e);
	r = r ? r : add_kernel(p, e);
	return r ? r : prof_tasks_add(p, e);
}

static enum what what_of(const struct prof *p, const struct tap *t)
{
	return (enum what)(t->spec - p->specs.v.v);
}

static int begin(struct prof *p, struct err *e)
{
	struct view *v = p->own;
	int r = prof_tasks_open(&v->tasks, p, e);

	for (size_t i = 0; !r && i < p->feed.taps.n; i++) {
		const struct tap *t = &p->feed.taps.v[i];

		v->has_raised |= what_of(p, t) == RAISED;
		if (what_of(p, t) == READ)
			r = feed_compile(&p->feed, &v->ret, t, "ret", e);
		else if (what_of(p, t) == REFUSED)
			r = feed_compile(&p->feed, &v->refused, t, "ret", e);
	}
	return r;
}

/* --- hits --- */

static void refused(struct view *v, int32_t ret)
{
	if (ret >= 0)
		return;
	upcalls_lose(&v->upcalls);
	v->lost[MIN((unsigned)-ret, ERRORS - 1u)]++;
}

static void raised(struct view *v, uint64_t time)
{
	upcalls_raise(&v->upcalls, time);
	v->raised++;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct view *v = p->own;
	enum what what = what_of(p, h->tap);
	int r = prof_tasks_follow(&v->tasks, h);

	if (r || what >= WHATS)
		return r;
	if (what == RAISED)
		raised(v, h->time);
	else if (what == REFUSED)
		refused(v, (int32_t)expr_number(&p->feed.expr, v->refused, h, 0));
	else if (!prof_tasks_has(&v->tasks, h->tid))
		return 0;
	else if (what == READ)
		return upcalls_read(&v->upcalls, h->tid, h->time, !(int32_t)expr_number(&p->feed.expr, v->ret, h, 1));
	else if (what == TELL)
		upcalls_tell(&v->upcalls, h->tid, h->time);
	else
		return upcalls_told(&v->upcalls, h->tid, h->time);
	return 0;
}

static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct view *v = p->own;

	upcalls_break(&v->upcalls);
	return 0;
}

/* --- the table --- */

static void put_row(struct prof *p, struct table *t, const struct upcalls_thread *u, enum upcalls_segment i)
{
	static const char *const names[UPCALLS_SEGMENTS] = { "wait", "receive", "decide", "install", "total" };
	const struct spread *s = &u->segments[i];
	const double us = 1000;

	table_u64(t, u->tid);
	table_str(t, feed_comm(&p->feed, u->tid));
	table_u64(t, u->upcalls);
	table_u64(t, u->batch.max);
	table_str(t, names[i]);
	table_u64(t, s->n);
	table_fixed(t, (double)spread_at(s, 500) / us, 1);
	table_fixed(t, (double)spread_at(s, 950) / us, 1);
	table_fixed(t, (double)spread_at(s, 990) / us, 1);
	table_fixed(t, (double)s->max / us, 1);
}

/* Threads that received no upcall get no rows; and there is no row for waits if they are not known. */
static void put_thread(struct prof *p, struct table *t, const struct upcalls_thread *u)
{
	for (enum upcalls_segment i = 0; u->upcalls && i < UPCALLS_SEGMENTS; i++)
		if (i != UPCALLS_WAIT || u->segments[i].n)
			put_row(p, t, u, i);
}

static void put_kernel(struct prof *p, struct out *o)
{
	struct view *v = p->own;
	char what[100];

	if (v->has_raised)
		prof_count(p, o, v->raised, "upcalls of the kernel's datapath");
	for (int i = 1; i < ERRORS; i++) {
		snprintf(what, sizeof(what), "of them lost: %s", err_name(i));
		prof_count(p, o, v->lost[i], what);
	}
	prof_count(p, o, v->upcalls.untold, "upcalls of which the datapath was not told");
	prof_count(p, o, v->upcalls.dropped, "are in no row: there are too many threads");
	v->raised = 0;
	memset(v->lost, 0, sizeof(v->lost));
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	static const struct table_col cols[] = {
		{ "thread", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
		{ "UPCALLS", "upcalls", TABLE_RIGHT, 0 }, { "most at once", "batch_max", TABLE_RIGHT, 0 },
		{ "SEGMENT", "segment", TABLE_LEFT, 0 }, { "BATCHES", "batches", TABLE_RIGHT, 0 },
		{ "p50", "p50_us", TABLE_RIGHT, 0 }, { "p95", "p95_us", TABLE_RIGHT, 0 },
		{ "p99", "p99_us", TABLE_RIGHT, 0 }, { "MAX us", "max_us", TABLE_RIGHT, 0 },
	};
	struct view *v = p->own;
	struct table_want form = prof_table(p);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	if (!t)
		return err_nomem(e);
	for (size_t i = 0; i < v->upcalls.threads.n; i++)
		put_thread(p, t, &v->upcalls.threads.v[i]);
	prof_interval(p, o);
	r = table_print(t, &form, o);
	table_free(t);
	put_kernel(p, o);
	upcalls_forget(&v->upcalls);
	if (last && !v->has_raised && !prof_want(p)->form.quiet)
		p->how->note(p->how->arg, "this kernel does not tell of upcalls (openvswitch:ovs_dp_upcall, Linux "
					  "5.14, of the module openvswitch): only what was read is counted");
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct view *v = p->own;

	upcalls_deinit(&v->upcalls);
	prof_tasks_close(&v->tasks);
	free(v->pids);
}

const struct prof_kind poll_upcalls = {
	.cmd = {
		.name = "upcalls", .family = "ovs",
		.brief = "Show upcalls per handler thread: count, losses, latencies",
		.synopsis = "[-p <pid>] [options]",
		.details = PACKED(
			"Per handler thread: wait: from the kernel to the thread, for upcalls with no other in flight; "
			"receive: from the first to the last of a batch; decide: until their flows are given to the "
			"datapath; install: the datapath call; total: the last three. It probes dpif_recv and "
			"dpif_operate of Open vSwitch's library, so the program must have symbols. Upcalls raised and "
			"lost in the kernel are shown if the kernel has openvswitch:ovs_dp_upcall, with a kprobe on "
			"ovs_dp_upcall. The user-space datapath has no upcalls: see pmd."),
		.examples = PACKED(
			"sonde ovs upcalls\tthe running switch, until Ctrl-C\n"
			"sonde ovs upcalls -p 2347 -i 1000 -j\tevery second, as JSON"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct view), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
