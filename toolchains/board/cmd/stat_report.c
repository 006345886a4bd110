/* stat_report.c - the counts that `stat record` wrote are read elsewhere. */
#include "cmd/stat_report.h"

static const struct opt opts[] = { OPT_END };

static int stat_report_run(struct ctx *c, void *want UNUSED, int argc UNUSED, char **argv UNUSED)
{
	struct err e = { 0 };

	cmd_elsewhere("stat report", &e);
	return cmd_fail(c, &e);
}

static const struct cmd cmd_stat_report = {
	.name = "report", .family = "stat", .brief = "Not in this build", .opts = opts, .synopsis = "[options]",
	.run = stat_report_run, .examples = "sonde stat report -i counts.data\ton a machine with the whole sonde\n",
};

const struct cmd *const stat_verbs[] = { &cmd_stat_report, NULL };
