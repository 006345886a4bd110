/* cmd_trace.c - sonde trace: system calls as they occur, or of a recording (src/syscalls). */
#include "cmd/settle.h"
#include "cmd/view_command.h"
#include "syscalls/trace.h"

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	static const char *const events[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" };

	view_events(want, events, ARRAY_SIZE(events));
	return view_record(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "trace", .brief = "Record system calls into perf.data",
	.synopsis = "[options] [-- command [arguments]]",
	.details = PACKED(
		"sonde record with raw_syscalls:sys_enter and sys_exit, -m 1024 and -c 1; options are record's."),
	.examples = PACKED(
		    "sonde trace record -- ls\ta command\n"
		    "sonde trace record -a sleep 10 && sonde trace -s -i perf.data\tall, for ten seconds"),
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run,
};

static const struct cmd *const verbs[] = { &verb_record, NULL };

static int trace_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct trace_want *w = want;
	struct out *out = c->out;
	int code;

	settle_target(c, &w->prof.target);
	/* perf's lines stand beside what the command writes: "perf trace ls >/dev/null". */
	if (cmd_is_perf(c))
		c->out = c->msg;
	code = prof_command(c, w->faults ? &syscalls_trace_faults : &syscalls_trace, want, argc, argv);
	c->out = out;
	return code;
}

DEFINE_CMD(trace,
	.brief = "System calls as they occur: what strace tells, without stopping anybody",
	.synopsis = "[options] [-i <file>] [--] [command [arguments]] | record ...",
	.details = PACKED(
		"Lines, columns and options are perf trace's: when a call began, ms since the first line, how long it "
		"took, its arguments that are not 0, and what it returned. Of a call that others' lines interrupt the "
		"beginning stands on a line of its own, and its end is \"... [continued]\". Without a command, -p, -t "
		"and -i it is everybody but this program. Arguments are called as the kernel's own formats say, of the "
		"recording or the machine that runs.\n\n"
		"Live, strings, names of sockets and small structs stand in the place of their addresses: programs in "
		"the kernel read them as the call begins, or as it ends what it has filled (Linux 5.8, CAP_BPF and "
		"CAP_PERFMON). Where that cannot be, the thread's memory is read when its line is made, 50 ms later: "
		"what it has overwritten by then is told as it is then, and of a thread that is gone there are only "
		"addresses. --strings says which. A descriptor has the path that it stood for in the call, as far as "
		"all calls that change descriptors are among those that are traced; with -e it is the path that it "
		"has when the line is made."),
	.examples = PACKED(
		"sonde trace -- ls\ta command\n"
		"sonde trace -e %file,%network -p 2347\tpaths and addresses that a process uses\n"
		"sonde trace --no-syscalls -e timer:hrtimer_start --filter 'mode != HRTIMER_MODE_ABS'\t"
			"events, chosen by names of the kernel's enums; --libtraceevent_print: as the kernel writes "
			"them\n"
		"sonde trace -F all --call-graph dwarf -- ls\twith page faults, and who made each call\n"
		"sonde trace -s -p 2347\twhat the threads of a process do, in all, until Ctrl-C\n"
		"sonde trace -e 'openat,read*' --failure\tof all who fail to open or read\n"
		"sonde trace --duration 10 -a\twhat takes longer than 10 ms\n"
		"sonde trace --no-syscalls -e 'net:*' -- ping -c 1 ::1\tother events, of a command\n"
		"sonde trace record -a sleep 10 && sonde trace -S --errno-summary -i perf.data\tof a recording"),
	.verbs = verbs, .opts = trace_opts, .want_size = sizeof(struct trace_want), .run = trace_run);
