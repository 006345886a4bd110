/* cmd_top.c - sonde top: what the machine does, as it does it. */
#include "cmd/cmd.h"
#include "cmd/settle.h"

#include "cmd/top/top.h"

#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)

enum { USUAL_FREQ = 4000, LEAST_DELAY_NS = 10000000 };

static int set_graph(void *field, const char *value, struct err *e)
{
	return callgraph_parse(field, value ? value : "fp", e);
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
	OPT_HEAD("What to watch (nothing said: the whole system)"),
	OPT_FLAG('a', "all-cpus", struct top_want, target.all, "the whole system, on all CPUs"),
	OPT_STR('C', "cpu", struct top_want, target.cpus, "<list>", "the whole system, on these CPUs: 0,2-5"),
	OPT_STR('p', "pid", struct top_want, target.pids, "<pids>", "processes with all their threads: 12,34"),
	OPT_STR('t', "tid", struct top_want, target.tids, "<tids>", "single threads"),
	OPT_STR('u', "uid", struct top_want, target.user, "<user>", "all threads of a user, by name or number"),
	OPT_STR(0, "cgroup", struct top_want, target.cgroups, "<names>", "tasks of these control groups"),
	OPT_FLAG('i', "no-inherit", struct top_want, target.no_inherit, "do not follow new threads and children"),
	OPT_HEAD("Samples"),
	OPT_LIST('e', "event", struct top_want, events, "<events>",
		 "of these, side by side where there are several (default: cycles, or cpu-clock)"),
	OPT_U64('F', "freq", struct top_want, freq, "<hz>", "so many in a second of a CPU (default 4000)"),
	OPT_U64('c', "count", struct top_want, count, "<n>", "one each time that so many were counted"),
	OPT_CALL('g', "call-graph", OPT_OPTIONAL, struct top_want, graph, set_graph, "fp|dwarf[,<size>]|lr",
		 "with call chains"),
	OPT_U64(0, "max-stack", struct top_want, max_stack, "<n>", "innermost frames that count"),
	OPT_U64('m', "mmap-pages", struct top_want, pages, "<n>", "pages of each ring"),
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct top_want, sort, "<keys>",
		"tell apart by pid tid comm dso sym srcline srcfile cpu socket (default dso,sym)"),
	OPT_STR(0, "fields", struct top_want, fields, "<columns>", "overhead children sample period and these keys"),
	OPT_FLAG('n', "show-nr-samples", struct top_want, samples, "numbers of samples"),
	OPT_FLAG(0, "children", struct top_want, children, "callers get what they called added (default with -g)"),
	OPT_FLAG('K', "hide_kernel_symbols", struct top_want, rows.no_kernel, "no rows of the kernel"),
	OPT_FLAG('U', "hide_user_symbols", struct top_want, rows.no_user, "no rows of programs"),
	OPT_LIST(0, "comms", struct top_want, filter.comms, "<names>", "only these commands"),
	OPT_LIST(0, "dsos", struct top_want, filter.dsos, "<names>", "only in these files"),
	OPT_LIST(0, "symbols", struct top_want, filter.symbols, "<names>", "only these functions"),
	OPT_U64('f', "count-filter", struct top_want, rows.least, "<n>", "only rows of so many samples"),
	OPT_CALL(0, "percent-limit", 0, struct top_want, percent_limit, set_limit, "<percent>", "no lighter rows"),
	OPT_U64('E', "entries", struct top_want, rows.entries, "<n>", "so many rows (default: what there is room for)"),
	OPT_CALL(0, "max-memory", 0, struct top_want, memory, set_memory, "<size>",
		 "for symbols: beyond it those of programs without samples are given back (default 64M)"),
	OPT_HEAD("Output"),
	OPT_STR('d', "delay", struct top_want, delay, "<s>", "so long until the next (default 2)"),
	OPT_FLAG('z', "zero", struct top_want, zero, "each by itself: the past does not count"),
	OPT_U64(0, "times", struct top_want, times, "<n>", "so often, then end"),
	OPT_COUNT('v', "verbose", struct top_want, verbose, "whole paths of files"),
	OPT_FLAG(0, "stdio", struct top_want, stdio, "as text, one below the other, also on a terminal"),
	OPT_STR('k', "vmlinux", struct top_want, session.vmlinux, "<file>", "image of the kernel"),
	OPT_STR(0, "kallsyms", struct top_want, session.kallsyms, "<file>", "copy of /proc/kallsyms"),
	OPT_FLAG(0, "no-demangle", struct top_want, session.mangled, "names of C++ and Rust as the linker knows them"),
	OPT_IGNORED(0, "tui", FLAG, struct top_want, ignored),
	OPT_IGNORED(0, "proc-map-timeout", STR, struct top_want, unused),
	OPT_REFUSED('r', "realtime", 0, "", "it takes no CPU from what it looks at", "chrt -f 1 sonde top"),
	OPT_REFUSED(0, "raw-trace", OPT_NO_VALUE, "", "rows are functions, not what tracepoints tell",
		    "sonde prof top, or sonde prof trace"),
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

/* --- what is asked for --- */

/* "{a,b}:S" is a, b: events are side by side in any case. */
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
	w->session.full = w->verbose > 0;
	t->report = (struct report_want){
		.sort = w->fields ? w->sort : w->sort ? w->sort : "dso,sym", .fields = w->fields, .samples = w->samples,
		.verbose = w->verbose, .children = w->children, .quiet = true, .percent_limit = 0,
	};
	return read_delay(t, e);
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
		else if (got == FEED_TICK && !t->view.paused)
			r = shown(t, e);
		else if (got == FEED_INPUT)
			r = top_keys(t, e);
	}
	return r;
}

static int begin_screen(struct top *t, struct err *e)
{
	int r;

	if (t->want->stdio || !screen_can(STDIN_FILENO, STDOUT_FILENO))
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
	struct top t = { .c = c, .want = want };
	struct err e = { 0 };
	int r;

	if (argc) {
		err_set(&e, EINVAL, "what is '%s'? top looks at what runs: -p PID; sonde record -- command", argv[0]);
		return cmd_usage(c, cmd_find("top"), &e);
	}
	settle_target(c, &t.want->target);
	if (check(&t, &e))
		return cmd_usage(c, cmd_find("top"), &e);
	r = read_events(&t, &e);
	t.feed_want = feed_of(&t);
	r = r ? r : feed_open(&t.feed, &t.feed_want, &e);
	if (r) {
		specs_deinit(&t.specs);
		return cmd_fail_events(c, &e);
	}
	for (size_t i = 0; i < t.feed.notes.n; i++)
		cmd_note(c, "%s", t.feed.notes.v[i].text);
	r = run(&t, &e);
	feed_close(&t.feed);
	specs_deinit(&t.specs);
	return r == -EINVAL ? cmd_usage(c, cmd_find("top"), &e) : r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(top, .brief = "What the machine does, as it does it",
	   .synopsis = "[options]",
	   .details = "Samples of idle CPUs are left out. What was lately weighs more: each time that the delay is "
		      "over the past counts for seven eighths of what it did (-z: for nothing). On a terminal it is "
		      "painted, and keys choose what is shown (? shows them); elsewhere it is text.",
	   .examples = "sonde top\tall CPUs\n"
		       "sonde top -p 2347 -g\tone process, with its callers\n"
		       "sonde top -e cycles,cache-misses -C 0-3\ttwo events side by side\n"
		       "sonde top -s comm,dso -d 5 --times 3 | cat\tas text, three times\n",
	   .opts = opts, .want_size = sizeof(struct top_want), .defaults = defaults, .run = top_run);
