/* cmd_kwork.c - sonde kwork: record IRQs, softirqs and workqueue items, and the views of them (src/kwork). */
#include "cmd/view_command.h"
#include "kwork/kwork.h"

/* --- record --- */

struct record_kwork {
	struct record_want record;
	const char *classes;
};

/* -k selects classes, as in perf kwork; record's -k, the clock, has only its long name (--clockid) here. */
static const struct opt record_kwork_opts[] = {
	OPT_HEAD("What to record"),
	OPT_STR('k', "kwork", struct record_kwork, classes, "<classes>",
		"comma-separated: irq, softirq, workqueue, sched (default the first three)"),
	OPT_SUB(record_opts, struct record_kwork, record),
	OPT_END,
};

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	const char *v[WORK_CLASSES * KWORK_EVENTS];
	struct record_kwork *w = want;
	struct kwork_classes classes;
	struct err e = { 0 };
	size_t n = 0;

	if (kwork_classes_read(&classes, w->classes ? w->classes : "irq,softirq,workqueue", &e))
		return cmd_usage(c, c->cmd, &e);
	for (unsigned i = 0; i < classes.n; i++)
		for (const char *const *name = kwork_events(classes.v[i]); *name; name++)
			v[n++] = *name;
	view_events(&w->record, v, n);
	view_all(&w->record);
	return view_record(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "kwork", .brief = "Record IRQs, softirqs and work items into perf.data",
	.synopsis = "[-k <classes>] [options] [-- command [arguments]]",
	.details = PACKED(
		   "Runs sonde record with -a -m 1024 -c 1 and the tracepoints of IRQs, softirqs and work items, and "
		   "with class sched those of context switches. Takes record's options, too, but not its -k (use "
		   "--clockid)."),
	.examples = PACKED(
		    "sonde kwork record -- make\twhile a command runs\n"
		    "sonde kwork record -k sched,irq,softirq sleep 10\tfor kwork top, ten seconds\n"
		    "sonde kwork record -k softirq -g -C 2 sleep 1\tone class on one CPU, with call chains"),
	.opts = record_kwork_opts, .want_size = sizeof(struct record_kwork), .run = record_run,
};

static const struct cmd *const verbs[] = {
	&verb_record, &kwork_report.cmd, &kwork_latency.cmd, &kwork_timehist.cmd, &kwork_top.cmd, NULL,
};

/* --- kwork --- */

static const struct prof_kind *const views[] = { &kwork_report, &kwork_latency, &kwork_timehist, &kwork_top };

struct want {
	const char *classes;
	unsigned verbose;
	bool ignored;
};

static const struct opt opts[] = {
	OPT_STR('k', "kwork", struct want, classes, "<classes>", "comma-separated: irq, softirq, workqueue, sched"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print more detail"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

static int kwork_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;
	const struct want *w = want;
	const char *front[3];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		if (c->cmd == &views[i]->cmd)
			return prof_command(c, views[i], want, argc, argv);
	if (!verb)
		return view_no_verb(c, argc ? argv[0] : NULL);
	if (w->classes) {
		front[n++] = "--kwork";
		front[n++] = w->classes;
	}
	if (w->verbose)
		front[n++] = "-v";
	return view_start(c, verb, front, n, argc, argv);
}

DEFINE_CMD(kwork,
	.brief = "Analyze IRQs, softirqs and work items: run times and delays",
	.synopsis = "[-k <classes>] record | report | latency | timehist | top ...",
	.details = PACKED(
		   "record writes perf.data, the other verbs read it, or are live with a command, -a or an interval. "
		   "Options, columns and texts are perf kwork's."),
	.examples = PACKED(
		    "sonde kwork record -- make\trecord\n"
		    "sonde kwork report\trun times\n"
		    "sonde kwork latency -- make\tdelays, live\n"
		    "sonde kwork -k softirq timehist\teach softirq"),
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = kwork_run);
