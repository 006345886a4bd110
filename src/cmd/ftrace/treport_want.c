/* treport_want.c - the options of trace-cmd report. */
#include "cmd/ftrace/treport.h"

static int too_many(struct err *e, const char *what)
{
	return err_set(e, EINVAL, "too many %s", what);
}

static int add_input(void *want, const char *value, struct err *e)
{
	struct treport_want *w = want;

	if (w->n_inputs == TREPORT_INPUTS)
		return too_many(e, "recordings");
	w->inputs[w->n_inputs++] = (struct treport_input){ .path = value };
	return 0;
}

static int add_filter(void *want, const char *value, struct err *e)
{
	struct treport_want *w = want;

	if (w->only.n_filters == TREPORT_FILTERS)
		return too_many(e, "filters");
	w->only.filters[w->only.n_filters].text = value;
	w->only.filters[w->only.n_filters++].negative = w->only.negative;
	return 0;
}

static int set_offset(void *want, const char *value, struct err *e)
{
	struct treport_want *w = want;

	if (!w->n_inputs)
		return err_set(e, EINVAL, "this stands behind the -i it is for");
	if (!str_i64(sv_from(value), 0, &w->inputs[w->n_inputs - 1].ts_offset))
		return err_set(e, EINVAL, "'%s' is no number", value);
	return 0;
}

static int set_hz(void *want, const char *value, struct err *e)
{
	struct treport_want *w = want;
	uint64_t *hz = w->n_inputs ? &w->inputs[w->n_inputs - 1].hz : &w->hz;

	if (!str_u64(sv_from(value), 0, hz) || !*hz)
		return err_set(e, EINVAL, "'%s' is no frequency", value);
	return 0;
}

/* 0,2-5 or 0:2-5 */
static int set_cpus(void *want, const char *value, struct err *e)
{
	struct treport_want *w = want;
	char text[512];

	if (str_copy(text, sizeof(text), sv_from(value)) >= sizeof(text))
		return too_many(e, "CPUs");
	for (char *p = text; (p = strchr(p, ':')); p++)
		*p = ',';
	w->only.some_cpus = true;
	return cpus_parse(&w->only.cpus, sv_from(text), e);
}

/* [plugin:]var[=value] */
static int set_plugin(void *want, const char *value, struct err *e UNUSED)
{
	static const struct { const char *plugin, *var; unsigned flag; bool on; } vars[] = {
		{ "fgraph", "tailprint", RTEXT_TAIL, true }, { "fgraph", "depth", RTEXT_DEPTH, true },
		{ "ftrace", "parent", RTEXT_PARENT, true }, { "ftrace", "offset", RTEXT_OFFSET, true },
		{ "ftrace", "indent", RTEXT_NO_INDENT, false },
	};
	struct treport_want *w = want;
	struct sv rest = sv_from(value), name, plugin = { 0 };
	bool on = true, found = false;

	sv_cut(&rest, '=', &name);
	if (memchr(value, '=', strlen(value)))
		on = !sv_eq(rest, "0") && !sv_eq(rest, "false");
	if (memchr(name.s, ':', name.n)) {
		rest = name;
		sv_cut(&rest, ':', &plugin);
		name = rest;
	}
	for (size_t i = 0; i < ARRAY_SIZE(vars); i++) {
		if (!sv_eq(name, vars[i].var) || (plugin.n && !sv_eq(plugin, vars[i].plugin)))
			continue;
		found = true;
		w->flags = on == vars[i].on ? w->flags | vars[i].flag : w->flags & ~vars[i].flag;
	}
	/* As trace-cmd: it may be of a plugin that another machine has. */
	if (!found && w->unknown.n < OPT_LIST_MAX)
		w->unknown.v[w->unknown.n++] = value;
	return 0;
}

static int set_negative(void *want, const char *value UNUSED, struct err *e UNUSED)
{
	((struct treport_want *)want)->only.negative = true;
	return 0;
}

#define FLAG(l, n, bit, h) { .letter = (l), .kind = OPT_KIND_CALL, .flags = OPT_NO_VALUE, .name = (n), .help = "\t" h, \
			     .call = set_##bit }
#define SETTER(name, field, bit) \
	static int set_##name(void *want, const char *value UNUSED, struct err *e UNUSED) \
	{ \
		((struct treport_want *)want)->field |= (bit); \
		return 0; \
	}

SETTER(raw, flags, RTEXT_RAW)
SETTER(ns, flags, RTEXT_NS)
SETTER(latency, flags, RTEXT_LATENCY)
SETTER(diff, flags, RTEXT_DIFF)
SETTER(no_plugins, flags, RTEXT_NO_PLUGINS)
SETTER(endian, info, TREPORT_ENDIAN)
SETTER(page_size, info, TREPORT_PAGE_SIZE)
SETTER(list_cpus, info, TREPORT_CPUS)
SETTER(first, info, TREPORT_FIRST)
SETTER(last, info, TREPORT_LAST)
SETTER(formats, info, TREPORT_FORMATS)
SETTER(check, info, TREPORT_CHECK)
SETTER(functions, info, TREPORT_FUNCTIONS)
SETTER(printk, info, TREPORT_PRINTK)
SETTER(events, info, TREPORT_EVENTS)
SETTER(stat, info, TREPORT_STAT)
SETTER(uname, info, TREPORT_UNAME)
SETTER(version, info, TREPORT_VERSION)

#define W struct treport_want

const struct opt treport_opts[] = {
	OPT_HEAD("Input"),
	OPT_CALL_WANT('i', "input", 0, add_input, "<file>", "the recording (default trace.dat); several are merged"),
	OPT_STR(0, "kallsyms", W, kallsyms, "<file>", "functions from a copy of /proc/kallsyms"),
	OPT_HEAD("Which events"),
	OPT_CALL_WANT('F', "filter", 0, add_filter, "<filter>",
		      "events:expression, as 'sched/sched_switch: prev_prio < 100'"),
	OPT_CALL_WANT('v', NULL, OPT_NO_VALUE, set_negative, "", "filters that follow tell what is left out"),
	OPT_FLAG('T', "filter-test", W, only.test_filters, "show how the filters were understood"),
	OPT_CALL_WANT(0, "cpu", 0, set_cpus, "<list>", "only these CPUs"),
	OPT_LIST(0, "pid", W, only.pids, "<list>", "only what concerns these threads"),
	OPT_LIST(0, "comm", W, only.comms, "<names>", "only what concerns threads of these names"),
	OPT_FLAG('I', NULL, W, only.no_irq, "not those in interrupts"),
	OPT_FLAG('S', NULL, W, only.no_softirq, "not those in soft interrupts"),
	OPT_HEAD("Layout"),
	FLAG('l', NULL, latency, "short, flags behind the CPU"),
	FLAG('t', NULL, ns, "times with nine digits"),
	FLAG('R', NULL, raw, "fields instead of texts"),
	OPT_LIST('r', NULL, W, raw, "<regex>", "fields of the events that match"),
	FLAG('N', NULL, no_plugins, "texts as the formats tell"),
	FLAG('L', NULL, no_plugins, "the same: the plugins of ~/.trace-cmd are not read"),
	OPT_LIST('n', NULL, W, plain, "<regex>", "the same for the events that match"),
	OPT_CALL_WANT('O', NULL, 0, set_plugin, "<option>",
		      "fgraph:tailprint fgraph:depth ftrace:parent ftrace:offset ftrace:indent=0"),
	OPT_FLAG('w', NULL, W, wakeup, "latencies from wake-up to being switched in"),
	FLAG(0, "ts-diff", diff, "time since the line before"),
	OPT_FLAG(0, "ts-check", W, time.check_ts, "tell when a time goes backwards"),
	OPT_FLAG(0, "raw-ts", W, time.raw_ts, "times as recorded, without corrections"),
	OPT_FLAG(0, "align-ts", W, time.align_ts, "times since the first event"),
	OPT_FLAG(0, "nodate", W, time.no_date, "without the date of record --date"),
	OPT_CALL_WANT(0, "ts-offset", 0, set_offset, "<n>", "add to the times of the recording before"),
	OPT_CALL_WANT(0, "ts2secs", 0, set_hz, "<hz>", "frequency of the clock, to show seconds"),
	OPT_FLAG(0, "boundary", W, boundary, "tell where a CPU's next sub-buffer begins"),
	OPT_FLAG(0, "debug", W, debug, "the same, and where in it each event lies: [delta:offset:bytes]"),
	OPT_SUB(jobs_opts, W, budget),
	OPT_HEAD("Instead of events"),
	OPT_FLAG(0, "profile", W, prof.on, "what each task did with its time"),
	OPT_FLAG('G', NULL, W, prof.global, "profile: interrupts belong to CPUs"),
	OPT_LIST('H', NULL, W, prof.hooks, "<events>", "profile: time between two events, too"),
	OPT_FLAG(0, "by-comm", W, prof.by_comm, "profile: tasks of one name together"),
	FLAG('E', NULL, events, "events that the recording knows"),
	FLAG(0, "events", formats, "their formats"),
	OPT_STR(0, "event", W, format_of, "<regex>", "formats of those that match"),
	FLAG(0, "check-events", check, "can all formats be read?"),
	FLAG('f', NULL, functions, "functions and their addresses"),
	FLAG('P', NULL, printk, "formats of trace_printk"),
	FLAG('e', NULL, endian, "byte order"),
	FLAG('p', NULL, page_size, "page sizes"),
	FLAG(0, "cpus", list_cpus, "CPUs that have data"),
	FLAG(0, "first-event", first, "time of each CPU's first event"),
	FLAG(0, "last-event", last, "time of each CPU's last event"),
	FLAG(0, "stat", stat, "counters of the buffers when the recording ended"),
	FLAG(0, "uname", uname, "the machine"),
	FLAG(0, "version", version, "the program that recorded"),
	OPT_HEAD("What is said beside"),
	OPT_FLAG('q', NULL, W, quiet, "only errors, no notes"),
	OPT_LOGLEVEL('V', W, loglevel),
	OPT_END,
};
