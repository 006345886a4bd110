/* cmd_sched.c - sonde sched: record the scheduler's tracepoints, and the views of them (src/sched). */
#include "cmd/sched_stats.h"
#include "cmd/script/want.h"
#include "cmd/view_command.h"
#include "sched/common.h"

/* --- record, script: sonde record and script with these events --- */

/* The events of perf sched. stat_events exist only with CONFIG_SCHEDSTATS; without it they are left out. */
static const char *const usual_events[] = {
	"sched:sched_switch", "sched:sched_stat_runtime", "sched:sched_process_fork", "sched:sched_wakeup_new",
	"sched:sched_migrate_task",
};
static const char *const stat_events[] = {
	"sched:sched_stat_wait", "sched:sched_stat_sleep", "sched:sched_stat_iowait",
};

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	const char *v[ARRAY_SIZE(usual_events) + 1 + ARRAY_SIZE(stat_events)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(usual_events); i++)
		v[n++] = usual_events[i];
	v[n++] = view_has_event(c->sys, "sched:sched_waking") ? "sched:sched_waking" : "sched:sched_wakeup";
	for (size_t i = 0; i < ARRAY_SIZE(stat_events); i++)
		if (view_has_event(c->sys, stat_events[i]))
			v[n++] = stat_events[i];
	view_events(want, v, n);
	view_all(want);
	return view_record(c, want, argc, argv);
}

static int script_run(struct ctx *c, void *want, int argc, char **argv)
{
	return cmd_find("script")->run(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "sched", .brief = "Record scheduler events into perf.data",
	.synopsis = "[options] [-- command [arguments]]",
	.details = PACKED(
		"Runs sonde record with -a -m 1024 -c 1 and the scheduler's tracepoints: switches, wakeups, "
		"migrations, new tasks, run times, and with CONFIG_SCHEDSTATS waits. Takes record's options, too: -C 2 "
		"or -p 2347 instead of -a, -g for call chains, more events with -e."),
	.examples = PACKED(
		"sonde sched record -- make\twhile a command runs\n"
		"sonde sched record -g sleep 10\tten seconds, with call chains\n"
		"sonde sched record -C 4-7 -o cpus.data sleep 10\ton some CPUs"),
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run,
};

static const struct cmd verb_script = {
	.name = "script", .family = "sched", .brief = "Print each scheduler event of a recording",
	.synopsis = "[options] [-i file]",
	.details = PACKED("sonde script under another name."),
	.examples = PACKED(
		    "sonde sched script\tperf.data\n"
		    "sonde sched script -e sched:sched_switch --ns\tswitches, in nanoseconds"),
	.opts = script_opts, .want_size = sizeof(struct script_want), .defaults = script_defaults, .run = script_run,
};

static const struct cmd *const verbs[] = {
	&verb_record, &sched_latency.cmd, &sched_timehist.cmd, &sched_map.cmd, &sched_replay.cmd, &verb_script,
	&sched_stats, NULL,
};

/* --- sched --- */

static const struct prof_kind *const views[] = { &sched_latency, &sched_timehist, &sched_map, &sched_replay };

struct want {
	const char *input;
	unsigned verbose;
	bool ignored;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, input, "<file>", "recording to read"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print more detail"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

static int sched_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;
	const struct want *w = want;
	struct view_front f = { .n = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		if (c->cmd == &views[i]->cmd)
			return prof_command(c, views[i], want, argc, argv);
	if (!verb)
		return view_no_verb(c, argc ? argv[0] : NULL);
	view_say(&f, verb != &verb_record ? "--input" : NULL, w->input);
	view_say_flag(&f, "-v", w->verbose);
	return view_start(c, verb, f.v, f.n, argc, argv);
}

DEFINE_CMD(sched,
	.brief = "Analyze the scheduler: delays, time slices, CPU map, statistics",
	.synopsis = "[-i <file>] record | latency | timehist | map | replay | script | stats ...",
	.details = PACKED(
		   "record writes perf.data, the other verbs read it, or are live with a command or -a. Options, "
		   "columns and texts are perf sched's."),
	.examples = PACKED(
		    "sonde sched record -- make\trecord\n"
		    "sonde sched latency\trun time and delay of each task\n"
		    "sonde sched timehist\teach time slice\n"
		    "sonde sched map\twhich task was on which CPU\n"
		    "sonde sched latency -i 1000\tlive, every second"),
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = sched_run);
