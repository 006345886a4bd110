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
		       "Without -B it is the top buffer, as trace-cmd has it: what was traced there before is switched "
		       "off and its text is gone."),
	    .examples = PACKED(
			"sonde ftrace start -p function -l vfs_read\ttrace into the buffer of the kernel; show and "
			"stop follow\n"
			"sonde ftrace start -e sched -e irq -f 'irq == 30'\ta filter belongs to the event before it\n"
			"sonde ftrace reset --ours\tput everything back as it was\n"),
	    .opts = opts, .want_size = sizeof(struct start_want), .drop = drop, .run = start_run);
