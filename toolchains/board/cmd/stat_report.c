/* stat_report.c - counts are kept, and what `stat record` wrote is read, elsewhere. */
#include "cmd/stat_report.h"

static const struct opt opts[] = { OPT_END };

static int lacks(struct ctx *c, const char *what)
{
	struct err e = { 0 };

	cmd_elsewhere(what, &e);
	return cmd_fail(c, &e);
}

static int record_run(struct ctx *c, void *want UNUSED, int argc UNUSED, char **argv UNUSED)
{
	return lacks(c, "stat record");
}

static int report_run(struct ctx *c, void *want UNUSED, int argc UNUSED, char **argv UNUSED)
{
	return lacks(c, "stat report");
}

static const struct cmd cmd_record = {
	.name = "record", .family = "stat", .brief = "Not in this build", .opts = opts, .synopsis = "[options]",
	.run = record_run, .examples = "sonde stat record make\ton a machine with the whole sonde\n",
};

static const struct cmd cmd_report = {
	.name = "report", .family = "stat", .brief = "Not in this build", .opts = opts, .synopsis = "[options]",
	.run = report_run, .examples = "sonde stat report -i counts.data\ton a machine with the whole sonde\n",
};

const struct cmd *const stat_verbs[] = { &cmd_record, &cmd_report, NULL };
