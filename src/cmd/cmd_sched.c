/* cmd_sched.c - sonde sched: record what the scheduler does, and the views of it (src/sched). */
#include "cmd/prof_command.h"
#include "cmd/record_want.h"
#include "cmd/script_want.h"
#include "sched/common.h"

/* --- record, script: other commands, for these events --- */

/* perf's: those that the kernel has only with CONFIG_SCHEDSTATS are passed over where they are not. */
static const char *const usual_events[] = {
	"sched:sched_switch", "sched:sched_stat_runtime", "sched:sched_process_fork", "sched:sched_wakeup_new",
	"sched:sched_migrate_task",
};
static const char *const stat_events[] = {
	"sched:sched_stat_wait", "sched:sched_stat_sleep", "sched:sched_stat_iowait",
};

static void add_event(struct record_events *to, const char *name)
{
	if (to->n < RECORD_EVENTS_MAX)
		to->v[to->n++] = (struct record_event){ .text = name };
}

static void add_events(const struct ctx *c, struct record_events *to)
{
	struct record_events more = *to;

	to->n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(usual_events); i++)
		add_event(to, usual_events[i]);
	add_event(to, sched_has_event(c->sys, "sched:sched_waking") ? "sched:sched_waking" : "sched:sched_wakeup");
	for (size_t i = 0; i < ARRAY_SIZE(stat_events); i++)
		if (sched_has_event(c->sys, stat_events[i]))
			add_event(to, stat_events[i]);
	for (size_t i = 0; i < more.n && to->n < RECORD_EVENTS_MAX; i++)
		to->v[to->n++] = more.v[i];
}

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	enum { PAGES = 1024 };
	struct record_want *w = want;

	add_events(c, &w->events);
	/* Of all CPUs, unless somebody is named. */
	w->target.all |= !w->target.cpus && !w->target.pids && !w->target.tids && !w->target.user;
	if (!w->ring.pages && !w->ring.bytes)
		w->ring.pages = PAGES;
	if (!w->pace.freq_given && !w->pace.period_given) {
		w->pace.period = 1;
		w->pace.period_given = true;
	}
	return cmd_find("record")->run(c, want, argc, argv);
}

static int script_run(struct ctx *c, void *want, int argc, char **argv)
{
	return cmd_find("script")->run(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "sched", .brief = "Record what the scheduler does into perf.data",
	.synopsis = "[options] [-- command [arguments]]",
	.details =
		"sonde record with -a -m 1024 -c 1 and the events of the scheduler: switches, wake-ups, migrations, "
		"new tasks, run times, and with CONFIG_SCHEDSTATS waits. What is said beside that goes for record "
		"itself: -C 2 or -p 2347 in the place of all CPUs, -g for call chains, more events with -e.",
	.examples =
		"sonde sched record -- make\twhile a command runs\n"
		"sonde sched record -g sleep 10\tten seconds, with where tasks leave their CPUs\n"
		"sonde sched record -C 4-7 -o cpus.data sleep 10\ton some CPUs",
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run,
};

static const struct cmd verb_script = {
	.name = "script", .family = "sched", .brief = "Each event of such a recording, a line for one",
	.synopsis = "[options] [-i file]",
	.details = "sonde script under another name.",
	.examples = "sonde sched script\tperf.data\n"
		    "sonde sched script -e sched:sched_switch --ns\tswitches, in nanoseconds",
	.opts = script_opts, .want_size = sizeof(struct script_want), .defaults = script_defaults, .run = script_run,
};

static const struct cmd *const verbs[] = {
	&verb_record, &sched_latency.cmd, &sched_timehist.cmd, &sched_map.cmd, &verb_script, NULL,
};

/* --- sched --- */

static const struct prof_kind *const views[] = { &sched_latency, &sched_timehist, &sched_map };

struct want {
	const char *input;
	unsigned verbose;
	bool ignored;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, input, "<file>", "the recording"),
	OPT_COUNT('v', "verbose", struct want, verbose, "more of it"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

/* perf takes three letters of it and more: "perf sched lat". */
static const struct cmd *find_verb(const char *word)
{
	static const char *const short_ones[] = { "record", "latency" };
	const struct cmd *v = cmd_verb(verbs, word);

	for (size_t i = 0; !v && i < ARRAY_SIZE(short_ones) && strlen(word) > 2; i++)
		if (!strncmp(short_ones[i], word, strlen(word)))
			v = cmd_verb(verbs, short_ones[i]);
	return v;
}

static int no_verb(struct ctx *c, const char *word)
{
	struct err e = { 0 };
	struct nearest near;
	char text[160];

	if (!word) {
		cmd_help(c, c->cmd, c->msg);
		return cmd_usage_code(c);
	}
	if (strlen(word) > 2 && !strncmp("replay", word, strlen(word))) {
		err_set(&e, EINVAL, "sched replay is not made: programs that keep CPUs busy as others did");
		err_hint(&e, "sched timehist shows what they did");
		return cmd_usage(c, c->cmd, &e);
	}
	nearest_init(&near, sv_from(word));
	for (size_t i = 0; verbs[i]; i++)
		nearest_feed(&near, verbs[i]->name);
	err_set(&e, EINVAL, "sched has no verb '%s'%s", word, nearest_text(&near, text, sizeof(text)));
	return cmd_usage(c, c->cmd, &e);
}

/* "sched -i x.data -v lat -p": what stands in front of the verb is said behind it. */
static int start(struct ctx *c, const struct want *w, int argc, char **argv)
{
	char input[] = "--input", verbose[] = "-v";
	const struct cmd *verb = find_verb(argv[0]);
	char **words = calloc((size_t)argc + 4, sizeof(*words));
	struct err e = { 0 };
	int n = 0, code;

	if (!words) {
		err_nomem(&e);
		return cmd_fail(c, &e);
	}
	words[n++] = argv[0];
	if (w->input && verb != &verb_record) {
		words[n++] = input;
		words[n++] = (char *)(uintptr_t)w->input;
	}
	if (w->verbose)
		words[n++] = verbose;
	memcpy(words + n, argv + 1, (size_t)argc * sizeof(*words));
	code = cmd_start(c, verb, c->cmd, n + argc - 1, words);
	free(words);
	return code;
}

static int sched_run(struct ctx *c, void *want, int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		if (c->cmd == &views[i]->cmd)
			return prof_command(c, views[i], want, argc, argv);
	if (!argc || !find_verb(argv[0]))
		return no_verb(c, argc ? argv[0] : NULL);
	return start(c, want, argc, argv);
}

DEFINE_CMD(sched,
	.brief = "What the scheduler does: delays, stays on CPUs, a map of them",
	.synopsis = "[-i <file>] record | latency | timehist | map | script ...",
	.details = "record writes perf.data; the others read that, or are live with a command or -a. Their options, "
		   "columns and texts are perf sched's.",
	.examples = "sonde sched record -- make\trecord\n"
		    "sonde sched latency\twho waited how long for a CPU\n"
		    "sonde sched timehist\teach stay on a CPU\n"
		    "sonde sched map\twho was on which CPU\n"
		    "sonde sched latency -i 1000\tlive, each second",
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = sched_run);
