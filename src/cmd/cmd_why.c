/* cmd_why.c - sonde why: where the time of a task went (src/why). */
#include "cmd/prof/command.h"
#include "why/why.h"

enum { PIDS = 64, LIST = 1024 };

struct search {
	const struct sys *sys;
	const char *name;
	char pids[LIST];                 /* "12,34" */
	unsigned n;
};

static int visit(void *arg, const char *entry)
{
	struct search *s = arg;
	size_t n = strlen(s->pids);
	uint64_t pid;
	char comm[32];

	if (!str_u64(sv_from(entry), 10, &pid) || pid == (uint64_t)sys_self() ||
	    sys_read_line(s->sys, comm, sizeof(comm), "/proc/%s/comm", entry) < 0 || strcmp(comm, s->name))
		return 0;
	if (s->n++ < PIDS)
		snprintf(s->pids + n, sizeof(s->pids) - n, "%s%s", n ? "," : "", entry);
	return 0;
}

/* Find all processes with this name. */
static int find(struct search *s, struct err *e)
{
	s->sys->each_entry(s->sys, "/proc", visit, s);
	if (!s->n) {
		err_set(e, ESRCH, "no process is called '%.40s'", s->name);
		return err_hint(e, "a command stands behind --: sonde why -- %.40s", s->name);
	}
	return s->n <= PIDS ? 0 : err_set(e, E2BIG, "%u processes are called '%.40s': say which by number", s->n,
					  s->name);
}

/* A word that is not the command behind "--" names the task: a pid, or the name of processes. */
static int take_word(struct why_want *w, struct search *s, const char *word, struct err *e)
{
	uint64_t pid;
	int r;

	if (w->prof.target.pids || w->prof.target.tids)
		return err_set(e, EINVAL, "%.40s: the task is said already", word);
	w->task = word;
	if (str_u64(sv_from(word), 10, &pid)) {
		w->prof.target.pids = word;
		return 0;
	}
	if (w->prof.from.input) {
		w->name = word;
		return 0;
	}
	s->name = word;
	r = find(s, e);
	w->prof.target.pids = r ? NULL : s->pids;
	return r;
}

/* "why 2347 -d 10": options may also follow the task. */
static int take_task(struct why_want *w, struct search *s, int argc, char **argv, struct err *e)
{
	int at = opt_parse(why_options, w, argc, argv, e);

	if (at < 0)
		return at;
	if (at < argc) {
		err_set(e, EINVAL, "'%.40s': one task is enough", argv[at]);
		return err_hint(e, "a command stands behind --: sonde why -- %.40s ...", argv[0]);
	}
	return take_word(w, s, argv[0], e);
}

static int why_run(struct ctx *c, void *want, int argc, char **argv)
{
	bool command = argc && !strcmp(argv[-1], "--");
	struct search s = { .sys = c->sys };
	struct why_want *w = want;
	struct err e = { 0 };
	int r = argc && !command ? take_task(w, &s, argc, argv, &e) : 0;

	if (r)
		return r == -ESRCH ? cmd_fail(c, &e) : cmd_usage(c, c->cmd, &e);
	if (!w->task)
		w->task = w->prof.target.pids ? w->prof.target.pids : w->prof.target.tids;
	return prof_command(c, &why_kind, want, command ? argc : 0, argv);
}

DEFINE_CMD(why,
	.brief = "Show where a task's time went: on CPU, runnable, blocked by whom",
	.synopsis = "[options] <pid> | <name> | -p <pids> | -t <tids> | -- command [arguments]",
	.details = PACKED(
		"Splits the time of the task's threads (for some seconds, until the command ends, or in a recording) "
		"by cause: on CPU, with the functions; interrupted; runnable, with the tasks that had the CPU, or "
		"while the CPU was idle (throttled cgroup); blocked on disk I/O or on page faults, or sleeping, with "
		"the system call and the task that woke it. The causes add up to 100 %. > names the command that shows "
		"more of a cause.\n"
		"It traces context switches on all CPUs; without that permission it reads /proc 100 times per second. "
		"A recording should have call chains (record -a -g) and sched:sched_switch, sched_waking, "
		"sched_wakeup_new, sched_migrate_task, irq:*, and samples (cpu-clock)."),
	.examples = PACKED(
		"sonde why 2347\ta process, for 5 seconds\n"
		"sonde why ovs-vswitchd -d 10\tby name, for 10 seconds\n"
		"sonde why -t 2349 -j\tone thread, as JSON\n"
		"sonde why -- make\ta command, until it ends\n"
		"sonde why -i perf.data 2347\ta process in a recording"),
	.opts = why_options, .want_size = sizeof(struct why_want), .defaults = why_defaults, .run = why_run);
