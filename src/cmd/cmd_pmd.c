/* cmd_pmd.c - sonde pmd: loops that poll, of Open vSwitch and DPDK; its verbs are the views of src/poll. */
#include "cmd/prof/command.h"
#include "poll/poll.h"
#include "prof/list.h"

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct pmd_want, prof),
	OPT_HEAD("Gaps"),
	OPT_FLAG(0, "no-gaps", struct pmd_want, no_gaps, "no tracepoints: nothing but counters"),
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
	.brief = "Poll-mode loops of Open vSwitch and DPDK: cycles a packet, busy share, what is stolen",
	.synopsis = "[steal | flame | polls] [-p <pids> | -t <tids> | -C <cpus>] [options]",
	.details = PACKED(
		   "Threads that poll are found by the names that OVS and DPDK give them. Only counters are attached "
		   "to them, no probes; packets, and those that were dropped, are what the program tells itself, by "
		   "OVS's control socket or DPDK's telemetry. LLm/pkt: misses of the last cache that is counted. wait "
		   "us/s: it could run and others had its CPU. GAP us: the longest time in which it did not run its "
		   "own code, for an interrupt, another thread or sleep, and what took most of that, by tracepoints of "
		   "its CPU; all gaps are in `pmd steal`. Columns of what is not known here are left out."),
	.examples = PACKED(
		    "sonde pmd\tall such threads, each second\n"
		    "sonde pmd -p 2347 -i 5000 -N 3\ta switch's, three times\n"
		    "sonde pmd -C 4-7 -j\tas JSON\n"
		    "sonde pmd steal -p 2347\twhat takes the CPUs from its threads"),
	.verbs = views, .opts = opts, .want_size = sizeof(struct pmd_want), .run = pmd_run);
