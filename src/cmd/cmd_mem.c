/* cmd_mem.c - sonde mem: loads and stores of a recording by the cycles that each took: report, asked as perf mem is. */
#include "cmd/report_want.h"
#include "cmd/view_command.h"

struct mem_report_want {
	struct report_want report;   /* first: it is report's, too */
	const char *type;
	bool physical;
};

static const struct opt report_only_opts[] = {
	OPT_SUB(report_opts, struct mem_report_want, report),
	OPT_STR(0, "type", struct mem_report_want, type, "load|store|load,store",
		"columns for these (default load,store); all accesses are counted"),
	OPT_FLAG(0, "phys-data", struct mem_report_want, physical, "physical addresses, too"),
	OPT_END,
};

static int check_type(const char *type, bool *loads, struct err *e)
{
	static const char *const known[] = { "load", "store", "load,store", "store,load" };

	for (size_t i = 0; type && i < ARRAY_SIZE(known); i++)
		if (!strcmp(type, known[i])) {
			*loads = strcmp(type, "store");
			return 0;
		}
	*loads = true;
	return type ? err_set(e, EINVAL, "--type: '%.40s' is neither load, store nor load,store", type) : 0;
}

/* Stores have no cycles of their own in perf's table, and no other cache answers. */
static const char *usual_keys(const struct mem_report_want *w, bool loads)
{
	if (!loads)
		return w->physical ? "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked,phys_daddr"
				   : "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked";
	return w->physical ? "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,phys_daddr"
			   : NULL;
}

static int report_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct mem_report_want *w = want;
	struct err e = { 0 };
	bool loads;

	if (check_type(w->type, &loads, &e))
		return cmd_usage(c, c->cmd, &e);
	w->report.keys.by_weight = true;
	w->report.samples = true;
	if (!w->report.session.itrace)
		w->report.session.itrace = "M";
	if (!w->report.sort && !w->report.fields)
		w->report.sort = usual_keys(w, loads);
	return cmd_find("report")->run(c, &w->report, argc, argv);
}

static const struct cmd verb_report = {
	.name = "report", .family = "mem", .brief = "Loads and stores of a recording by the cycles that each took",
	.synopsis = "[options] [-i file]",
	.details = "sonde report with --mem-mode -n, and of SPE recordings with --itrace=M: each row's share is that "
		   "of its cycles. Recordings of x86's mem-loads and mem-stores are read alike.",
	.examples = "sonde mem report\teach latency, where its data came from, and which data that was\n"
		    "sonde mem report -s mem,snoop\thow much each level of memory costs\n"
		    "sonde mem report --type store --phys-data\twhere stores went",
	.opts = report_only_opts, .want_size = sizeof(struct mem_report_want), .defaults = report_defaults,
	.run = report_run,
};

static const struct cmd *const verbs[] = { &verb_report, NULL };

struct want {
	const char *input, *type;
	bool physical, ignored;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, input, "<file>", "the recording"),
	OPT_STR('t', "type", struct want, type, "load|store|load,store", "columns for these"),
	OPT_FLAG('p', "phys-data", struct want, physical, "physical addresses, too"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

static int no_record(struct ctx *c)
{
	struct err e = { 0 };

	err_set(&e, EINVAL, "what SPE and PEBS tell of memory is not recorded here yet");
	err_hint(&e, "perf record -e arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1/ writes what mem "
		     "report reads");
	return cmd_usage(c, c->cmd, &e);
}

static int mem_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;
	const struct want *w = want;
	const char *front[5];
	size_t n = 0;

	if (argc && strlen(argv[0]) > 2 && !strncmp("record", argv[0], strlen(argv[0])))
		return no_record(c);
	if (!verb)
		return view_no_verb(c, argc ? argv[0] : NULL);
	if (w->input) {
		front[n++] = "--input";
		front[n++] = w->input;
	}
	if (w->type) {
		front[n++] = "--type";
		front[n++] = w->type;
	}
	if (w->physical)
		front[n++] = "--phys-data";
	return view_start(c, verb, front, n, argc, argv);
}

DEFINE_CMD(mem,
	.brief = "What loads and stores cost, where their data came from, and which data that was",
	.synopsis = "[-i <file>] report ...",
	.details = "Of recordings of Arm's statistical profiling extension, and of events with data sources and "
		   "weights. Options, columns and texts are perf mem's.",
	.examples = "sonde mem report\teach latency, where its data came from, and which data that was\n"
		    "sonde mem -t store report\tstores",
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = mem_run);
