/* verb_funcprofile.c - sonde ftrace funcprofile: time spent in kernel functions, as perf ftrace profile prints it. */
#include "analyse/funcstat.h"
#include "cmd/ftrace/func_want.h"
#include "cmd/ftrace/verbs.h"
#include "show/table.h"
#include "tracing/knames.h"

struct want {
	struct func_want func;   /* first: see func_want.h */
	enum funcstat_key sort;
	uint64_t limit;
	bool by_task;
};

static int set_sort(void *want, const char *value, struct err *e)
{
	static const char *const keys[] = { "total", "avg", "max", "count", "self", "name" };
	struct want *w = want;

	static_assert(FUNCSTAT_NAME == ARRAY_SIZE(keys) - 1, "in the order of enum funcstat_key");
	for (size_t i = 0; value && i < ARRAY_SIZE(keys); i++)
		if (!strcmp(value, keys[i])) {
			w->sort = (enum funcstat_key)i;
			return 0;
		}
	return err_set(e, EINVAL, "'%s' is none of total, avg, max, count, self, name", value ? value : "");
}

static const struct opt opts[] = {
	OPT_SUB(func_filter_opts, struct want, func),
	OPT_CALL_WANT(0, "graph-opts", 0, func_graph_opts, "<opts>", "nosleep-time,noirqs,thresh=<us>,depth=<n>"),
	OPT_SUB(func_target_opts, struct want, func),
	OPT_HEAD("Output"),
	OPT_CALL_WANT('s', "sort", 0, set_sort, "<key>", "sort by total (default), avg, max, count, self, name"),
	OPT_FLAG(0, "per-thread", struct want, by_task, "one row per function and thread"),
	OPT_U64('n', "limit", struct want, limit, "<n>", "print only the first <n> rows"),
	OPT_SUB(func_form_opts, struct want, func),
	OPT_END,
};

struct prof {
	struct ctx *c;
	const struct want *w;
	struct func_run run;
	struct funcgraph graph;
	struct funcstat stat;
	struct knames names;
	struct arena arena;      /* names of rows */
	bool begun;              /* the run has begun: there may be records */
	bool wide;               /* print also the columns that perf lacks */
};

static int on_call(void *arg, const struct funcgraph_call *c)
{
	struct prof *p = arg;

	return funcstat_add(&p->stat, c);
}

static int begin(struct prof *p, struct err *e)
{
	struct live *l = &p->run.live;
	struct funcgraph_want fw = { .events = &l->source.trace, .call = on_call, .arg = p, .fresh = true };
	int r = func_begin(&p->run, e);

	r = r ? r : funcgraph_init(&p->graph, &fw, e);
	p->begun = !r;
	return r ? r : live_go(l, e);
}

/* Returns the exit code. */
static int count_calls(struct prof *p)
{
	struct source_rec rec;
	struct err e = { 0 };
	int r = begin(p, &e), what;

	while (!r && (what = source_next(&p->run.live.source, &rec, &e)) != SOURCE_END) {
		r = MIN(what, 0);
		if (what == SOURCE_RECORD && funcgraph_add(&p->graph, &rec.trace))
			r = err_nomem(&e);
	}
	return func_finish(&p->run, &p->graph, r, &e);
}

static int name_rows(struct prof *p, struct err *e)
{
	char buf[512];
	int r = knames_init(&p->names, p->c->sys, NULL, e);

	for (size_t i = 0; !r && i < p->stat.rows.n; i++) {
		struct funcstat_row *row = &p->stat.rows.v[i];

		knames_text(&p->names, row->func, buf, sizeof(buf));
		row->name = arena_dup(&p->arena, buf, strlen(buf));
		if (!row->name)
			r = err_nomem(e);
	}
	return r;
}

static uint64_t average(const struct funcstat_row *r)
{
	return (r->total + r->count / 2) / r->count;
}

/* The histogram is coarse, but minimum and maximum are exact. */
static uint64_t percentile(const struct funcstat_row *r, unsigned permille)
{
	return MAX(MIN(loghist_at(&r->times, permille), r->max), r->min);
}

enum { P50 = 500, P95 = 950, P99 = 990 };

static void text_row(const struct prof *p, const struct funcstat_row *r)
{
	struct out *o = p->c->out;

	func_put_us(o, r->total, 12);
	out_char(o, ' ');
	func_put_us(o, average(r), 10);
	out_char(o, ' ');
	func_put_us(o, r->max, 10);
	out_u64w(o, r->count, 11);
	if (p->wide) {
		uint64_t more[] = { r->self, percentile(r, P50), percentile(r, P95), percentile(r, P99) };

		for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
			out_char(o, ' ');
			func_put_us(o, more[i], i ? 10 : 12);
		}
	}
	if (p->w->by_task)
		out_u64w(o, r->pid, 9);
	out_printf(o, "   %s\n", r->name);
}

static void text_head(const struct prof *p)
{
	out_printf(p->c->out, "# Total (us)   Avg (us)   Max (us)      Count%s%s   Function\n",
		   p->wide ? "    Self (us)   p50 (us)   p95 (us)   p99 (us)" : "", p->w->by_task ? "      TID" : "");
}

static int data(const struct prof *p, const uint32_t *order, size_t n, struct err *e)
{
	static const struct table_col cols[] = {
		{ .head = "function" }, { .head = "tid" }, { .head = "count" }, { .head = "total" }, { .head = "self" },
		{ .head = "avg" }, { .head = "min" }, { .head = "max" }, { .head = "p50" }, { .head = "p95" },
		{ .head = "p99" },
	};
	const struct func_want *w = &p->w->func;
	struct table_want tw = { .form = w->json ? TABLE_JSON : TABLE_CSV, .sep = w->sep };
	struct table *t = table_new_stream(cols, ARRAY_SIZE(cols), &tw, p->c->out);

	if (!t)
		return err_nomem(e);
	for (size_t i = 0; i < n; i++) {
		const struct funcstat_row *r = &p->stat.rows.v[order[i]];
		uint64_t v[] = { r->count, r->total, r->self, average(r), r->min, r->max,
			percentile(r, P50), percentile(r, P95), percentile(r, P99) };

		table_str(t, r->name);
		if (p->w->by_task)
			table_u64(t, r->pid);
		else
			table_none(t);
		for (size_t k = 0; k < ARRAY_SIZE(v); k++)
			table_u64(t, v[k]);
	}

	int r = table_end(t) ? err_nomem(e) : 0;

	table_free(t);
	return r;
}

static int show(struct prof *p, struct err *e)
{
	size_t n = p->w->limit ? MIN(p->w->limit, p->stat.rows.n) : p->stat.rows.n;
	uint32_t *order = funcstat_order(&p->stat, p->w->sort);
	int r = 0;

	if (!order)
		return err_nomem(e);
	if (p->w->func.json || p->w->func.sep) {
		r = data(p, order, n, e);
	} else {
		text_head(p);
		for (size_t i = 0; i < n; i++)
			text_row(p, &p->stat.rows.v[order[i]]);
	}
	free(order);
	return r;
}

/* The self time of a call across a loss is unknown, so the sum in Self is too small. */
static void tell(const struct prof *p)
{
	const struct funcgraph_stats *s = &p->graph.stats;

	if (s->spanned && p->wide)
		cmd_note(p->c, "%llu of %llu calls were open while events were lost: their own time is not in Self",
			 (unsigned long long)s->spanned, (unsigned long long)s->calls);
}

static int profile(struct prof *p, char **argv)
{
	struct err e = { 0 };
	int r = func_setup(&p->run, p->c, &p->w->func, "function_graph", argv, &e), code;

	if (r == -EINVAL)
		return cmd_usage(p->c, cmd_verb(verbs, "funcprofile"), &e);
	if (r)
		return cmd_fail(p->c, &e);
	code = count_calls(p);
	if (!p->begun)
		return code;
	if (name_rows(p, &e) || show(p, &e))
		return cmd_fail(p->c, &e);
	tell(p);
	return code;
}

static int funcprofile_run(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	enum { WIDE = 120 };   /* width of a line with all columns and a name */
	const struct want *w = want;
	struct prof *p = calloc(1, sizeof(*p));
	struct err e = { 0 };
	int code;

	if (!p) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	p->c = c;
	p->w = w;
	p->stat.by = w->by_task ? FUNCSTAT_BY_TASK : FUNCSTAT_BY_FUNC;
	p->wide = strcmp(c->program, "perf") && (!c->out->width || c->out->width >= WIDE);
	code = profile(p, argv);
	func_end(&p->run);
	funcgraph_deinit(&p->graph);
	funcstat_deinit(&p->stat);
	knames_deinit(&p->names);
	arena_deinit(&p->arena);
	free(p);
	return code;
}

DEFINE_VERB(funcprofile, "funcprofile", .brief = "Time spent in kernel functions: perf ftrace profile",
	    .synopsis = "[options] [--] [command]",
	    .details = PACKED(
		       "Times are the function_graph tracer's, and include its overhead: short functions look longer "
		       "than they are. Self excludes traced callees. Percentiles are accurate to 1/32. Columns after "
		       "Count are left out if the terminal is too narrow."),
	    .examples = PACKED(
			"sonde ftrace funcprofile -a -T 'vfs_*' sleep 1\tentry points of the file systems, "
				"system-wide\n"
			"sonde ftrace funcprofile -G __arm64_sys_openat -s self -- ls\twhere open spends its time\n"
			"sonde ftrace funcprofile -p 123 --graph-opts depth=2,nosleep-time\ta running process, without "
				"sleep time\n"),
	    .opts = opts, .want_size = sizeof(struct want), .run = funcprofile_run);
