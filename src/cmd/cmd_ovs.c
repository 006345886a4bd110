/* cmd_ovs.c - sonde ovs: what Open vSwitch does, and what disturbs it; its verbs are views of src/poll. */
#include "cmd/prof/command.h"
#include "poll/poll.h"
#include "prof/list.h"

struct want {
	bool unused;
};

static const struct opt opts[] = {
	OPT_END,
};

static const struct cmd *const views[] = { &poll_delay.cmd, &poll_loop.cmd, &poll_upcalls.cmd, &poll_reval.cmd, NULL };

static int ovs_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct err e = { 0 };
	struct nearest near;
	char text[160];

	if (c->cmd != cmd_find("ovs"))
		return prof_command(c, prof_of(c->cmd), want, argc, argv);
	nearest_init(&near, sv_from(argc ? argv[0] : ""));
	for (size_t i = 0; views[i]; i++)
		nearest_feed(&near, views[i]->name);
	if (argc)
		err_set(&e, EINVAL, "ovs has no view '%s'%s", argv[0], nearest_text(&near, text, sizeof(text)));
	else
		err_set(&e, EINVAL, "ovs: of what?");
	return cmd_usage(c, c->cmd, &e);
}

DEFINE_CMD(ovs,
	.brief = "Open vSwitch: kernel delays, main loop, upcalls, revalidators",
	.synopsis = "delay | loop | upcalls | reval [options]",
	.details = PACKED("Watches the running ovs-vswitchd, or any other program (-p)."),
	.examples = PACKED(
		    "sonde ovs delay\tsystem calls, run delay and interrupts of its threads, for half a second\n"
		    "sonde ovs loop\trun and wait times of its main loop\n"
		    "sonde ovs upcalls\tlatencies of upcalls\n"
		    "sonde ovs reval\trounds of its revalidators"),
	.verbs = views, .opts = opts, .want_size = sizeof(struct want), .run = ovs_run);
