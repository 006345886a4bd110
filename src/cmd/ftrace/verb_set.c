/* verb_set.c - sonde ftrace set. */
#include "cmd/ftrace/starter.h"
#include "cmd/ftrace/verbs.h"

struct set_want {
	struct want want;
};

static const struct opt opts[] = { OPT_SUB(want_opts, struct set_want, want), OPT_END };

static int set_run(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	return starter_run(c, &((struct set_want *)want)->want, argv, STARTER_SET);
}

static void drop(void *want)
{
	want_deinit(&((struct set_want *)want)->want);
}

DEFINE_VERB(set, "set", .brief = "Change settings of a trace buffer (instance)", .synopsis = "[options] [command]",
	    .details = PACKED("Changes only the given settings. reset --ours restores them."),
	    .examples = PACKED(
			"sonde ftrace set -B mine -e sched:sched_switch\tcreate or change a buffer\n"
			"sonde ftrace set -v -B mine\tremove it\n"),
	    .opts = opts, .want_size = sizeof(struct set_want), .drop = drop, .run = set_run);
