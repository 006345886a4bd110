/* verb_hist.c - sonde ftrace hist: histograms of counts or times made by the kernel; or counts of a recording. */
#include "cmd/ftrace/hist_live.h"
#include "cmd/ftrace/verbs.h"
#include "tracefs/grammar/hsql.h"

static const struct opt opts[] = {
	OPT_HEAD("Histogram in the kernel"),
	OPT_LIST('e', "event", struct hist_live_want, events, "<event>", "event to count; repeatable, one table each"),
	OPT_LIST('k', "key", struct hist_live_want, keys, "<field>",
		 "key: one row per value; up to 3; also comm, pid, cpu, stack; modifiers .hex .sym .syscall .execname "
		 ".usecs"),
	OPT_LIST(0, "val", struct hist_live_want, vals, "<field>", "sum this field in each row"),
	OPT_STR('f', "if", struct hist_live_want, filter, "<filter>", "event filter, as for the kernel"),
	OPT_FLAG(0, "log2", struct hist_live_want, log2, "group the last key by powers of two"),
	OPT_U64(0, "buckets", struct hist_live_want, buckets, "<n>",
		"group the last key in ranges of <n> (Linux 5.14)"),
	OPT_U64(0, "size", struct hist_live_want, size, "<n>",
		"maximum number of rows, 128 to 131072 (default 2048)"),
	OPT_HEAD("Latency between two events"),
	OPT_STR(0, "from", struct hist_live_want, pair.from, "<event>",
		"start event; the first -k is equal in both events"),
	OPT_STR(0, "to", struct hist_live_want, pair.to, "<event>",
		"end event; the other -k are its fields, -f filters it"),
	OPT_STR(0, "to-key", struct hist_live_want, pair.to_key, "<field>",
		"name of the first -k in the end event, if different"),
	OPT_STR(0, "from-if", struct hist_live_want, pair.from_filter, "<filter>", "filter for the start event"),
	OPT_FLAG(0, "ns", struct hist_live_want, pair.ns, "in ns, not us"),
	OPT_FLAG(0, "plain", struct hist_live_want, pair.plain, "one row per latency, not powers of two"),
	OPT_STR(0, "sql", struct hist_live_want, sql, "<select>", "the same as an SQL statement of trace-cmd sqlhist"),
	OPT_STR(0, "name", struct hist_live_want, pair.name, "<name>",
		"name of the synthetic event (default: sonde_PID)"),
	OPT_FLAG(0, "print", struct hist_live_want, print, "only print the commands for it"),
	OPT_HEAD("Target and time"),
	OPT_FLAG('F', NULL, struct hist_live_want, whose.only_command, "only the command (default: system-wide)"),
	OPT_FLAG('c', NULL, struct hist_live_want, whose.follow, "follow child processes, too"),
	OPT_LIST('p', "pid", struct hist_live_want, whose.pids, "<pid>", "only these threads"),
	OPT_U64('I', "interval-print", struct hist_live_want, whose.interval_ms, "<ms>",
		"print the table every <ms>"),
	OPT_U64(0, "timeout", struct hist_live_want, whose.timeout_ms, "<ms>", "stop after this time"),
	OPT_HEAD("Output"),
	OPT_STR(0, "sort", struct hist_live_want, look.sort, "<column>",
		"sort by this column (default: hitcount; ranges by key)"),
	OPT_FLAG(0, "ascending", struct hist_live_want, look.ascending, "sort ascending"),
	OPT_U64('n', "rows", struct hist_live_want, look.rows, "<n>", "print only the first <n> rows"),
	OPT_FLAG('j', "json", struct hist_live_want, look.json, "print as JSON"),
	OPT_STR('x', "field-separator", struct hist_live_want, look.sep, "<sep>", "print as CSV with this separator"),
	OPT_STR(0, "show", struct hist_live_want, show, "<event>",
		"only print the histograms of this event's triggers"),
	OPT_HEAD("From a recording of trace-cmd"),
	OPT_STR('i', "input", struct hist_live_want, input, "<file>",
		"count events of this recording by task and call chain (default trace.dat)"),
	OPT_FLAG('P', NULL, struct hist_live_want, compact, "merge all tasks"),
	OPT_END,
};

/* Modes of a run; PRINT is added to COUNT or PAIRS. */
enum { COUNT = 1, PAIRS = 2, SHOW = 4, RECORDING = 8, PRINT = 16 };

static unsigned mode_of(const struct hist_live_want *w)
{
	if (w->show)
		return SHOW;
	if (!w->pair.from && !w->events.n)
		return RECORDING;
	return (w->pair.from ? PAIRS : COUNT) | (w->print ? PRINT : 0);
}

static const char *mode_text(unsigned mode)
{
	return mode & PRINT    ? "what --print prints"
	       : mode == SHOW  ? "what --show only looks at"
	       : mode == PAIRS ? "times from an event to another"
	       : mode == COUNT ? "what -e counts"
			       : "a recording";
}

/* Refuse options without effect in this mode. */
static int check_effects(const struct hist_live_want *w, struct err *e)
{
	const struct {
		const char *option;
		bool given;
		unsigned modes;     /* modes in which it has an effect */
	} all[] = {
		{ "-e", w->events.n, COUNT | PRINT },
		{ "--from", w->pair.from, PAIRS | PRINT },
		{ "-k", w->keys.n, COUNT | PAIRS | PRINT },
		{ "--val", w->vals.n, COUNT | PAIRS | PRINT },
		{ "-f", w->filter, COUNT | PAIRS | PRINT },
		{ "--log2", w->log2, COUNT | PAIRS | PRINT },
		{ "--buckets", w->buckets, COUNT | PAIRS | PRINT },
		{ "--size", w->size, COUNT | PAIRS | PRINT },
		{ "--to-key", w->pair.to_key, PAIRS | PRINT },
		{ "--from-if", w->pair.from_filter, PAIRS | PRINT },
		{ "--ns", w->pair.ns, PAIRS | PRINT },
		{ "--plain", w->pair.plain, PAIRS | PRINT },
		{ "--name", w->pair.name, PAIRS | PRINT },
		{ "--print", w->print, COUNT | PAIRS | PRINT },
		{ "-F", w->whose.only_command, COUNT | PAIRS },
		{ "-c", w->whose.follow, COUNT | PAIRS },
		{ "-p", w->whose.pids.n, COUNT | PAIRS },
		{ "-I", w->whose.interval_ms, COUNT | PAIRS },
		{ "--timeout", w->whose.timeout_ms, COUNT | PAIRS },
		{ "--sort", w->look.sort, COUNT | PAIRS | SHOW },
		{ "--ascending", w->look.ascending, COUNT | PAIRS | SHOW },
		{ "-n", w->look.rows, COUNT | PAIRS | SHOW | RECORDING },
		{ "-j", w->look.json, COUNT | PAIRS | SHOW },
		{ "-x", w->look.sep, COUNT | PAIRS | SHOW },
		{ "-i", w->input, RECORDING },
		{ "-P", w->compact, RECORDING },
	};
	unsigned mode = mode_of(w);

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].given && (mode & ~all[i].modes))
			return err_set(e, EINVAL, "%s has no effect on %s", all[i].option, mode_text(mode));
	if (w->whose.follow && !w->whose.only_command && !w->whose.pids.n)
		return err_set(e, EINVAL, "-c goes with -F or -p");
	return 0;
}

static int check(const struct hist_live_want *w, struct err *e)
{
	if (!w->pair.from != !w->pair.to)
		return err_set(e, EINVAL, "--from and --to go together");
	if (w->pair.from && w->events.n)
		return err_set(e, EINVAL, "-e does not go with --from and --to");
	if (w->log2 && w->buckets)
		return err_set(e, EINVAL, "--log2 and --buckets exclude each other");
	if (w->look.sep && !*w->look.sep)
		return err_set(e, EINVAL, "-x needs a separator");
	if (w->look.json && w->look.sep)
		return err_set(e, EINVAL, "-j and -x are two different forms: choose one");
	if (w->whose.interval_ms > INT_MAX || w->whose.timeout_ms > UINT32_MAX)
		return err_set(e, EINVAL, "that is too long");
	return check_effects(w, e);
}

static int check_words(const struct hist_live_want *w, int argc, char **argv, struct err *e)
{
	unsigned mode = mode_of(w);

	if (mode == RECORDING && argc > !w->input)
		return err_set(e, EINVAL, "what is '%s'? One recording is counted at a time", argv[argc - 1]);
	if (mode & (SHOW | PRINT) && argc)
		return err_set(e, EINVAL, "what is '%s'? No command is run for %s", argv[0], mode_text(mode));
	if (w->whose.only_command && !argc)
		return err_set(e, EINVAL, "-F: there is no command");
	return 0;
}

static void put_keys(struct opt_list *l, const char (*v)[HSQL_TEXT], size_t n)
{
	for (size_t i = 0; i < n; i++)
		l->v[l->n++] = v[i];
}

/* The parsed --sql; the options made from it point into it. */
struct sql {
	struct hsql q;
	struct hsql_hist hist;
};

static int take_sql(struct hist_live_want *w, struct sql *sql, struct err *e)
{
	struct hsql *q = &sql->q;
	int r;

	if (w->events.n || w->pair.from || w->pair.to || w->keys.n || w->filter || w->pair.to_key ||
	    w->pair.from_filter || w->pair.ns)
		return err_set(e, EINVAL, "--sql says it all: no -e, --from, --to, -k, --to-key, -f, --from-if, --ns");
	r = hsql_parse(q, w->sql, e);
	r = r ? r : hsql_hist(q, &sql->hist, e);
	if (r)
		return r;
	if (*q->to) {
		w->pair.from = q->from;
		w->pair.to = q->to;
		w->pair.to_key = q->match[0].to.name;
		w->keys.v[w->keys.n++] = q->match[0].from.name;
		w->pair.from_filter = *q->from_if ? q->from_if : NULL;
		w->filter = *q->to_if ? q->to_if : NULL;
		w->pair.ns = sql->hist.ns;
	} else {
		w->events.v[w->events.n++] = q->from;
		w->filter = *q->from_if ? q->from_if : NULL;
	}
	put_keys(&w->keys, sql->hist.keys, sql->hist.n_keys);
	put_keys(&w->vals, sql->hist.vals, sql->hist.n_vals);
	return 0;
}

static int hist_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct hist_live_want *w = want;
	struct err e = { 0 };
	struct sql sql;
	int r = w->sql ? take_sql(w, &sql, &e) : 0;
	bool live = w->events.n || w->pair.from || w->pair.to || w->show;

	if (r || check(w, &e) || check_words(w, argc, argv, &e))
		return cmd_usage(c, cmd_verb(verbs, "hist"), &e);
	if (live)
		return hist_live(c, w, argv);
	if (!w->input)
		w->input = argc ? argv[0] : "trace.dat";
	return hist_recording(c, w);
}

DEFINE_VERB(hist, "hist", .brief = "Histograms of events, in the kernel or of a recording",
	    .synopsis = "-e event [-k field]... [options] [--] [command] | [-i trace.dat]",
	    .details = PACKED(
		       "Only the kernel's table is read, no ring buffer is used. Without a command it runs until "
		       "Ctrl-C."),
	    .examples = PACKED(
			"sonde ftrace hist -e sched:sched_switch -k next_comm sleep 1\tcontext switches by next task\n"
			"sonde ftrace hist -e raw_syscalls:sys_enter -k id.syscall -F -- ls\tthe system calls of ls\n"
			"sonde ftrace hist -e kmem:kmalloc -k call_site.sym --val bytes_req ls\tbytes by call site\n"
			"sonde ftrace hist -e kmem:kmalloc -k bytes_req --log2 sleep 1\tsizes of allocations\n"
			"sonde ftrace hist -e 'kprobe:vfs_read/count/' -k count --log2 ls\ta temporary probe\n"
			"sonde ftrace hist -e block:block_rq_issue -k stack --timeout 1000\tcall chains\n"
			"sonde ftrace hist --from sched:sched_waking --to sched:sched_switch -k pid --to-key next_pid "
				"-k next_comm sleep 1\tfrom wakeup to running, per command\n"
			"sonde ftrace hist --sql 'select end.next_comm, TIMESTAMP_DELTA_USECS from sched_waking as "
				"start join sched_switch as end on start.pid = end.next_pid' sleep 1\tthe same as SQL\n"
			"sonde ftrace hist -P trace.dat\ta recording, all tasks merged\n"),
	    .opts = opts, .want_size = sizeof(struct hist_live_want), .run = hist_run);
