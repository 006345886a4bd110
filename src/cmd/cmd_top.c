/* cmd_top.c - sonde top: a live profile. */
#include "base/kept.h"
#include "cmd/cmd.h"
#include "cmd/settle.h"

#include "cmd/top/top.h"

#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)
#define FREQ_LIMIT "/proc/sys/kernel/perf_event_max_sample_rate"

enum { USUAL_FREQ = 4000, LEAST_DELAY_NS = 10000000 };

static int set_graph(void *field, const char *value, struct err *e)
{
	return callgraph_parse(field, value ? value : "fp", e);
}

/* How chains are recorded (one or two words), then how they are shown: "dwarf,8192,caller". */
static int set_call_graph(void *want, const char *value, struct err *e)
{
	static const char *const ways[] = { "fp", "dwarf", "lr", "lbr", "no" };
	struct top_want *w = want;
	size_t n = strcspn(value, ",");
	char how[32] = "fp";
	bool is_way = false;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		is_way |= strlen(ways[i]) == n && !memcmp(value, ways[i], n);
	if (!is_way)
		n = 0;
	else if (value[n] == ',' && value[n + 1] >= '0' && value[n + 1] <= '9' && *value == 'd')
		n += 1 + strcspn(value + n + 1, ",");
	if (n >= sizeof(how))
		return err_set(e, EINVAL, "'%.60s' is too long", value);
	if (n)
		str_copy(how, sizeof(how), (struct sv){ value, n });
	if (callgraph_parse(&w->graph, how, e))
		return -EINVAL;
	return value[n] ? report_parse_chains(&w->chains, value + n + (value[n] == ','), e) : 0;
}

static int set_limit(void *field, const char *value, struct err *e)
{
	uint64_t millionths;

	if (!str_time(sv_from(value), 1000000, &millionths) || millionths > 100 * 1000000)
		return err_set(e, EINVAL, "'%s' is not a percentage", value);
	*(double *)field = (double)millionths / 1000000;
	return 0;
}

static int set_memory(void *field, const char *value, struct err *e)
{
	enum { LEAST = 1 << 20 };

	if (!str_size(sv_from(value), field) || *(uint64_t *)field < LEAST)
		return err_set(e, EINVAL, "'%s' is not a size of at least 1M: 64M, 2G", value);
	return 0;
}

static const struct opt opts[] = {
	OPT_HEAD("Target (default: the whole system)"),
	OPT_FLAG('a', "all-cpus", struct top_want, target.all, "the whole system, on all CPUs"),
	OPT_STR('C', "cpu", struct top_want, target.cpus, "<list>", "the whole system, on these CPUs: 0,2-5"),
	OPT_STR('p', "pid", struct top_want, target.pids, "<pids>", "processes with all their threads: 12,34"),
	OPT_STR('t', "tid", struct top_want, target.tids, "<tids>", "only these threads, by TID: 12,34"),
	OPT_STR('u', "uid", struct top_want, target.user, "<user>", "all threads of this user, by name or UID"),
	OPT_STR('G', "cgroup", struct top_want, target.cgroups, "<names>", "tasks in these cgroups"),
	OPT_FLAG('i', "no-inherit", struct top_want, target.no_inherit,
		"do not follow new threads and child processes"),
	OPT_STR(0, "input", struct top_want, session.path, "<file>",
		"replay a recording as text, as top would have shown it (-: a pipe)"),
	OPT_HEAD("Samples"),
	OPT_LIST('e', "event", struct top_want, events, "<events>",
		 "events to sample, several side by side (default: cycles, or cpu-clock)"),
	OPT_U64('F', "freq", struct top_want, freq, "<hz>", "samples per second and CPU (default 4000)"),
	OPT_U64('c', "count", struct top_want, count, "<n>", "sample every <n> events"),
	OPT_CALL('g', NULL, OPT_OPTIONAL, struct top_want, graph, set_graph, "fp|dwarf[,<size>]|lr",
		 "record call chains"),
	OPT_CALL_WANT(0, "call-graph", 0, set_call_graph, "<how>",
		      "record call chains, and how to show them: dwarf,graph,0.5,caller"),
	OPT_U64(0, "max-stack", struct top_want, max_stack, "<n>", "use only the <n> innermost frames (default all)"),
	OPT_U64('m', "mmap-pages", struct top_want, pages, "<n>", "pages of each ring buffer"),
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct top_want, sort, "<keys>",
		"sort keys: pid tid comm dso sym srcline srcfile cpu socket parallelism (default dso,sym)"),
	OPT_STR(0, "fields", struct top_want, fields, "<columns>",
		"columns: overhead latency children sample period and the sort keys"),
	OPT_FLAG(0, "latency", struct top_want, rows.latency,
		 "latency profile: the more tasks run in parallel, the less a sample weighs"),
	OPT_FLAG('n', "show-nr-samples", struct top_want, rows.samples, "show the number of samples of each row"),
	OPT_FLAG(0, "show-total-period", struct top_want, rows.period, "show the sum of periods of each row"),
	OPT_CALL(0, "percentage", 0, struct top_want, rows.percentage, report_set_percentage, "<how>",
		 "percentages of all samples (absolute), or of those that pass the filters (relative)"),
	OPT_FLAG(0, "children", struct top_want, children,
		"add the overhead of callees to their callers (default with -g)"),
	OPT_FLAG('K', "hide_kernel_symbols", struct top_want, rows.no_kernel, "hide kernel symbols"),
	OPT_FLAG('U', "hide_user_symbols", struct top_want, rows.no_user, "hide user symbols"),
	OPT_LIST(0, "comms", struct top_want, filter.comms, "<names>", "only these command names"),
	OPT_LIST(0, "dsos", struct top_want, filter.dsos, "<names>", "only these DSOs"),
	OPT_LIST(0, "symbols", struct top_want, filter.symbols, "<names>", "only these symbols"),
	OPT_STR(0, "ignore-callees", struct top_want, rows.ends, "<regex>",
		"add the callees of functions that match to these functions"),
	OPT_U64('f', "count-filter", struct top_want, rows.least, "<n>", "only rows with at least <n> samples"),
	OPT_CALL(0, "percent-limit", 0, struct top_want, percent_limit, set_limit, "<percent>",
		"leave out rows below this overhead"),
	OPT_U64('E', "entries", struct top_want, rows.entries, "<n>",
		"print at most <n> rows (default: as many as fit)"),
	OPT_CALL(0, "max-memory", 0, struct top_want, memory, set_memory, "<size>",
		 "memory limit for symbols; beyond it symbols of DSOs without samples are freed (default 64M)"),
	OPT_HEAD("Output"),
	OPT_STR('d', "delay", struct top_want, delay, "<s>", "seconds between refreshes (default 2)"),
	OPT_FLAG('z', "zero", struct top_want, zero, "forget old samples at each refresh"),
	OPT_U64(0, "times", struct top_want, times, "<n>", "stop after <n> refreshes"),
	OPT_COUNT('v', "verbose", struct top_want, verbose, "print full paths of DSOs"),
	OPT_FLAG(0, "stdio", struct top_want, stdio, "print text, also on a terminal"),
	OPT_STR('k', "vmlinux", struct top_want, session.vmlinux, "<file>", "vmlinux of the running kernel"),
	OPT_STR(0, "kallsyms", struct top_want, session.kallsyms, "<file>",
		"read kernel symbols from this copy of /proc/kallsyms"),
	OPT_FLAG(0, "no-demangle", struct top_want, session.mangled, "do not demangle C++ and Rust symbols"),
	OPT_FLAG(0, "source", struct top_want, code.source, "show source in the annotate view (key a)"),
	OPT_FLAG(0, "asm-raw", struct top_want, code.raw, "show raw instruction encodings in the annotate view"),
	/* Options of perf for what is done anyway, or that have no effect here ... */
	OPT_IGNORED(0, "tui", FLAG, struct top_want, ignored),
	OPT_IGNORED(0, "proc-map-timeout", STR, struct top_want, unused),
	OPT_IGNORED(0, "group", FLAG, struct top_want, ignored),
	OPT_IGNORED(0, "force", FLAG, struct top_want, ignored),
	OPT_IGNORED(0, "overwrite", FLAG, struct top_want, ignored),
	OPT_IGNORED(0, "namespaces", FLAG, struct top_want, ignored),
	OPT_IGNORED(0, "ignore-vmlinux", FLAG, struct top_want, ignored),
	OPT_IGNORED(0, "num-thread-synthesize", STR, struct top_want, unused),
	OPT_IGNORED(0, "objdump", STR, struct top_want, unused),
	/* ... and for what is not done. */
	OPT_IGNORED(0, "demangle-kernel", FLAG, struct top_want, session.kernel_plain),
	OPT_REFUSED('r', "realtime", 0, "", "it takes no CPU from what it looks at", "chrt -f 1 sonde top"),
	OPT_REFUSED(0, "raw-trace", OPT_NO_VALUE, "", "rows are functions, not what tracepoints tell",
		    "sonde prof top, or sonde prof trace"),
	OPT_REFUSED(0, "group-sort-idx", 0, "0", "rows are in the order of the first event", "name that one first"),
	OPT_REFUSED(0, "hierarchy", OPT_NO_VALUE, "", "rows have one level", "sonde record, and report --hierarchy"),
	OPT_REFUSED(0, "sym-annotate", 0, "", "code is shown on a terminal", "choose its row there, and press a"),
	OPT_REFUSED('D', "dump-symtab", OPT_NO_VALUE, "", "tables of symbols are not shown", "nm, or sonde probe -F"),
	OPT_REFUSED('M', "disassembler-style", 0, "", "instructions have one spelling, that of GNU objdump",
		    "leave it out"),
	OPT_REFUSED(0, "prefix", 0, "", "paths of the source are those of the debug information", "leave it out"),
	OPT_REFUSED(0, "prefix-strip", 0, "", "paths of the source are those of the debug information",
		    "leave it out"),
	OPT_REFUSED('w', "column-widths", 0, "", "columns are as wide as what is in them", "leave it out"),
	OPT_REFUSED('b', "branch-any", OPT_NO_VALUE, "", "branches are not followed as they come",
		    "sonde record -b, and report"),
	OPT_REFUSED('j', "branch-filter", 0, "", "branches are not followed as they come",
		    "sonde record -j, and report"),
	OPT_REFUSED(0, "stitch-lbr", OPT_NO_VALUE, "", "chains are not made of branches", "-g, or -gdwarf"),
	OPT_REFUSED(0, "all-cgroups", OPT_NO_VALUE, "", "rows are not told apart by control groups",
		    "--cgroup shows one"),
	OPT_REFUSED(0, "switch-on", 0, "", "events switch nothing here", "sonde script --switch-on of a recording"),
	OPT_REFUSED(0, "switch-off", 0, "", "events switch nothing here",
		    "sonde script --switch-off of a recording"),
	OPT_REFUSED(0, "show-on-off-events", OPT_NO_VALUE, "", "events switch nothing here", "leave it out"),
	OPT_END,
};

static void defaults(void *want)
{
	struct top_want *w = want;

	w->children = true;
	w->chains.min_percent = 0.5;
	w->freq = USUAL_FREQ;
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

/* --- options --- */

/* A group "{a,b}:S" is taken as a,b: top shows events side by side in any case. */
static int add_events(struct top *t, const char *text, struct err *e)
{
	char one[512];
	const char *end = *text == '{' ? strrchr(text, '}') : NULL;
	size_t n = end ? (size_t)(end - text) - 1 : strlen(text);

	if (n >= sizeof(one))
		return err_set(e, ENAMETOOLONG, "-e %.60s...: too long", text);
	if (*text == '{' && !end)
		return err_set(e, EINVAL, "-e %s: a group ends with }", text);
	memcpy(one, text + (end != NULL), n);
	one[n] = '\0';
	return specs_add_event(&t->specs, one, e);
}

static int read_events(struct top *t, struct err *e)
{
	const struct top_want *w = t->want;
	int r = 0;

	for (size_t i = 0; !r && i < w->events.n; i++)
		r = add_events(t, w->events.v[i], e);
	if (r || w->events.n)
		return r;
	r = specs_add_event(&t->specs, "cycles", e);
	if (!r)
		t->specs.v.v[0].instead = "cpu-clock";
	return r;
}

static int read_delay(struct top *t, struct err *e)
{
	const char *text = t->want->delay;

	t->delay_ns = 2 * NS_PER_S;
	if (text && (!str_time(sv_from(text), NS_PER_S, &t->delay_ns) || t->delay_ns < LEAST_DELAY_NS))
		return err_set(e, EINVAL, "-d %s: it is a number of seconds, 0.01 at least", text);
	return 0;
}

/* The kernel lowers its limit when sampling interrupts take too long, even below the default frequency. */
static void limit_freq(struct top *t)
{
	struct top_want *w = t->want;
	uint64_t max;

	if (w->count || w->session.path || sys_read_u64(t->c->sys, &max, FREQ_LIMIT) || !max || w->freq <= max)
		return;
	cmd_note(t->c, "%llu samples per second are above the kernel's limit: sampling with %llu (" FREQ_LIMIT ")",
		 (unsigned long long)w->freq, (unsigned long long)max);
	w->freq = max;
}

static int check(struct top *t, struct err *e)
{
	struct top_want *w = t->want;

	if (!w->freq)
		return err_set(e, EINVAL, "-F 0: no samples would be taken");
	if (w->session.vmlinux && !sys_exists(t->c->sys, w->session.vmlinux))
		return err_set(e, ENOENT, "-k %s: there is no such file", w->session.vmlinux);
	if (w->session.kallsyms && !sys_exists(t->c->sys, w->session.kallsyms))
		return err_set(e, ENOENT, "--kallsyms %s: there is no such file", w->session.kallsyms);
	if (!w->target.pids && !w->target.tids && !w->target.user && !w->target.cpus && !w->target.cgroups)
		w->target.all = true;
	if (w->rows.ends && !w->graph.on) {
		err_set(e, EINVAL, "--ignore-callees: callees are known of call chains alone");
		return err_hint(e, "with -g they are taken");
	}
	w->session.full = w->verbose > 0;
	t->report = (struct report_want){
		.sort = w->fields ? w->sort : w->sort ? w->sort : "dso,sym", .fields = w->fields,
		.samples = w->rows.samples, .period = w->rows.period, .percentage = w->rows.percentage,
		.keys.latency = w->rows.latency, .verbose = w->verbose, .children = w->children, .quiet = true,
	};
	return read_delay(t, e);
}

/* Look up kernel symbols by BPF, one by one (kname.h); without it all of /proc/kallsyms is read. */
static void begin_names(struct top *t)
{
	if (t->want->session.path || kname_open(&t->kname, &bpf_live, NULL))
		return;
	t->namer = (struct kernel_namer){ kname_ask, NULL, &t->kname };
	t->want->session.namer = &t->namer;
}

static struct feed_want feed_of(struct top *t)
{
	const struct top_want *w = t->want;

	return (struct feed_want){
		.sys = t->c->sys, .specs = &t->specs, .session = w->session, .target = &w->target, .chains = w->graph,
		.freq = w->count ? 0 : w->freq, .period = w->count, .interval_ns = t->delay_ns, .names_all = true,
		.sweep_ms = top_sweep_ms(t->delay_ns),
		.ring_bytes = w->pages * (uint64_t)t->c->sys->page_size(t->c->sys),
		.no_inherit = w->target.no_inherit,
		.track = top_counts_running(w) ? PERF_ATTR_CONTEXT_SWITCH : 0, .records = top_counts_running(w),
	};
}

/* --- the run --- */

static int shown(struct top *t, struct err *e)
{
	int r = top_shoot(t);

	r = r ? r : t->painted ? top_paint(t) : top_print(t);
	if (t->shown == t->want->times)
		t->over = true;
	return r ? err_nomem(e) : 0;
}

static int each(struct top *t, struct err *e)
{
	struct hit h;
	int got, r = 0;

	while (!r && !t->over && !t->c->out->error && (got = feed_next(&t->feed, &h, e)) != FEED_END) {
		if (got < 0)
			return got;
		if (got == FEED_HIT)
			r = top_take(t, &h) ? err_nomem(e) : 0;
		else if (got == FEED_RECORD)
			r = profile_follow(&t->profile, &t->feed.item) ? err_nomem(e) : 0;
		else if (got == FEED_TICK && !t->view.paused && !t->view.stopped)
			r = shown(t, e);
		else if (got == FEED_INPUT)
			r = top_keys(t, e);
	}
	/* Of a recording, show the samples after the last whole interval, too. */
	return !r && !t->over && t->seen.all && !feed_is_live(&t->feed) ? shown(t, e) : r;
}

static int begin_screen(struct top *t, struct err *e)
{
	int r;

	if (t->want->stdio || t->want->session.path || !screen_can(STDIN_FILENO, STDOUT_FILENO))
		return 0;
	r = screen_open(&t->screen, STDIN_FILENO, STDOUT_FILENO, e);
	if (r)
		return r;
	t->painted = true;
	feed_watch(&t->feed, STDIN_FILENO);
	return 0;
}

static int run(struct top *t, struct err *e)
{
	int r = values_init(&t->values, &t->feed.session, e);

	r = r ? r : top_begin(t, e);
	if (r) {
		arena_deinit(&t->ends_arena);
		values_deinit(&t->values);
		return r;
	}
	r = feed_start(&t->feed, e);
	r = r ? r : begin_screen(t, e);
	r = r ? r : each(t, e);
	screen_close(&t->screen);
	if (!r)
		session_footer(&t->feed.session, SESSION_LOSSES, note, t->c);
	top_code_close(t);
	top_end(t);
	values_deinit(&t->values);
	return r;
}

static int top_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct top t = { .c = c, .want = want, .kname = { .format = -1, .place = -1, .prog = -1 } };
	struct err e = { 0 };
	int r;

	if (argc) {
		err_set(&e, EINVAL, "what is '%s'? top looks at what runs: -p PID; sonde record -- command", argv[0]);
		return cmd_usage(c, cmd_find("top"), &e);
	}
	kept_begin();
	settle_target(c, &t.want->target);
	if (check(&t, &e))
		return cmd_usage(c, cmd_find("top"), &e);
	limit_freq(&t);
	r = read_events(&t, &e);
	begin_names(&t);
	t.feed_want = feed_of(&t);
	r = r ? r : feed_open(&t.feed, &t.feed_want, &e);
	if (r) {
		kname_close(&t.kname);
		specs_deinit(&t.specs);
		return cmd_fail_events(c, &e);
	}
	for (size_t i = 0; i < t.feed.notes.n; i++)
		cmd_note(c, "%s", t.feed.notes.v[i].text);
	r = run(&t, &e);
	feed_close(&t.feed);
	kname_close(&t.kname);
	specs_deinit(&t.specs);
	return r == -EINVAL ? cmd_usage(c, cmd_find("top"), &e) : r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(top, .brief = "Show a live profile of the system",
	   .synopsis = "[options]",
	   .details = PACKED(
		      "Samples of idle CPUs are left out. Old samples decay: at each refresh they count for seven "
		      "eighths of what they did (-z: for nothing). On a terminal it is interactive (? lists the keys), "
		      "elsewhere it prints text."),
	   .examples = PACKED(
		       "sonde top\tall CPUs\n"
		       "sonde top -p 2347 -g\tone process, with call chains\n"
		       "sonde top -e cycles,cache-misses -C 0-3\ttwo events side by side\n"
		       "sonde top --input perf.data -d 10\treplay a recording in steps of ten seconds\n"
		       "sonde top -s comm,dso -d 5 --times 3 | cat\tas text, three times\n"
		       "sonde top --latency -s comm,parallelism\twall-clock time rather than CPU time\n"),
	   .opts = opts, .want_size = sizeof(struct top_want), .defaults = defaults, .run = top_run);
