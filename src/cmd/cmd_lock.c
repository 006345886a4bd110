/* cmd_lock.c - sonde lock: record waits for the kernel's locks, and the views of them (src/lock). */
#include "cmd/script/want.h"
#include "cmd/view_command.h"
#include "lock/lock.h"

/* --- record, script: sonde record and script with these events --- */

/* With CONFIG_LOCKDEP and CONFIG_LOCK_STAT each step of each lock is traced; else (since Linux 5.19) only waits. */
static const char *const lockdep_events[] = {
	"lock:lock_acquire", "lock:lock_acquired", "lock:lock_contended", "lock:lock_release",
};
static const char *const contention_events[] = { "lock:contention_begin", "lock:contention_end" };

static bool has_all(struct ctx *c, const char *const *events, size_t n)
{
	size_t i = 0;

	while (i < n && view_has_event(c->sys, events[i]))
		i++;
	return i == n;
}

static int no_events(struct ctx *c)
{
	struct err e = { 0 };

	err_set(&e, ENOENT, "this kernel has no events of locks: neither lock:contention_begin (Linux 5.19) nor "
		"lock:lock_acquire (CONFIG_LOCKDEP)");
	err_hint(&e, "kprobes on mutex_lock and the like measure what you name: sonde prof multi-trace --help");
	return cmd_fail(c, &e);
}

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct record_want *w = want;

	if (has_all(c, lockdep_events, ARRAY_SIZE(lockdep_events))) {
		view_events(w, lockdep_events, ARRAY_SIZE(lockdep_events));
		return view_record(c, want, argc, argv);
	}
	if (!has_all(c, contention_events, ARRAY_SIZE(contention_events)) && sys_tracefs(c->sys))
		return no_events(c);
	view_events(w, contention_events, ARRAY_SIZE(contention_events));
	if (!w->chain.on && !w->chain.max_stack)
		w->chain.max_stack = LOCK_STACK;
	w->chain.on = true;
	return view_record(c, want, argc, argv);
}

static int script_run(struct ctx *c, void *want, int argc, char **argv)
{
	return cmd_find("script")->run(c, want, argc, argv);
}

static const struct cmd verb_record = {
	.name = "record", .family = "lock", .brief = "Record contention of kernel locks into perf.data",
	.synopsis = "[options] [-- command [arguments]]",
	.details = PACKED(
		   "Runs sonde record with -m 1024 -c 1 and lock:contention_begin and contention_end with call chains "
		   "of 8 frames; on kernels with CONFIG_LOCKDEP and CONFIG_LOCK_STAT with lock:lock_acquire and its "
		   "like for each lock. Takes record's options, too: -a for system-wide."),
	.examples = PACKED(
		    "sonde lock record -- make\ta command and its children\n"
		    "sonde lock record -a sleep 10\tsystem-wide, for ten seconds"),
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run,
};

static const struct cmd verb_script = {
	.name = "script", .family = "lock", .brief = "Print each lock event of a recording",
	.synopsis = "[options] [-i file]",
	.details = PACKED("sonde script under another name."),
	.examples = PACKED("sonde lock script --ns\tperf.data, in nanoseconds"),
	.opts = script_opts, .want_size = sizeof(struct script_want), .defaults = script_defaults, .run = script_run,
};

static const struct cmd *const verbs[] = {
	&verb_record, &lock_report.cmd, &lock_info.cmd, &lock_contention.cmd, &verb_script, NULL,
};

/* --- lock --- */

static const struct prof_kind *const views[] = { &lock_report, &lock_info, &lock_contention };

struct want {
	const char *input, *vmlinux, *kallsyms;
	unsigned verbose;
	bool quiet, ignored;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct want, input, "<file>", "recording to read"),
	OPT_STR(0, "vmlinux", struct want, vmlinux, "<file>", "vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct want, kallsyms, "<file>", "copy of the recorded machine's /proc/kallsyms"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print more detail"),
	OPT_FLAG('q', "quiet", struct want, quiet, "print results only"),
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_END,
};

/* Options given in front of the verb, as words for a view. */
static struct view_front front_of(const struct want *w)
{
	struct view_front f = { .n = 0 };

	view_say(&f, "--input", w->input);
	view_say(&f, "--vmlinux", w->vmlinux);
	view_say(&f, "--kallsyms", w->kallsyms);
	view_say_flag(&f, "-v", w->verbose);
	view_say_flag(&f, "-q", w->quiet);
	return f;
}

/* perf lock prints to standard error, and leaves standard output to the command that it runs. */
static int show(struct ctx *c, const struct prof_kind *kind, void *want, int argc, char **argv)
{
	struct out *out = c->out;
	int code;

	if (cmd_is_perf(c))
		c->out = c->msg;
	code = prof_command(c, kind, want, argc, argv);
	c->out = out;
	return code;
}

static int lock_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *verb = argc ? view_verb(verbs, argv[0]) : NULL;
	struct view_front f = { .n = 0 };

	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		if (c->cmd == &views[i]->cmd)
			return show(c, views[i], want, argc, argv);
	if (!verb)
		return view_no_verb(c, argc ? argv[0] : NULL);
	if (verb != &verb_record)
		f = front_of(want);
	return view_start(c, verb, f.v, f.n, argc, argv);
}

DEFINE_CMD(lock,
	.brief = "Analyze kernel lock contention: threads, call sites, wait times",
	.synopsis = "[-i <file>] record | report | info | contention | script ...",
	.details = PACKED(
		   "record writes perf.data, the other verbs read it; contention is live with a command, -a, -p or an "
		   "interval. Options, columns and texts are perf lock's."),
	.examples = PACKED(
		    "sonde lock record -a -- make\trecord\n"
		    "sonde lock contention\tcall sites and their wait times\n"
		    "sonde lock contention -- make\tthe same, live\n"
		    "sonde lock report\teach lock"),
	.verbs = verbs, .opts = opts, .want_size = sizeof(struct want), .run = lock_run);
