/* cmd_ftrace.c - sonde ftrace VERB, for boards: the verbs that record. */
#include "cmd/ftrace/verbs.h"

static const struct opt opts[] = { OPT_END };

static int ftrace_run(struct ctx *c, void *want UNUSED, int argc, char **argv)
{
	struct err e = { 0 };
	struct nearest near;
	char text[160];

	if (!argc) {
		cmd_elsewhere("ftrace without a verb", &e);
		return cmd_fail(c, &e);
	}
	nearest_init(&near, sv_from(argv[0]));
	for (size_t i = 0; verbs[i]; i++)
		nearest_feed(&near, verbs[i]->name);
	err_set(&e, EINVAL, "there is no verb '%s'%s", argv[0], nearest_text(&near, text, sizeof(text)));
	return cmd_usage(c, cmd_find("ftrace"), &e);
}

DEFINE_CMD(ftrace, .brief = "Trace functions and events: trace-cmd's verbs that record", .synopsis = "VERB [options]",
	   .details = PACKED(
		      "Reports, and perf's ftrace, are of the whole sonde: it reads on any machine what is recorded "
		      "here."),
	   .examples = PACKED(
		       "sonde ftrace record -e sched sleep 1\tleaves trace.dat\n"
		       "sonde ftrace start -p function_graph -g vfs_read\tuntil sonde ftrace reset\n"
		       "sonde ftrace show\twhat the kernel has, as its own text\n"),
	   .verbs = verbs, .opts = opts, .run = ftrace_run);
