/* cmd_trace.c - sonde trace: prints system calls, live or from a recording (src/syscalls). */
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
		"Runs sonde record with raw_syscalls:sys_enter and sys_exit, -m 1024 and -c 1; takes record's "
		"options."),
	.examples = PACKED(
		    "sonde trace record -- ls\ta command\n"
		    "sonde trace record -a sleep 10 && sonde trace -s -i perf.data\tsystem-wide, for ten seconds"),
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run,
};

static const struct cmd *const verbs[] = { &verb_record, NULL };

static int trace_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct trace_want *w = want;
	struct out *out = c->out;
	int code;

	settle_target(c, &w->prof.target);
	/* perf trace prints to standard error, apart from the command's output: "perf trace ls >/dev/null". */
	if (cmd_is_perf(c))
		c->out = c->msg;
	code = prof_command(c, w->faults ? &syscalls_trace_faults : &syscalls_trace, want, argc, argv);
	c->out = out;
	return code;
}

DEFINE_CMD(trace,
	.brief = "Trace system calls as strace does, without stopping the tasks",
	.synopsis = "[options] [-i <file>] [--] [command [arguments]] | record ...",
	.details = PACKED(
		"Lines, columns and options are perf trace's: start time in ms since the first line, duration, "
		"arguments that are not 0, return value. When lines of other threads come between entry and exit, the "
		"entry has a line of its own and the exit is \"... [continued]\". Without a command, -p, -t and -i all "
		"tasks but sonde itself are traced. Names of arguments come from the format files of the recording or "
		"of the running kernel.\n\n"
		"Live, strings, socket addresses and small structs are printed instead of pointers: BPF programs read "
		"them at the entry, and what the call fills at its exit (Linux 5.8, CAP_BPF and CAP_PERFMON). Without "
		"BPF the thread's memory is read when its line is printed, 50 ms later: data that was overwritten "
		"meanwhile is shown as it is then, and of an ended thread only pointers are shown. See --strings. A "
		"file descriptor is shown with the path that it had during the call, provided that all system calls "
		"that change descriptors are traced; with -e it is the path when the line is printed."),
	.examples = PACKED(
		"sonde trace -- ls\ta command\n"
		"sonde trace -e %file,%network -p 2347\tfile and network calls of a process\n"
		"sonde trace --no-syscalls -e timer:hrtimer_start --filter 'mode != HRTIMER_MODE_ABS'\tother events, "
			"filtered by enum names; --libtraceevent_print: as the kernel prints them\n"
		"sonde trace -F all --call-graph dwarf -- ls\twith page faults and call chains\n"
		"sonde trace -s -p 2347\tsummary of a process's threads, until Ctrl-C\n"
		"sonde trace -e 'openat,read*' --failure\tonly calls that fail, of all tasks\n"
		"sonde trace --duration 10 -a\tcalls that take longer than 10 ms\n"
		"sonde trace --no-syscalls -e 'net:*' -- ping -c 1 ::1\tonly other events, of a command\n"
		"sonde trace record -a sleep 10 && sonde trace -S --errno-summary -i perf.data\tread a recording"),
	.verbs = verbs, .opts = trace_opts, .want_size = sizeof(struct trace_want), .run = trace_run);
