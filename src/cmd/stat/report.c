/* report.c - sonde stat report: prints the counts that a `stat record`, sonde's or perf's, wrote into a file. */
#include "cmd/stat/report.h"

#include "cmd/stat/print.h"
#include "cmd/stat/record.h"
#include "cmd/stat/want.h"
#include "record/stat_file.h"
#include "source/perf_data.h"
#include "source/session.h"

struct want {
	const char *path, *sep;
	bool json;
	struct stat_sums_want sums;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, path, "<file>", "recording to read (default perf.data); -: standard input"),
	OPT_FLAG('A', "no-aggr", struct want, sums.no_aggr, "show each CPU separately"),
	OPT_FLAG(0, "per-core", struct want, sums.per_core, "sums per core of the recorded machine"),
	OPT_FLAG(0, "per-die", struct want, sums.per_die, "sums per die"),
	OPT_FLAG(0, "per-socket", struct want, sums.per_socket, "sums per socket"),
	OPT_FLAG(0, "per-node", struct want, sums.per_node, "sums per NUMA node"),
	OPT_REFUSED(0, "per-cluster", OPT_NO_VALUE, "", "a recording does not say which CPUs are a cluster",
		    "-A has each CPU, --per-core and --per-die their sums"),
	OPT_REFUSED(0, "per-cache", OPT_OPTIONAL, "", "a recording does not say which CPUs share a cache",
		    "-A has each CPU, --per-core and --per-die their sums"),
	OPT_STR('x', "field-separator", struct want, sep, "<sep>", "print as CSV with this separator, as stat -x"),
	OPT_FLAG('j', "json-output", struct want, json, "print one JSON object per line, as stat -j"),
	OPT_END,
};

struct told {
	struct ctx *c;
	const struct want *w;
	struct session session;
	struct stat_events events;
	struct stat_file file;
	struct stat_table table;
	struct stat_print print;
	struct cpu_places places;     /* topology of the recorded machine */
	uint64_t at;                  /* ns from the start to the end of the last round */
};

/* The heading's subject, the recorded command line: "'perf stat record true'". */
static void subject(const struct told *t, char *buf, size_t size)
{
	size_t n = (size_t)snprintf(buf, size, "'");

	/* Without a command line, as in a pipe, perf prints "pipe". */
	if (!t->session.head->cmdline.n)
		n += (size_t)snprintf(buf + n, size - n, "pipe");
	for (size_t i = 0; i < t->session.head->cmdline.n && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? " " : "", t->session.head->cmdline.v[i]);
	n = MIN(n, size - 2);
	snprintf(buf + n, size - n, "'");
	for (char *p = buf; *p; p++)
		if ((uint8_t)*p < ' ' || *p == 0x7f)
			*p = '?';
}

static void show_interval(struct told *t, uint64_t at)
{
	t->print.at_ns = at;
	t->print.elapsed_ns = (double)(at > t->at ? at - t->at : 0);
	if (!t->at)
		stat_print_columns(&t->print, &t->table);
	stat_print_rows(&t->print, &t->table);
}

static void show_all(struct told *t, uint64_t at)
{
	struct stat_times times = { 0 };
	char text[512];

	subject(t, text, sizeof(text));
	t->print.elapsed_ns = (double)at;
	stats_add(&times.wall, (double)at / 1e9);
	stat_print_title(&t->print, text, 1);
	stat_print_rows(&t->print, &t->table);
	if (t->print.form == STAT_TEXT)
		out_char(t->print.o, '\n');
	stat_print_times(&t->print, &times);
}

static int show_rounds(struct told *t, struct err *e)
{
	uint64_t at;
	int r;

	while ((r = stat_file_next(&t->file, &at, e)) == 1) {
		stat_table_fill(&t->table, &t->file.counters);
		if (t->file.intervals)
			show_interval(t, at);
		else
			show_all(t, at);
		t->at = at;
	}
	return r;
}

static const struct {
	enum perf_sums sums;
	enum stat_by by;
	const char *option;
} kinds[] = {
	{ PERF_SUMS_CPU, STAT_BY_CPU, "-A" }, { PERF_SUMS_CORE, STAT_BY_CORE, "--per-core" },
	{ PERF_SUMS_DIE, STAT_BY_DIE, "--per-die" }, { PERF_SUMS_SOCKET, STAT_BY_SOCKET, "--per-socket" },
	{ PERF_SUMS_NODE, STAT_BY_NODE, "--per-node" }, { PERF_SUMS_THREAD, STAT_BY_THREAD, "--per-thread" },
	{ PERF_SUMS_ALL, STAT_BY_ALL, "" },
};

/* How counts are to be summed up, by the options or else as recorded: an index of kinds. */
static size_t asked(const struct told *t)
{
	const struct stat_sums_want *u = &t->w->sums;
	const bool set[] = { u->no_aggr, u->per_core, u->per_die, u->per_socket, u->per_node };
	size_t i = 0, k = 0;

	while (i < ARRAY_SIZE(set) && !set[i])
		i++;
	if (i < ARRAY_SIZE(set))
		return i;
	while (k < ARRAY_SIZE(kinds) - 1 && kinds[k].sums != t->file.sums)
		k++;
	return k;
}

/* How the recorded counts can be summed up, with a note if that is not what was asked for. */
static enum stat_by choose_by(const struct told *t)
{
	size_t kind = asked(t);
	enum stat_by by = kinds[kind].by;
	bool is_of_tasks = t->file.counters.slots.v[0].cpu < 0;

	if (t->file.unknown_sums && by == STAT_BY_ALL)
		cmd_note(t->c, "it was summed up by what a recording does not tell: these are the sums of all; "
			       "-A has CPUs");
	if (by == STAT_BY_ALL || (by == STAT_BY_THREAD && t->file.threads.n))
		return by;
	if (is_of_tasks || by == STAT_BY_THREAD) {
		cmd_note(t->c, "%s: it was recorded of %s: these are the sums", kinds[kind].option,
			 is_of_tasks ? "tasks, not of CPUs" : "threads without names");
		return STAT_BY_ALL;
	}
	if (by != STAT_BY_CPU && !t->places.v.n) {
		cmd_note(t->c, "%s: the recording does not say where its CPUs are: these are the CPUs",
			 kinds[kind].option);
		return STAT_BY_CPU;
	}
	return by;
}

static int show(struct told *t, struct err *e)
{
	static const struct target nothing;
	struct stat_sum sum = {
		.by = choose_by(t), .places = &t->places, .threads = t->file.threads.v, .n_threads = t->file.threads.n,
	};
	int r = stat_table_init(&t->table, &sum, &t->file.counters, &nothing, e);

	if (r)
		return r;
	t->print.stamped = t->file.intervals;
	r = show_rounds(t, e);
	out_flush(t->print.o);
	stat_table_deinit(&t->table);
	return r;
}

static int report(struct told *t, struct err *e)
{
	int r = stat_file_open(&t->file, t->c->sys, perf_data_file(t->session.source), &t->events.list, e);

	if (!r) {
		r = topology_read(&t->places, t->session.head) ? err_nomem(e) : show(t, e);
		cpu_places_deinit(&t->places);
		stat_file_close(&t->file);
	}
	return r ? err_wrap(e, "%s", t->session.path) : 0;
}

static int stat_report_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct want *w = want;
	struct told t = {
		.c = c, .w = w,
		.print = {
			.o = c->msg, .form = w->json ? STAT_JSON : w->sep ? STAT_CSV : STAT_TEXT, .sep = w->sep,
			.group_digits = true, .events = &t.events,
		},
	};
	struct session_want sw = { .path = w->path };
	struct err e = { 0 };
	int r;

	if (argc || (w->json && w->sep)) {
		err_set(&e, EINVAL, argc ? "what is '%s'? -i names a recording" : "-j and -x are two different forms",
			argc ? argv[0] : "");
		return cmd_usage(c, stat_verbs[1], &e);
	}
	if (session_open(&t.session, c->sys, &sw, &e))
		return cmd_fail(c, &e);
	t.print.arch = t.session.arch;
	r = report(&t, &e);
	for (size_t i = 0; i < t.session.head->notes.n; i++)
		cmd_note(c, "%s", t.session.head->notes.v[i].text);
	c->incomplete |= t.session.head->incomplete;
	stat_events_deinit(&t.events);
	session_close(&t.session);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

static const struct cmd cmd_stat_report = {
	.name = "report", .family = "stat", .brief = "Show the counts of a recording of perf stat", .opts = opts,
	.synopsis = "[options]", .want_size = sizeof(struct want), .run = stat_report_run,
	.examples = PACKED(
		"perf stat record -a -o counts.data sleep 1\ton the measured machine\n"
		"sonde stat report -i counts.data\tas perf stat shows them\n"
		"sonde stat report --per-core -i counts.data\taggregated differently\n"),
};

const struct cmd *const stat_verbs[] = { &cmd_stat_record, &cmd_stat_report, NULL };
