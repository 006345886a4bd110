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

/* A list of CPUs: 0,2-5 or 0:2-5. */
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
	/* No error, as in trace-cmd: the plugin may exist on another machine. */
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
	OPT_CALL_WANT('i', "input", 0, add_input, "<file>",
		"recording to read (default trace.dat); repeatable, merged by time"),
	OPT_STR(0, "kallsyms", W, kallsyms, "<file>", "read kernel symbols from this copy of /proc/kallsyms"),
	OPT_HEAD("Filters"),
	OPT_CALL_WANT('F', "filter", 0, add_filter, "<filter>",
		      "EVENTS:EXPRESSION: 'sched/sched_switch: prev_prio < 100'"),
	OPT_CALL_WANT('v', NULL, OPT_NO_VALUE, set_negative, "", "the filters after this exclude events"),
	OPT_FLAG('T', "filter-test", W, only.test_filters, "print how the filters were parsed"),
	OPT_CALL_WANT(0, "cpu", 0, set_cpus, "<list>", "only these CPUs"),
	OPT_LIST(0, "pid", W, only.pids, "<list>", "only events of these threads, and wakeups of or switches to them"),
	OPT_LIST(0, "comm", W, only.comms, "<names>",
		"only events of threads with these names, and wakeups of or switches to them"),
	OPT_FLAG('I', NULL, W, only.no_irq, "no events in hard interrupts"),
	OPT_FLAG('S', NULL, W, only.no_softirq, "no events in softirqs"),
	OPT_HEAD("Layout"),
	FLAG('l', NULL, latency, "latency format: flags after the CPU"),
	FLAG('t', NULL, ns, "timestamps with nine decimals"),
	FLAG('R', NULL, raw, "print raw fields, not the print fmt"),
	OPT_LIST('r', NULL, W, raw, "<regex>", "print raw fields of events that match"),
	FLAG('N', NULL, no_plugins, "print by the print fmt only, without plugins"),
	FLAG('L', NULL, no_plugins, "same as -N: plugins of ~/.trace-cmd are not loaded"),
	OPT_LIST('n', NULL, W, plain, "<regex>", "same as -N, for events that match"),
	OPT_CALL_WANT('O', NULL, 0, set_plugin, "<option>",
		      "fgraph:tailprint fgraph:depth ftrace:parent ftrace:offset ftrace:indent=0"),
	OPT_FLAG('w', NULL, W, wakeup, "print latencies from wakeup to running"),
	FLAG(0, "ts-diff", diff, "print time since the previous line"),
	OPT_FLAG(0, "ts-check", W, time.check_ts, "warn if timestamps go backwards"),
	OPT_FLAG(0, "raw-ts", W, time.raw_ts, "print timestamps as recorded, without corrections"),
	OPT_FLAG(0, "align-ts", W, time.align_ts, "print times since the first event"),
	OPT_FLAG(0, "nodate", W, time.no_date, "ignore the offset of record --date"),
	OPT_CALL_WANT(0, "ts-offset", 0, set_offset, "<n>", "add to timestamps of the -i before it"),
	OPT_CALL_WANT(0, "ts2secs", 0, set_hz, "<hz>", "frequency of the trace clock, to print seconds"),
	OPT_FLAG(0, "boundary", W, boundary, "print where each sub-buffer begins"),
	OPT_FLAG(0, "debug", W, debug, "same as --boundary, and position of each event: [delta:offset:bytes]"),
	OPT_SUB(jobs_opts, W, budget),
	OPT_HEAD("Print instead of events"),
	OPT_FLAG(0, "profile", W, prof.on, "time of each task by event"),
	OPT_FLAG('G', NULL, W, prof.global, "profile: interrupts per CPU, not per task"),
	OPT_LIST('H', NULL, W, prof.hooks, "<events>", "profile: time between two events, too"),
	OPT_FLAG(0, "by-comm", W, prof.by_comm, "profile: merge tasks of the same name"),
	FLAG('E', NULL, events, "events of the recording"),
	FLAG(0, "events", formats, "formats of all events"),
	OPT_STR(0, "event", W, format_of, "<regex>", "formats of events that match"),
	FLAG(0, "check-events", check, "check that all formats can be parsed"),
	FLAG('f', NULL, functions, "functions and their addresses"),
	FLAG('P', NULL, printk, "formats of trace_printk"),
	FLAG('e', NULL, endian, "byte order"),
	FLAG('p', NULL, page_size, "page sizes"),
	FLAG(0, "cpus", list_cpus, "CPUs with data"),
	FLAG(0, "first-event", first, "time of each CPU's first event"),
	FLAG(0, "last-event", last, "time of each CPU's last event"),
	FLAG(0, "stat", stat, "counters of the buffers when the recording ended"),
	FLAG(0, "uname", uname, "the machine"),
	FLAG(0, "version", version, "the program that recorded"),
	OPT_HEAD("Messages"),
	OPT_FLAG('q', NULL, W, quiet, "print errors only, no notes"),
	OPT_LOGLEVEL('V', W, loglevel),
	OPT_END,
};
