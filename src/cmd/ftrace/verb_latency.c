/*
 * verb_latency.c - sonde ftrace latency: a histogram of the time that a function takes (perf ftrace latency), or from
 * one event to another.
 */
#include "analyse/evpair.h"
#include "analyse/funcstat.h"
#include "cmd/annotate/inline.h"
#include "cmd/ftrace/func_want.h"
#include "cmd/ftrace/verbs.h"
#include "show/json.h"
#include "show/table.h"
#include "tracing/knames.h"

struct want {
	struct func_want func;   /* first: see func_want.h */
	bool nsec, bpf, hide_empty;
	uint64_t range, min, max;
	const char *from, *to, *key, *to_key;
};

/* perf's -e: "A,B". */
static int set_pair(void *want, const char *value, struct err *e)
{
	struct want *w = want;
	const char *comma, *end = "";
	int r = inline_cut(value, &comma, e);

	if (!r && *comma)
		r = inline_cut(comma + 1, &end, e);
	if (r)
		return r;
	if (!*comma || *end)
		return err_set(e, EINVAL, "two events are wanted: FROM,TO");
	w->from = value;
	w->to = comma + 1;
	return 0;
}

static const struct opt opts[] = {
	OPT_HEAD("Functions"),
	OPT_LIST('T', "trace-funcs", struct want, func.trace, "<func>",
		"function to measure; globs and repeated -T are summed up"),
	OPT_CALL_WANT(0, "graph-opts", 0, func_graph_opts, "<opts>", "nosleep-time: exclude sleep time"),
	OPT_HEAD("Or between two events"),
	OPT_STR(0, "from", struct want, from, "<event>", "start event: sched:sched_waking"),
	OPT_STR(0, "to", struct want, to, "<event>", "end event: sched:sched_switch"),
	OPT_STR(0, "key", struct want, key, "<field>", "field that is equal in both events (default common_pid)"),
	OPT_STR(0, "to-key", struct want, to_key, "<field>", "name of that field in the end event, if different"),
	OPT_CALL_WANT('e', "events", 0, set_pair, "<from>,<to>", "both events in one option"),
	OPT_SUB(func_target_opts, struct want, func),
	OPT_HEAD("Output"),
	OPT_FLAG('n', "use-nsec", struct want, nsec, "buckets start at 1 ns, not 1 us"),
	OPT_U64(0, "bucket-range", struct want, range, "<n>",
		"linear buckets of <n> us (with -n: ns), not powers of two"),
	OPT_U64(0, "min-latency", struct want, min, "<n>", "with --bucket-range: one bucket for everything shorter"),
	OPT_U64(0, "max-latency", struct want, max, "<n>", "with --bucket-range: one bucket for everything longer"),
	OPT_FLAG(0, "hide-empty", struct want, hide_empty, "do not print empty buckets"),
	OPT_SUB(func_form_opts, struct want, func),
	OPT_IGNORED('b', "use-bpf", FLAG, struct want, bpf),
	OPT_END,
};

enum { BUCKETS = 22, BUCKETS_MAX = 4096, BAR = 46 };

struct latency {
	struct ctx *c;
	const struct want *w;
	struct func_run run;
	struct funcgraph graph;
	struct evpair pair;
	bool pairs;
	bool begun;              /* the run has begun: there may be records */
	char from_text[256];     /* FROM of "FROM,TO" */
	struct inline_one from, to;   /* both events; resolved when the run begins */
	struct run_probes *probes;
	struct funcstat stat;
	struct knames names;
	uint64_t unit;           /* ns per unit of the buckets */
	uint64_t range, min, max;   /* in units; range 0: powers of two */
	uint64_t *count, total;
	size_t n;                /* buckets; the last one has no upper end */
};

/* --- buckets --- */

static int make_buckets(struct latency *l, struct err *e)
{
	const struct want *w = l->w;

	l->unit = w->nsec ? 1 : 1000;
	l->n = BUCKETS;
	if (!w->range && (w->min || w->max))
		return err_set(e, EINVAL, "--min-latency and --max-latency need --bucket-range");
	if (w->range > UINT32_MAX || w->min > UINT32_MAX || w->max > UINT32_MAX)
		return err_set(e, EINVAL, "that is too long for a latency");
	if (w->range) {
		l->range = w->range;
		l->min = w->min ? w->min : w->range;
		l->max = w->max ? w->max : l->min + (BUCKETS - 2) * l->range;
		if (l->max <= l->min)
			return err_set(e, EINVAL, "--max-latency is not above %s",
				       w->min ? "--min-latency" : "--bucket-range");

		uint64_t between = (l->max - l->min + l->range - 1) / l->range;

		if (between > BUCKETS_MAX)
			return err_set(e, EINVAL, "that makes %llu buckets: %u at most",
				       (unsigned long long)between, BUCKETS_MAX);
		l->n = (size_t)between + 2;
	}
	l->count = calloc(l->n, sizeof(*l->count));
	return l->count ? 0 : err_nomem(e);
}

static size_t bucket_of(const struct latency *l, uint64_t ns)
{
	uint64_t v = ns / l->unit;

	if (!l->range)
		return v ? MIN(64 - (size_t)__builtin_clzll(v), l->n - 1) : 0;
	return v < l->min ? 0 : v >= l->max ? l->n - 1 : (size_t)((v - l->min) / l->range) + 1;
}

/* The lower bound of a bucket, in units. */
static uint64_t bucket_from(const struct latency *l, size_t i)
{
	if (!i)
		return 0;
	if (!l->range)
		return UINT64_C(1) << (i - 1);
	return i == l->n - 1 ? l->max : l->min + (i - 1) * l->range;
}

/* --- records --- */

static int on_call(void *arg, const struct funcgraph_call *c)
{
	struct latency *l = arg;

	l->count[bucket_of(l, c->total)]++;
	l->total++;
	return funcstat_add(&l->stat, c);
}

static int on_pair(void *arg, uint64_t start, uint64_t end)
{
	return on_call(arg, &(struct funcgraph_call){ .total = end - start });
}

static int define_pairs(void *arg, struct run *run, struct err *e)
{
	struct latency *l = arg;
	struct inline_to to = { run->sys, run->undo, &run->top };
	int r = inline_define_one(&l->probes, &to, l->from_text, &l->from, e);

	return r ? r : inline_define_one(&l->probes, &to, l->w->to, &l->to, e);
}

static int begin_pairs(struct latency *l, struct err *e)
{
	const struct want *w = l->w;
	const char *key = w->key ? w->key : "common_pid";
	struct evpair_want pw = {
		&l->run.live.source.trace, l->from.name, l->to.name, key, w->to_key ? w->to_key : key, on_pair, l,
	};

	inline_notes(l->c, l->probes);
	return evpair_init(&l->pair, &pw, e);
}

static int begin(struct latency *l, struct err *e)
{
	struct funcgraph_want fw = { .events = &l->run.live.source.trace, .call = on_call, .arg = l, .fresh = true };
	int r = func_begin(&l->run, e);

	if (!r)
		r = l->pairs ? begin_pairs(l, e) : funcgraph_init(&l->graph, &fw, e);
	l->begun = !r;
	return r ? r : live_go(&l->run.live, e);
}

static int take(struct latency *l, const struct tstream_rec *rec)
{
	return l->pairs ? evpair_add(&l->pair, rec) : funcgraph_add(&l->graph, rec);
}

/* Returns the exit code. */
static int collect(struct latency *l)
{
	struct source_rec rec;
	struct err e = { 0 };
	int r = begin(l, &e), what;

	while (!r && (what = source_next(&l->run.live.source, &rec, &e)) != SOURCE_END) {
		r = MIN(what, 0);
		if (what == SOURCE_RECORD && take(l, &rec.trace))
			r = err_nomem(&e);
	}
	return func_finish(&l->run, l->pairs ? NULL : &l->graph, r, &e);
}

/* --- output --- */

static const char *row_name(struct latency *l, const struct funcstat_row *r, char *buf, size_t size)
{
	if (!l->pairs)
		return knames_text(&l->names, r->func, buf, size);
	snprintf(buf, size, "%s => %s", l->from.shown, l->to.shown);
	return buf;
}

/* Print a bound of a bucket in the unit of its row; div: that unit, a power of 1024, or of 1000 with a range. */
static void put_end(const struct latency *l, uint64_t v, uint64_t div, bool left)
{
	char text[32];

	if (!l->range || div == 1)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)(v / div));
	else
		snprintf(text, sizeof(text), "%llu.%02llu", (unsigned long long)(v / div),
			 (unsigned long long)(v % div * 100 / div));
	if (left)
		out_left(l->c->out, text, 4);
	else
		out_right(l->c->out, text, 4);
}

static void text_row(const struct latency *l, size_t i)
{
	static const char *const units[] = { "ns", "us", "ms", " s" };
	struct out *o = l->c->out;
	uint64_t from = bucket_from(l, i), step = l->range ? 1000 : 1024, div = 1;
	size_t unit = l->unit == 1 ? 0 : 1, bar = l->total ? (size_t)(l->count[i] * BAR / l->total) : 0;

	for (; from >= div * step && unit < ARRAY_SIZE(units) - 1; unit++)
		div *= step;
	out_str(o, "  ");
	put_end(l, from, div, false);
	out_str(o, " - ");
	if (i == l->n - 1)
		out_str(o, "... ");
	else
		put_end(l, bucket_from(l, i + 1), div, true);
	out_printf(o, " %s | %10llu | ", units[unit], (unsigned long long)l->count[i]);
	out_fill(o, '#', bar);
	out_fill(o, ' ', BAR - bar);
	out_str(o, " |\n");
}

/* Print a time in a unit that needs few digits. */
static void put_time(struct out *o, const char *what, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	uint64_t div = 1;
	size_t unit = 0;

	for (; ns >= div * 1000 && unit < ARRAY_SIZE(units) - 1; unit++)
		div *= 1000;
	out_printf(o, "  %s %llu", what, (unsigned long long)(ns / div));
	if (div > 1)
		out_printf(o, ".%03llu", (unsigned long long)(ns % div / (div / 1000)));
	out_printf(o, " %s", units[unit]);
}

struct figures {
	uint64_t avg, p50, p95, p99;
};

static struct figures figures_of(const struct funcstat_row *r)
{
	uint64_t p[3];
	static const unsigned at[] = { 500, 950, 990 };

	for (size_t i = 0; i < ARRAY_SIZE(at); i++)
		p[i] = MAX(MIN(loghist_at(&r->times, at[i]), r->max), r->min);
	return (struct figures){ (r->total + r->count / 2) / r->count, p[0], p[1], p[2] };
}

static void text(struct latency *l, const uint32_t *order)
{
	struct out *o = l->c->out;
	char name[512];

	out_printf(o, "# %14s | %10s | %-*s |\n", "  DURATION    ", "COUNT", BAR, "GRAPH");
	for (size_t i = 0; i < l->n; i++)
		if (l->count[i] || !l->w->hide_empty)
			text_row(l, i);
	out_char(o, '\n');
	for (size_t i = 0; i < l->stat.rows.n; i++) {
		const struct funcstat_row *r = &l->stat.rows.v[order[i]];
		struct figures f = figures_of(r);

		out_printf(o, "# %s: %llu %s", row_name(l, r, name, sizeof(name)),
			   (unsigned long long)r->count, l->pairs ? "times" : "calls");
		put_time(o, "min", r->min);
		put_time(o, "avg", f.avg);
		put_time(o, "p50", f.p50);
		put_time(o, "p95", f.p95);
		put_time(o, "p99", f.p99);
		put_time(o, "max", r->max);
		out_char(o, '\n');
	}
}

static void json_number(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_u64(j, v);
}

static void json(struct latency *l, const uint32_t *order)
{
	struct json j = json_on(l->c->out);
	char name[512];

	json_begin_object(&j);
	json_key(&j, "buckets");
	json_begin_array(&j);
	for (size_t i = 0; i < l->n; i++) {
		if (!l->count[i] && l->w->hide_empty)
			continue;
		json_line(&j);
		json_begin_object(&j);
		json_number(&j, "from_ns", bucket_from(l, i) * l->unit);
		if (i < l->n - 1)
			json_number(&j, "to_ns", bucket_from(l, i + 1) * l->unit);
		json_number(&j, "count", l->count[i]);
		json_end(&j);
	}
	json_end(&j);
	json_key(&j, "functions");
	json_begin_array(&j);
	for (size_t i = 0; i < l->stat.rows.n; i++) {
		const struct funcstat_row *r = &l->stat.rows.v[order[i]];
		struct figures f = figures_of(r);

		json_line(&j);
		json_begin_object(&j);
		json_key(&j, "function");
		json_str(&j, sv_from(row_name(l, r, name, sizeof(name))));
		json_number(&j, "count", r->count);
		json_number(&j, "total_ns", r->total);
		json_number(&j, "min_ns", r->min);
		json_number(&j, "avg_ns", f.avg);
		json_number(&j, "p50_ns", f.p50);
		json_number(&j, "p95_ns", f.p95);
		json_number(&j, "p99_ns", f.p99);
		json_number(&j, "max_ns", r->max);
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	out_char(l->c->out, '\n');
}

static int csv(const struct latency *l, struct err *e)
{
	static const struct table_col cols[] = { { .head = "from_ns" }, { .head = "to_ns" }, { .head = "count" } };
	const struct table_want w = { .form = TABLE_CSV, .sep = l->w->func.sep };
	struct table *t = table_new_stream(cols, ARRAY_SIZE(cols), &w, l->c->out);
	int r;

	for (size_t i = 0; t && i < l->n; i++) {
		if (!l->count[i] && l->w->hide_empty)
			continue;
		table_u64(t, bucket_from(l, i) * l->unit);
		if (i < l->n - 1)
			table_u64(t, bucket_from(l, i + 1) * l->unit);
		else
			table_none(t);
		table_u64(t, l->count[i]);
	}
	r = t && !table_end(t) ? 0 : err_nomem(e);
	table_free(t);
	return r;
}

static int show(struct latency *l, struct err *e)
{
	int r = l->pairs ? 0 : knames_init(&l->names, l->c->sys, NULL, e);
	uint32_t *order = r ? NULL : funcstat_order(&l->stat, FUNCSTAT_TOTAL);

	if (!order)
		return r ? r : err_nomem(e);
	if (l->w->func.json)
		json(l, order);
	else if (l->w->func.sep)
		r = csv(l, e);
	else
		text(l, order);
	free(order);
	return r;
}

/* Check that there is -T, or --from and --to, but not both. */
static int choose(struct latency *l, struct err *e)
{
	const struct want *w = l->w;
	const char *end;
	size_t n;
	int r;

	if (!w->from && !w->to) {
		if (w->func.trace.n)
			return 0;
		err_set(e, EINVAL, "no function to measure");
		return err_hint(
			e, "-T FUNCTION; sonde ftrace -F 'vfs_*' lists those that can be; or --from EVENT --to EVENT");
	}
	if (!w->from || !w->to || w->func.trace.n)
		return err_set(e, EINVAL, "--from and --to go together, and without -T");
	r = inline_cut(w->from, &end, e);
	if (!r && *end && end + 1 != w->to)
		r = err_set(e, EINVAL, "--from: one event is wanted, '%.40s' is too much", end);
	n = r ? 0 : (size_t)(end - w->from);
	if (n >= sizeof(l->from_text))
		return err_set(e, EINVAL, "--from: no event has so long a name");
	memcpy(l->from_text, w->from, n);
	l->pairs = true;
	return r;
}

static int set_up(struct latency *l, char **argv, struct err *e)
{
	const char *events[] = { l->from.name, l->to.name };
	int r = func_setup(&l->run, l->c, &l->w->func, l->pairs ? NULL : "function_graph", argv, e);

	for (size_t i = 0; !r && l->pairs && i < ARRAY_SIZE(events); i++) {
		struct plan_event *ev = vec_add(&l->run.plan.events);

		if (!ev)
			return err_nomem(e);
		ev->pattern = events[i];
	}
	return r;
}

static void tell_pairs(const struct latency *l)
{
	const struct evpair_stats *s = &l->pair.stats;

	if (s->discarded)
		cmd_note(l->c, "%llu pairs were open while events were lost: not counted",
			 (unsigned long long)s->discarded);
	if (s->starts && !s->pairs)
		cmd_note(l->c, "%llu starts, but no end with the same key: see --key and --to-key",
			 (unsigned long long)s->starts);
}

static int measure(struct latency *l, char **argv)
{
	struct err e = { 0 };
	int r = make_buckets(l, &e), code;

	if (!r)
		r = choose(l, &e);
	if (!r)
		r = set_up(l, argv, &e);
	if (r == -EINVAL)
		return cmd_usage(l->c, cmd_verb(verbs, "latency"), &e);
	if (r)
		return cmd_fail(l->c, &e);
	l->run.how.run.arg = l;
	l->run.how.run.before = l->pairs ? define_pairs : NULL;
	code = collect(l);
	if (!l->begun)
		return code;
	tell_pairs(l);
	return show(l, &e) ? cmd_fail(l->c, &e) : code;
}

static int latency_run(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	struct latency *l = calloc(1, sizeof(*l));
	struct err e = { 0 };
	int code;

	if (!l) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	l->c = c;
	l->w = want;
	l->run.c = c;
	code = measure(l, argv);
	func_end(&l->run);
	run_probes_free(l->probes);
	funcgraph_deinit(&l->graph);
	evpair_deinit(&l->pair);
	funcstat_deinit(&l->stat);
	knames_deinit(&l->names);
	free(l->count);
	free(l);
	return code;
}

DEFINE_VERB(latency, "latency", .brief = "Histogram of a kernel function's latency: perf ftrace latency",
	    .synopsis = "-T function | --from event --to event [options] [--] [command]",
	    .details = PACKED(
		    "Only the functions of -T are traced, not their callees. Percentiles are accurate to 1/32."),
	    .examples = PACKED(
			"sonde ftrace latency -a -T schedule sleep 1\tsystem-wide, for a second\n"
			"sonde ftrace latency -n -T vfs_read -p 123\ta running process until Ctrl-C, buckets from 1 "
				"ns\n"
			"sonde ftrace latency -T do_sys_openat2 --bucket-range 10 -- ls\tbuckets of 10 us\n"
			"sonde ftrace latency -a --from sched:sched_waking --to sched:sched_switch --key pid --to-key "
				"next_pid sleep 1\tfrom wakeup to running\n"
			"sonde ftrace latency -e kprobe:vfs_read,kretprobe:vfs_read ls\tprobes for the run\n"),
	    .opts = opts, .want_size = sizeof(struct want), .run = latency_run);
