/*
 * target.h - what to watch: the options common to all commands, resolved to CPUs, threads and cgroups.
 *   -a  -C 0,2-5  -p PIDS  -t TIDS  -u USER  --cgroup NAME[,NAME]  -i  -D MS  -- command
 */
#ifndef LIVE_TARGET_H
#define LIVE_TARGET_H

#include "base/opt.h"
#include "base/vec.h"
#include "sys/sys.h"

struct target_want {
	bool all;
	bool no_inherit;
	const char *cpus, *pids, *tids, *user, *cgroups;
	const char *delay;      /* ms */
	bool threads;           /* set by the command: -a means all threads that exist now, not CPUs */
};

/* For OPT_SUB(target_opts, struct want, target). */
extern const struct opt target_opts[];

enum target_kind {
	TARGET_CPUS,       /* all tasks on some CPUs; a command only determines the duration */
	TARGET_TASKS,      /* existing threads; a command only determines the duration */
	TARGET_COMMAND,    /* the command and its children */
};

struct target_cgroup {
	const char *name;   /* as given, or as matched by a pattern */
	int fd;
};

struct target {
	enum target_kind kind;
	struct cpus online;
	struct cpus cpus;            /* those of -C, else all that are online */
	bool cpus_chosen;            /* -C was given */
	VEC(int) tids;               /* TARGET_TASKS: all threads of the processes, ascending, without duplicates */
	VEC(struct target_cgroup) cgroups;
	bool inherit;
	int64_t delay_ms;            /* -1: start disabled */
	char **argv;                 /* command or NULL */
	int argc;
	char name_buf[64];
};

/*
 * As perf does, drop -a or -C if -p, -t or -u is given. Returns the name of what was dropped for perf's warning,
 * "SYSTEM" or "CPU"; NULL: nothing.
 */
const char *target_settle(struct target_want *w);

/* argv: the words behind the options. Errors: unknown pid or user, offline CPU, missing cgroup, contradictions. */
int target_init(struct target *t, const struct target_want *w, const struct sys *sys, int argc, char **argv,
		struct err *e);
void target_deinit(struct target *t, const struct sys *sys);

/* Set the error for an event that could not be opened in a control group (ENOENT), with advice. Returns -ENOENT. */
int target_no_cgroup(const char *event, const char *group, struct err *e);

/* "system wide", "CPU(s) 0-3", "process id '12'", "'sleep'": as in perf stat's heading. */
const char *target_name(struct target *t, const struct target_want *w);

#endif
