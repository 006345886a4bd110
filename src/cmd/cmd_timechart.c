/* cmd_timechart.c - sonde timechart: record scheduling, CPU power or I/O, and draw it as SVG (src/timechart). */
#include "cmd/view_command.h"
#include "timechart/timechart.h"

#define USUAL_OUTPUT "output.svg"

/* --- record: of these events --- */

struct record_timechart {
	struct record_want record;       /* first: record's functions take a pointer to it */
	bool power_only, tasks_only, io_only;
};

static const struct opt record_timechart_opts[] = {
	OPT_HEAD("What to record"),
	OPT_FLAG('P', "power-only", struct record_timechart, power_only, "only idle states and frequencies of CPUs"),
	OPT_FLAG('T', "tasks-only", struct record_timechart, tasks_only, "only context switches and wakeups"),
	OPT_FLAG('I', "io-only", struct record_timechart, io_only, "only reads, writes, syncs and polls"),
	OPT_SUB(record_opts, struct record_timechart, record),
	OPT_END,
};

static const char *const task_events[] = { "sched:sched_wakeup", "sched:sched_wakeup_new", "sched:sched_switch" };
static const char *const power_events[] = { "power:cpu_frequency", "power:cpu_idle" };

enum { CALL_EVENTS = 48 };

struct call_events {
	char text[CALL_EVENTS][CHART_EVENT];
	const char *v[CALL_EVENTS];
	size_t n;
};

/* Find the system calls to record: each kernel and architecture has only some of them. */
static void find_calls(const struct ctx *c, struct call_events *to)
{
	for (size_t i = 0; to->n < CALL_EVENTS && timechart_event(i, to->text[to->n]); i++)
		if (view_has_event(c->sys, to->text[to->n])) {
			to->v[to->n] = to->text[to->n];
			to->n++;
		}
}

static int no_events(struct ctx *c)
{
	struct err e = { 0 };

	err_set(&e, ENOENT, "this kernel has no events of system calls");
	err_hint(&e, "they come with CONFIG_FTRACE_SYSCALLS, and are seen by root in the tracing file system");
	return cmd_fail(c, &e);
}

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	const char *v[ARRAY_SIZE(task_events) + ARRAY_SIZE(power_events)];
	struct record_timechart *w = want;
	struct err e = { 0 };
	struct call_events calls = { .n = 0 };
	size_t n = 0;

	if (w->power_only + w->tasks_only + w->io_only > 1) {
		err_set(&e, EINVAL, "-P, -T and -I are each of one kind: take one of them");
		return cmd_usage(c, c->cmd, &e);
	}
	for (size_t i = 0; i < ARRAY_SIZE(task_events) && !w->power_only; i++)
		v[n++] = task_events[i];
	for (size_t i = 0; i < ARRAY_SIZE(power_events) && !w->tasks_only; i++)
		v[n++] = power_events[i];
	if (w->io_only) {
		find_calls(c, &calls);
		if (!calls.n)
			return no_events(c);
		w->record.exclude_self = true;
	}
	view_events(&w->record, w->io_only ? calls.v : v, w->io_only ? calls.n : n);
	view_all(&w->record);
	return view_record(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "timechart", .brief = "Record the events of a timechart into perf.data",
	.synopsis = "[-P | -T | -I] [options] [-- command [arguments]]",
	.details = PACKED(
		   "Runs sonde record with -a -m 1024 -c 1 and context switches, wakeups, CPU idle states and "
		   "frequencies. Takes record's options, too: -g for call chains of context switches."),
	.examples = PACKED(
		    "sonde timechart record -- make\twhile a command runs\n"
		    "sonde timechart record -g sleep 10\tten seconds, with call chains\n"
		    "sonde timechart record -I -o io.data sleep 10\treads and writes"),
	.opts = record_timechart_opts, .want_size = sizeof(struct record_timechart), .run = record_run,
};

/* --- timechart --- */

static const struct cmd *const verbs[] = { &verb_record, NULL };

/* As in perf, options may stand in front of the verb: "timechart -T record make". */
static int start_record(struct ctx *c, const struct timechart_want *w, int argc, char **argv)
{
	struct view_front f = { .n = 0 };

	view_say_flag(&f, "-P", w->show.power_only);
	view_say_flag(&f, "-T", w->show.tasks_only);
	view_say_flag(&f, "-I", w->calls.live);
	view_say_flag(&f, "-g", w->chains);
	return view_start(c, &verb_record, f.v, f.n, argc, argv);
}

static int timechart_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct timechart_want *w = want;
	const struct prof_want *p = &w->view.prof;
	int code;

	if (argc && view_verb(verbs, argv[0]))
		return start_record(c, w, argc, argv);
	if (!p->form.output)
		w->view.prof.form.output = USUAL_OUTPUT;
	code = prof_command(c, &timechart, want, argc, argv);
	if (!code && !p->form.quiet && strcmp(p->form.output, "-"))
		cmd_note(c, "wrote %s", p->form.output);
	return code;
}

DEFINE_CMD(timechart,
	.brief = "Draw tasks and CPUs over time as an SVG picture",
	.synopsis = "[options] [-i <file>] | -a | [--] command | record ...",
	.details = PACKED(
		"An SVG for any browser: a bar per CPU with its current task, idle state and frequency; a row per task "
		"that shows when it runs, waits for a CPU or is blocked; lines for wakeups. For recordings with system "
		"calls a row per task with reads and receives above, writes and sends below, syncs and polls; their "
		"height is the number of bytes. Point at any part to see what it is. Options are perf timechart's. "
		"With a command or -a it is live, without a recording.\n\n"
		"The picture of the longest recording has about 65,000 parts for CPUs and as many for tasks: beyond "
		"that neighbors of the same kind are merged, drawn paler the less of that time they fill; the heading "
		"tells up to which distance."),
	.examples = PACKED(
		"sonde timechart record -- make && sonde timechart\toutput.svg\n"
		"sonde timechart -o chart.svg -- make\tlive\n"
		"sonde timechart -p make -p 2347 -w 4000\tonly these tasks, wider\n"
		"sonde timechart --highlight 10ms\thighlight tasks that run longer than 10 ms\n"
		"sonde timechart -T -n 40\tat least 40 tasks, no CPU idle states\n"
		"sonde timechart -P -t\tCPUs only, by socket and core\n"
		"sonde timechart -I --io-skip-eagain -- git status\treads and writes of a command"),
	.verbs = verbs, .opts = timechart_opts, .want_size = sizeof(struct timechart_want),
	.defaults = timechart_defaults, .run = timechart_run);
