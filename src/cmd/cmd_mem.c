/*
 * cmd_mem.c - sonde mem: record loads and stores, and report them by their latency in cycles. Options are those of
 * perf mem (Linux 6.12).
 */
#include "cmd/mem/dump.h"
#include "cmd/mem/record.h"
#include "cmd/view_command.h"

/* --- report --- */

struct mem_report_want {
	struct report_want report;   /* first: report's functions take a pointer to it */
	struct mem_dump_want dump;
	const char *type;
	bool by_type;
};

/* They precede report's options, which use some of the same letters for other things. */
static const struct opt report_only_opts[] = {
	OPT_STR('t', "type", struct mem_report_want, type, "load|store|load,store",
		"columns for these accesses (default load,store)"),
	OPT_FLAG('p', "phys-data", struct mem_report_want, dump.physical, "physical addresses, too"),
	OPT_FLAG(0, "data-page-size", struct mem_report_want, dump.page_size, "data page sizes, too"),
	OPT_FLAG('T', "type-profile", struct mem_report_want, by_type, "rows by data type"),
	OPT_FLAG('D', "dump-raw-samples", struct mem_report_want, dump.on, "print one line per access"),
	OPT_STR('x', "field-separator", struct mem_report_want, dump.sep, "<sep>", "separator between values"),
	OPT_SUB(report_opts, struct mem_report_want, report),
	OPT_END,
};

static int check_type(const char *type, unsigned *what, struct err *e)
{
	static const char *const known[] = { "load", "store", "load,store", "store,load" };

	*what = MEM_LOADS | MEM_STORES;
	for (size_t i = 0; type && i < ARRAY_SIZE(known); i++)
		if (!strcmp(type, known[i])) {
			*what = i < 2 ? (unsigned)i + 1 : *what;
			return 0;
		}
	return type ? err_set(e, EINVAL, "--type: '%.40s' is neither load, store nor load,store", type) : 0;
}

/* Default sort keys of perf mem; those of stores have no latency and no snoop result. NULL: report's defaults. */
static const char *usual_keys(struct mem_report_want *w, bool loads, struct arena *a)
{
	static const char of_loads[] = "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked";
	static const char of_stores[] = "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked";
	const char *keys = w->by_type ? "mem,snoop,tlb,type" : loads ? of_loads : of_stores;
	struct mem_out m;
	const char *text;

	mem_out_init(&m);
	out_str(&m.out, keys);
	out_str(&m.out, w->dump.physical ? ",phys_daddr" : "");
	out_str(&m.out, w->dump.page_size ? ",data_page_size" : "");
	text = mem_out_str(&m);
	text = arena_dup(a, text, strlen(text));
	mem_out_deinit(&m);
	return text;
}

static int report_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct mem_report_want *w = want;
	struct arena a = { 0 };
	struct err e = { 0 };
	unsigned what;
	int code;

	if (check_type(w->type, &what, &e))
		return cmd_usage(c, c->cmd, &e);
	w->report.keys.by_weight = true;
	w->report.samples = true;
	if (w->dump.sep && !w->dump.on)
		w->report.sep = w->dump.sep;
	if (!w->report.session.itrace)
		w->report.session.itrace = "M";
	if (w->dump.on)
		return mem_dump(c, &w->dump, &w->report);
	if (!w->report.sort && !w->report.fields)
		w->report.sort = usual_keys(w, what & MEM_LOADS, &a);
	code = cmd_find("report")->run(c, &w->report, argc, argv);
	arena_deinit(&a);
	return code;
}

static const struct cmd verb_report = {
	.name = "report", .family = "mem", .brief = "Show loads and stores by their latency in cycles",
	.synopsis = "[options] [-i file]",
	.details = PACKED(
		   "Runs sonde report with --mem-mode -n, and for SPE recordings with --itrace=M: a row's overhead is "
		   "its share of the cycles. Recordings of x86's mem-loads and mem-stores are read the same way."),
	.examples = PACKED(
		    "sonde mem report\tby latency, data source and data symbol\n"
		    "sonde mem report -s mem,snoop\tcost of each memory level\n"
		    "sonde mem report -t store -p\tonly stores, with physical addresses\n"
		    "sonde mem report -D -x ,\teach access, for programs"),
	.opts = report_only_opts, .want_size = sizeof(struct mem_report_want), .defaults = report_defaults,
	.run = report_run,
};

/* --- record --- */

struct mem_record {
	struct mem_record_want mem;      /* first: mem_record_defaults takes a pointer to it */
	const char *type;
};

static const struct opt record_only_opts[] = {
	OPT_HEAD("What to record"),
	OPT_STR('t', "type", struct mem_record, type, "load|store|load,store",
		"accesses to record (default load,store)"),
	OPT_U64(0, "ldlat", struct mem_record, mem.latency, "<cycles>",
		"only loads with at least this latency (default 30)"),
	OPT_FLAG('p', "phys-data", struct mem_record, mem.physical, "physical addresses, too"),
	OPT_FLAG('U', "all-user", struct mem_record, mem.record.all_user, "only accesses in user space"),
	OPT_FLAG('K', "all-kernel", struct mem_record, mem.record.all_kernel, "only accesses in the kernel"),
	OPT_SUB(record_opts, struct mem_record, mem.record),
	OPT_END,
};

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct mem_record *w = want;
	struct err e = { 0 };

	if (check_type(w->type, &w->mem.what, &e))
		return cmd_usage(c, c->cmd, &e);
	return mem_record(c, &w->mem, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "mem", .brief = "Record loads and stores into perf.data",
	.synopsis = "[options] [-- command [arguments]]",
	.details = PACKED(
		   "Runs sonde record -d -W with the memory events of this machine: mem-loads and mem-stores, ibs_op "
		   "or arm_spe_0. -e chooses memory events or adds other events; -e list shows them. Takes record's "
		   "options, too."),
	.examples = PACKED(
		    "sonde mem record -- ./program\tloads and stores of a program\n"
		    "sonde mem record -t load --ldlat 100 -a sleep 10\tslow loads, system-wide, for ten seconds\n"
		    "sonde mem record -e list\tmemory events of this machine"),
	.opts = record_only_opts, .want_size = sizeof(struct mem_record), .defaults = mem_record_defaults,
	.run = record_run,
};

/* --- mem --- */

static const struct cmd *const verbs[] = { &verb_record, &verb_report, NULL };

struct want {
	const char *input, *type, *sep, *cpus;
	bool physical, page_size, dump, resolved, ignored;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, input, "<file>", "recording to read"),
	OPT_STR('t', "type", struct want, type, "load|store|load,store", "accesses to record or show"),
	OPT_FLAG('p', "phys-data", struct want, physical, "physical addresses, too"),
	OPT_FLAG(0, "data-page-size", struct want, page_size, "data page sizes, too"),
	OPT_STR('C', "cpu", struct want, cpus, "<cpus>", "only these CPUs"),
	OPT_FLAG('D', "dump-raw-samples", struct want, dump, "print one line per access"),
	OPT_FLAG('U', "hide-unresolved", struct want, resolved, "leave out rows without a symbol"),
	OPT_STR('x', "field-separator", struct want, sep, "<sep>", "separator between values"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

/* As in perf, options may stand in front of the verb: "mem -t load -p record". */
static int mem_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;
	const struct want *w = want;
	bool reports = verb == &verb_report;
	struct view_front f = { .n = 0 };

	if (!verb)
		return view_no_verb(c, argc ? argv[0] : NULL);
	view_say(&f, reports ? "--input" : NULL, w->input);
	view_say(&f, "--type", w->type);
	view_say(&f, "--cpu", w->cpus);
	view_say(&f, reports ? "--field-separator" : NULL, w->sep);
	view_say_flag(&f, "--phys-data", w->physical);
	view_say_flag(&f, "--data-page-size", w->page_size);
	view_say_flag(&f, "--dump-raw-samples", w->dump && reports);
	view_say_flag(&f, "--hide-unresolved", w->resolved && reports);
	return view_start(c, verb, f.v, f.n, argc, argv);
}

DEFINE_CMD(mem,
	.brief = "Profile memory accesses: latency, data source, data symbol",
	.synopsis = "[options] record | report ...",
	.details = PACKED(
		   "Reads recordings of Arm's SPE, and of events with data sources and weights. Options, columns and "
		   "texts are perf mem's."),
	.examples = PACKED(
		    "sonde mem record -- ./program\trecord\n"
		    "sonde mem report\tby latency, data source and data symbol\n"
		    "sonde mem -t store report\tonly stores"),
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = mem_run);
