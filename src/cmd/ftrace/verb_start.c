/* verb_start.c - sonde ftrace start. */
#include "cmd/ftrace/starter.h"
#include "cmd/ftrace/verbs.h"

struct start_want {
	struct want want;
};

static const struct opt opts[] = { OPT_SUB(want_opts, struct start_want, want), OPT_END };

static int start_run(struct ctx *c, void *want, int argc UNUSED, char **argv)
{
	return starter_run(c, &((struct start_want *)want)->want, argv, STARTER_START);
}

static void drop(void *want)
{
	want_deinit(&((struct start_want *)want)->want);
}

DEFINE_VERB(start, "start", .brief = "Start tracing and leave it on", .synopsis = "[options] [command]",
	    .details = PACKED(
		       "Without -B it uses the top buffer, as trace-cmd does: earlier tracing there is disabled and "
		       "its data is lost."),
	    .examples = PACKED(
			"sonde ftrace start -p function -l vfs_read\ttrace into the kernel's buffer; then use show and "
				"stop\n"
			"sonde ftrace start -e sched -e irq -f 'irq == 30'\ta filter applies to the event before it\n"
			"sonde ftrace reset --ours\trestore all settings\n"),
	    .opts = opts, .want_size = sizeof(struct start_want), .drop = drop, .run = start_run);
