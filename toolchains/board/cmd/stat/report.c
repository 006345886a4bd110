/* report.c - counts are kept, and what `stat record` wrote is read, elsewhere. */
#include "cmd/stat/report.h"

static const struct opt opts[] = { OPT_END };

static int elsewhere(struct ctx *c, void *want UNUSED, int argc UNUSED, char **argv UNUSED)
{
	struct err e = { 0 };

	cmd_elsewhere("stat record, stat report", &e);
	return cmd_fail(c, &e);
}

#define VERB(id) static const struct cmd cmd_##id = { \
	.name = #id, .family = "stat", .brief = "Not in this build", .opts = opts, .synopsis = "[options]", \
	.run = elsewhere, .examples = PACKED("sonde stat report -i counts.data\ton a machine with the whole sonde\n"), \
}
VERB(record);
VERB(report);

const struct cmd *const stat_verbs[] = { &cmd_record, &cmd_report, NULL };
