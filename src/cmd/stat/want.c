/* want.c - the options of stat. */
#include "cmd/stat/want.h"

static int add_filter(void *want, const char *value, struct err *e)
{
	struct stat_what_want *w = want;

	if (!w->events.n)
		return err_set(e, EINVAL, "stands before any -e: it belongs to the event in front of it");
	w->filters[w->events.n - 1] = value;
	return 0;
}

static const struct opt what_opts[] = {
	OPT_HEAD("What to count"),
	OPT_LIST('e', "event", struct stat_what_want, events, "<events>",
		 "events to count, groups {a,b}, tracepoints; see sonde list"),
	OPT_CALL_WANT(0, "filter", 0, add_filter, "<expr>", "filter for the tracepoints of the -e before it"),
	OPT_FLAG(0, "all-user", struct stat_what_want, all_user, "user space only"),
	OPT_FLAG(0, "all-kernel", struct stat_what_want, all_kernel, "kernel only"),
	OPT_COUNT('d', "detailed", struct stat_what_want, detail,
		  "count cache events, too; -d -d: TLBs, too; -d -d -d: prefetches, too"),
	OPT_LIST('M', "metrics", struct stat_what_want, metrics, "<names>",
		 "metrics to print: topdown, ipc, l1d_cache_mpki, MPKI ... (see sonde list metric)"),
	OPT_LIST(0, "metric", struct stat_what_want, metrics, "<names>", "same as -M"),
	OPT_FLAG(0, "topdown", struct stat_what_want, topdown, "same as -M topdown"),
	OPT_STR(0, "max-overhead", struct stat_what_want, max_overhead, "<percent>",
		"limit the overhead of probes to this share of a core by switching them on and off; counts are "
		"estimates"),
	OPT_FLAG('n', "null", struct stat_what_want, null_run, "count no events, only measure time"),
	OPT_END,
};

static const struct opt when_opts[] = {
	OPT_HEAD("How long, how often"),
	OPT_U64('r', "repeat", struct stat_when_want, repeat, "<n>",
		"run the command <n> times, print mean and deviation"),
	OPT_U64('I', "interval-print", struct stat_when_want, interval_ms, "<ms>",
		"print counts every <ms>"),
	OPT_U64(0, "interval-count", struct stat_when_want, interval_count, "<n>", "stop after <n> intervals"),
	OPT_U64(0, "timeout", struct stat_when_want, timeout_ms, "<ms>", "stop after this time"),
	OPT_END,
};

static const struct opt sums_opts[] = {
	OPT_FLAG('A', "no-aggr", struct stat_sums_want, no_aggr, "show each CPU separately"),
	OPT_FLAG(0, "per-core", struct stat_sums_want, per_core, "sums per core"),
	OPT_FLAG(0, "per-die", struct stat_sums_want, per_die, "sums per die"),
	OPT_FLAG(0, "per-socket", struct stat_sums_want, per_socket, "sums per socket"),
	OPT_FLAG(0, "per-node", struct stat_sums_want, per_node, "sums per NUMA node"),
	OPT_FLAG(0, "per-thread", struct stat_sums_want, per_thread,
		"show each thread separately (-p, -t, -u, or all with -a)"),
	OPT_FLAG(0, "no-merge", struct stat_sums_want, no_merge, "show each uncore PMU separately"),
	OPT_END,
};

static const struct opt form_opts[] = {
	OPT_STR('x', "field-separator", struct stat_form_want, sep, "<sep>",
		"print as CSV with this separator, as perf stat -x"),
	OPT_FLAG('j', "json-output", struct stat_form_want, json, "print one JSON object per line, as perf stat -j"),
	OPT_STR('o', "output", struct stat_form_want, output, "<file>", "write here, not to standard error"),
	OPT_FLAG(0, "append", struct stat_form_want, append, "append to the file of -o"),
	OPT_STR(0, "log-fd", struct stat_form_want, log_fd, "<fd>", "write to this file descriptor"),
	OPT_FLAG('B', "big-num", struct stat_form_want, big_num, "group digits: 1,234,567 (default; --no-big-num)"),
	OPT_COUNT('v', "verbose", struct stat_form_want, verbose,
		  "print raw counts, times and event descriptions; -vv: attributes"),
	OPT_END,
};

static const struct opt theirs_opts[] = {
	{ OPT_AT('c', "scale", FLAG, struct stat_theirs_want, scale), .flags = OPT_HIDDEN },
	{ OPT_AT('S', "sync", FLAG, struct stat_theirs_want, sync), .flags = OPT_HIDDEN },
	{ OPT_AT('g', "group", FLAG, struct stat_theirs_want, group), .flags = OPT_HIDDEN },
	{ OPT_AT(0, "table", FLAG, struct stat_theirs_want, table), .flags = OPT_HIDDEN },
	OPT_END,
};

const struct opt stat_opts[] = {
	OPT_SUB(what_opts, struct stat_want, what),
	OPT_SUB(target_opts, struct stat_want, target),
	{ .kind = OPT_KIND_STR, .flags = OPT_HIDDEN, .off = offsetof(struct stat_want, target.cgroups),
	  .name = "for-each-cgroup", .arg = "<names>", .help = "same as --cgroup" },
	OPT_SUB(when_opts, struct stat_want, when),
	OPT_HEAD("Output"),
	OPT_SUB(sums_opts, struct stat_want, sums),
	OPT_SUB(form_opts, struct stat_want, form),
	OPT_SUB(stat_more_opts, struct stat_want, more),
	OPT_SUB(theirs_opts, struct stat_want, theirs),
	OPT_END,
};

void stat_defaults(void *want)
{
	struct stat_want *w = want;

	w->when.repeat = 1;
	w->form.big_num = w->theirs.scale = w->more.csv_summary = true;
}
