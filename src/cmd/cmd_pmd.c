/* cmd_pmd.c - sonde pmd: the poll loops of Open vSwitch and DPDK; its verbs are the views of src/poll. */
#include "cmd/prof/command.h"
#include "poll/poll.h"
#include "prof/list.h"

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct pmd_want, prof),
	OPT_HEAD("Gaps"),
	OPT_FLAG(0, "no-gaps", struct pmd_want, no_gaps, "no tracepoints, only counters"),
	OPT_END,
};

static const struct cmd *const views[] = { &poll_flame.cmd, &poll_polls.cmd, &poll_steal.cmd, NULL };

static int pmd_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct err e = { 0 };
	struct nearest near;
	char text[160];

	if (c->cmd != cmd_find("pmd"))
		return prof_command(c, prof_of(c->cmd), want, argc, argv);
	if (!argc)
		return prof_command(c, &poll_pmd, want, argc, argv);
	nearest_init(&near, sv_from(argv[0]));
	for (size_t i = 0; views[i]; i++)
		nearest_feed(&near, views[i]->name);
	err_set(&e, EINVAL, "pmd has no view '%s'%s", argv[0], nearest_text(&near, text, sizeof(text)));
	return cmd_usage(c, c->cmd, &e);
}

DEFINE_CMD(pmd,
	.brief = "Poll-mode threads of Open vSwitch and DPDK: cycles per packet, busy share",
	.synopsis = "[steal | flame | polls] [-p <pids> | -t <tids> | -C <cpus>] [options]",
	.details = PACKED(
		   "Polling threads are found by the names that OVS and DPDK give them. Only counters are attached, no "
		   "probes; packets and drops are read from OVS's control socket or DPDK's telemetry. LLm/pkt: misses "
		   "of the outermost cache that is counted. wait us/s: runnable, but another thread had the CPU. GAP "
		   "us: the longest time without its own code running, due to an interrupt, another thread or sleep, "
		   "and the main cause of it, from tracepoints of its CPU; `pmd steal` shows all gaps. Columns that "
		   "are unknown here are left out."),
	.examples = PACKED(
		    "sonde pmd\tall polling threads, every second\n"
		    "sonde pmd -p 2347 -i 5000 -N 3\ta switch, three times\n"
		    "sonde pmd -C 4-7 -j\tas JSON\n"
		    "sonde pmd steal -p 2347\twhat interrupts its threads"),
	.verbs = views, .opts = opts, .want_size = sizeof(struct pmd_want), .run = pmd_run);
