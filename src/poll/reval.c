/*
 * reval.c - sonde ovs reval: the work of Open vSwitch's revalidator threads: how long a dump of all flows takes, how
 * many flows were checked and changed, how long it is until the next dump. Measured by USDT probes, if Open vSwitch was
 * built with them, else by functions of its library; its own numbers of flows are read through its control socket.
 */
#include "analyse/dumps.h"
#include "analyse/spread.h"
#include "packets/packets.h"
#include "poll/poll.h"
#include "poll/program.h"
#include "prof/tasks.h"
#include "show/text.h"

struct want {
	struct prof_want prof;
	const char *by;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Revalidators"),
	OPT_STR(0, "by", struct want, by, "markers|functions",
		"how to find dumps (default: the first that is available)"),
	OPT_END,
};

/* What an event means; in the order in which the events of each way come. */
enum what {
	BEGIN, ENTRY, RESULT, SWEPT, END,              /* USDT probes */
	CREATE, CREATED, JOIN, NEXT, OPERATE, DESTROYED,   /* functions */
	WHATS
};

struct place {
	enum what what;
	const char *provider, *name;     /* provider NULL: a function */
	const char *event;               /* a function's event, with %s for the file */
	bool optional;
	const char *number[2];           /* expressions for the numbers of an event; NULL: none */
};

/* Arguments as of Open vSwitch 3.1; since 3.4 there is also the reason. */
static const struct place by_markers[] = {
	{ BEGIN, "udpif_revalidator", "start_dump", NULL, false, { "arg1", "arg2" } },
	{ ENTRY, "revalidate_ukey__", "entry", NULL, true, { "arg1", NULL } },
	{ RESULT, "revalidate", "flow_result", NULL, true, { "arg1", "arg3" } },
	{ SWEPT, "revalidator_sweep__", "flow_sweep_result", NULL, true, { "arg1", "arg3" } },
	{ END, "udpif_revalidator", "sweep_done", NULL, false, { "arg3", NULL } },
};

#define ENTERED(name, fetched)  "uprobe:" name "@\"%s\"" fetched
#define RETURNED(name, fetched) "uretprobe:" name "@\"%s\"" fetched

static const struct place by_functions[] = {
	{ CREATE, NULL, "dpif_flow_dump_create", ENTERED("dpif_flow_dump_create", ""), false, { NULL, NULL } },
	{ CREATED, NULL, "dpif_flow_dump_create", RETURNED("dpif_flow_dump_create", "/dump=$retval:u64/"), false,
	  { "dump", NULL } },
	{ JOIN, NULL, "dpif_flow_dump_thread_create", ENTERED("dpif_flow_dump_thread_create", "/dump=$arg1:u64/"),
	  false, { "dump", NULL } },
	{ NEXT, NULL, "dpif_flow_dump_next", RETURNED("dpif_flow_dump_next", "/n=$retval:s32/"), false, { "n", NULL } },
	{ OPERATE, NULL, "dpif_operate", ENTERED("dpif_operate", "/n=$arg3:u64/"), false, { "n", NULL } },
	{ DESTROYED, NULL, "dpif_flow_dump_destroy", RETURNED("dpif_flow_dump_destroy", ""), false, { NULL, NULL } },
};

enum { PLACES_MAX = 8 };

struct view {
	struct dumps dumps;
	struct prof_tasks tasks;
	struct packets packets;
	const struct place *of[PLACES_MAX];              /* by index of the event */
	const struct texpr *number[PLACES_MAX][2];
	bool has_checked;
	struct spread took, waited;                      /* ns */
	char *pids;
};

/* --- events --- */

static int add_place(struct view *v, struct prof *p, int pid, const struct place *at, struct err *e)
{
	const struct program_place what = { at->provider, at->name };
	char path[PATH_MAX];
	int r = program_with(p->sys, pid, &what, path, sizeof(path), e);

	if (r == -ENOENT && at->optional)
		return 0;
	if (r)
		return r;
	v->of[p->specs.v.n] = at;
	v->has_checked |= at->what == ENTRY;
	if (at->provider)
		return program_event(p, e, "usdt:%s:%s@\"%s\"", at->provider, at->name, path);
	/* at->event is a constant of the table, so it is safe as a format. */
	return program_event(p, e, at->event, path);
}

static int add_places(struct view *v, struct prof *p, int pid, const struct place *at, size_t n, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < n; i++)
		r = add_place(v, p, pid, &at[i], e);
	return r;
}

static int add_events(struct view *v, struct prof *p, int pid, struct err *e)
{
	const struct want *w = p->want;
	bool any = !w->by;
	int r = -ENOENT;

	if (any || !strcmp(w->by, "markers"))
		r = add_places(v, p, pid, by_markers, ARRAY_SIZE(by_markers), e);
	if (r != -ENOENT || (!any && strcmp(w->by, "functions")))
		return r;
	*e = (struct err){ 0 };
	p->specs.v.n = 0;
	r = add_places(v, p, pid, by_functions, ARRAY_SIZE(by_functions), e);
	if (r == -ENOENT)
		err_hint(e, "Open vSwitch has them where its library is one of its own, or was not stripped");
	return r;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct view *v = p->own;
	int pid, r = prof_own_only(p, e);

	if (r)
		return r;
	if (w->by && strcmp(w->by, "markers") && strcmp(w->by, "functions"))
		return err_set(e, EINVAL, "--by %s: it is markers or functions", w->by);
	if (w->prof.from.input)
		return err_set(e, EINVAL, "reval sets probes of its own: no recording has them");
	if (w->prof.target.cgroups || w->prof.target.tids || w->prof.target.cpus || p->argc)
		return err_set(e, EINVAL, "reval looks at one process: -p");
	r = program_asked(p, &pid, &v->pids, e);
	prof_want(p)->target.pids = v->pids;
	r = r ? r : add_events(v, p, pid, e);
	r = r ? r : prof_tasks_add(p, e);
	/* A program without control socket is fine: then there are no numbers of its own. */
	if (!r && packets_open(&v->packets, p->sys, pid, &(struct err){ 0 }) == -ENOMEM)
		r = err_nomem(e);
	return r;
}

static size_t index_of(const struct prof *p, const struct tap *t)
{
	return (size_t)(t->spec - p->specs.v.v);
}

static int begin(struct prof *p, struct err *e)
{
	struct view *v = p->own;
	int r = prof_tasks_open(&v->tasks, p, e);

	for (size_t i = 0; !r && i < p->feed.taps.n; i++) {
		const struct tap *t = &p->feed.taps.v[i];
		size_t at = index_of(p, t);

		for (unsigned k = 0; !r && k < 2; k++)
			if (v->of[at] && v->of[at]->number[k])
				r = feed_compile(&p->feed, &v->number[at][k], t, v->of[at]->number[k], e);
	}
	return r;
}

/* --- hits --- */

static int create(struct view *v, const struct hit *h, const uint64_t *n)
{
	int r = dumps_begin(&v->dumps, h->tid, h->time, n ? n[1] : DUMPS_UNKNOWN);

	if (n)
		dumps_name(&v->dumps, h->tid, n[0]);
	return r;
}

/* A number of flows; a negative one is an error of the datapath and counts as 0. */
static uint64_t flows(uint64_t n)
{
	return (int32_t)n > 0 ? (uint32_t)n : 0;
}

/* result: Open vSwitch's enum reval_result; 0: the flow is kept. */
static bool is_changed(uint64_t result)
{
	return (uint32_t)result;
}

static int take(struct view *v, const struct hit *h, enum what what, const uint64_t *n)
{
	struct dumps *d = &v->dumps;

	switch (what) {
	case BEGIN:
		return create(v, h, n);
	case CREATE:
		return create(v, h, NULL);
	case CREATED:
		dumps_name(d, h->tid, n[0]);
		return 0;
	case JOIN:
		return dumps_join(d, h->tid, n[0]);
	case NEXT:
		dumps_count(d, dumps_of(d, h->tid), DUMPS_DUMPED, flows(n[0]));
		return 0;
	case OPERATE:
		dumps_count(d, dumps_of(d, h->tid), DUMPS_CHANGED, flows(n[0]));
		return 0;
	case ENTRY:
		dumps_count(d, n[0], DUMPS_CHECKED, 1);
		return 0;
	case RESULT:
		dumps_count(d, n[0], DUMPS_DUMPED, 1);
		dumps_count(d, n[0], DUMPS_CHANGED, is_changed(n[1]));
		return 0;
	case SWEPT:
		dumps_count(d, n[0], DUMPS_CHANGED, is_changed(n[1]));
		return 0;
	case END:
		dumps_end(d, h->tid, h->time, n[0]);
		return 0;
	default:
		dumps_end(d, h->tid, h->time, DUMPS_UNKNOWN);
		return 0;
	}
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct view *v = p->own;
	size_t at = index_of(p, h->tap);
	uint64_t n[2] = { 0 };
	int r = prof_tasks_follow(&v->tasks, h);

	if (r || !v->of[at] || !prof_tasks_has(&v->tasks, h->tid))
		return r;
	for (unsigned k = 0; k < 2; k++)
		if (v->number[at][k])
			n[k] = expr_number(&p->feed.expr, v->number[at][k], h, 0);
	return take(v, h, v->of[at]->what, n);
}

static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct view *v = p->own;

	dumps_break(&v->dumps);
	return 0;
}

/* --- the table --- */

static const struct table_col cols[] = {
	{ "TIME s", "time_s", TABLE_RIGHT, 0 }, { "leader", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
	{ "FLOWS", "n_flows", TABLE_RIGHT, 0 }, { "dumped", "n_dumped_flows", TABLE_RIGHT, 0 },
	{ "checked", "n_reval_flows", TABLE_RIGHT, 0 }, { "changed", "n_changed_flows", TABLE_RIGHT, 0 },
	{ "avg", "avg_n_flows", TABLE_RIGHT, 0 }, { "max", "max_n_flows", TABLE_RIGHT, 0 },
	{ "limit", "flow_limit", TABLE_RIGHT, 0 }, { "DUMP ms", "dump_duration_ms", TABLE_RIGHT, 0 },
	{ "asked", "poll_wait_ms", TABLE_RIGHT, 0 }, { "WAIT ms", "actual_wait_ms", TABLE_RIGHT, 0 },
};

static void put_known(struct table *t, uint64_t n, bool known)
{
	if (known && n != DUMPS_UNKNOWN)
		table_u64(t, n);
	else
		table_none(t);
}

/* told: the switch's own numbers, if it has a single datapath; NULL: unknown. */
static int put_dump(struct prof *p, struct table *t, const struct flow_dump *d, const struct ovs_flows *told)
{
	struct view *v = p->own;
	const double ms = 1e6;

	table_fixed(t, (double)d->begun / 1e9, 6);
	table_u64(t, d->leader);
	table_str(t, feed_comm(&p->feed, d->leader));
	put_known(t, d->flows, true);
	table_u64(t, d->number[DUMPS_DUMPED]);
	put_known(t, d->number[DUMPS_CHECKED], v->has_checked);
	table_u64(t, d->number[DUMPS_CHANGED]);
	put_known(t, told ? told->average : 0, told);
	put_known(t, told ? told->most : 0, told);
	put_known(t, told ? told->limit : 0, told);
	table_fixed(t, (double)(d->ended - d->begun) / ms, 3);
	put_known(t, d->asked, true);
	if (d->wait == DUMPS_UNKNOWN)
		table_none(t);
	else
		table_fixed(t, (double)d->wait / ms, 3);
	return spread_add(&v->took, d->ended - d->begun) ||
	       (d->wait != DUMPS_UNKNOWN && spread_add(&v->waited, d->wait)) ? -ENOMEM : 0;
}

static void put_spread(const struct spread *s, const char *what, struct out *o)
{
	const double ms = 1e6;

	if (s->n)
		out_printf(o, "%llu %s: p50 %.3f ms, p95 %.3f, p99 %.3f, max %.3f\n", (unsigned long long)s->n, what,
			   (double)spread_at(s, 500) / ms, (double)spread_at(s, 950) / ms,
			   (double)spread_at(s, 990) / ms, (double)s->max / ms);
}

static void put_told(const struct ovs_flows *f, struct out *o)
{
	text_put(o, sv_from(f->name), TEXT_ALL, TEXT_PLAIN);
	out_printf(o,
		   ": %llu flows, %llu on average, %llu at most, limit %llu; its last dump took %llu ms, as it says\n",
		   (unsigned long long)f->current, (unsigned long long)f->average, (unsigned long long)f->most,
		   (unsigned long long)f->limit, (unsigned long long)f->dump_ms);
}

static void put_rest(struct prof *p, bool last, const struct ovs_flows *told, int n, struct out *o)
{
	struct view *v = p->own;
	bool is_text = prof_table(p).form == TABLE_TEXT;

	for (int i = 0; is_text && i < n; i++)
		put_told(&told[i], o);
	if (is_text && last) {
		put_spread(&v->took, "dumps", o);
		put_spread(&v->waited, "waits", o);
	}
	prof_count(p, o, v->dumps.broken, "dumps of which something was lost");
	prof_count(p, o, v->dumps.dropped, "are in no row: there are too many dumps or threads");
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct view *v = p->own;
	struct table_want form = prof_table(p);
	struct ovs_flows told[OVS_DATAPATHS];
	/* The program may have ended: then n is an error. */
	int n = packets_flows(&v->packets, told, &(struct err){ 0 }), r = last ? dumps_finish(&v->dumps) : 0;
	struct table *t = r ? NULL : table_new(cols, ARRAY_SIZE(cols));

	if (!t)
		return err_nomem(e);
	for (size_t i = 0; !r && i < v->dumps.done.n; i++)
		r = put_dump(p, t, &v->dumps.done.v[i], n == 1 ? &told[0] : NULL);
	prof_interval(p, o);
	r = r ? r : table_print(t, &form, o);
	table_free(t);
	put_rest(p, last, told, n, o);
	dumps_forget(&v->dumps);
	if (last && !prof_want(p)->form.quiet)
		p->how->note(p->how->arg, v->of[0]->provider ? "by its markers" :
			     "by functions of its library: it has no markers, so what is checked, and how long it "
			     "means to wait, is not told");
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct view *v = p->own;

	dumps_deinit(&v->dumps);
	spread_clear(&v->took);
	spread_clear(&v->waited);
	packets_close(&v->packets);
	prof_tasks_close(&v->tasks);
	free(v->pids);
}

const struct prof_kind poll_reval = {
	.cmd = {
		.name = "reval", .family = "ovs",
		.brief = "Show revalidator rounds: flows dumped, checked, changed; duration",
		.synopsis = "[-p <pid>] [options]",
		.details = PACKED(
			"One row per dump of all flows of a datapath: flows dumped, flows checked against the rules "
			"(n_reval_flows), changed and removed, duration until the sweep ended, and how long the leader "
			"intended to wait, and did. The switch's own flow count, average and limit are read from its "
			"control socket at the end of each interval. Dumps are found by the USDT markers "
			"udpif_revalidator:start_dump and sweep_done if Open vSwitch was built with them "
			"(--enable-usdt-probes), else by dpif_flow_dump_create and its like, which need symbols. Other "
			"dumps of flows, such as ovs-appctl dpctl/dump-flows, have rows, too."),
		.examples = PACKED(
			"sonde ovs reval\tthe running switch, until Ctrl-C\n"
			"sonde ovs reval -i 1000\tevery second\n"
			"sonde ovs reval -p 2347 -x,\tas CSV, columns named as in Open vSwitch's script"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct view), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
