/*
 * target.h - what to watch: the one target grammar of every command, resolved to (task, cpu) pairs.
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
	bool threads;           /* the whole system is all threads that there are now: of a command's other options */
};

/* For OPT_SUB(target_opts, struct want, target). */
extern const struct opt target_opts[];

enum target_kind {
	TARGET_CPUS,       /* everything on some CPUs; a command, if any, only says how long */
	TARGET_TASKS,      /* existing threads; a command, if any, only says how long */
	TARGET_COMMAND,    /* the command and what it starts */
};

struct target_cgroup {
	const char *name;   /* as it was asked for */
	int fd;
};

struct target {
	enum target_kind kind;
	struct cpus online;
	struct cpus cpus;            /* those, or those of -C */
	bool cpus_chosen;            /* -C was given */
	VEC(int) tids;               /* TARGET_TASKS: every thread of the processes, ascending, each once */
	VEC(struct target_cgroup) cgroups;
	bool inherit;
	int64_t delay_ms;            /* -1: start disabled */
	char **argv;                 /* command or NULL */
	int argc;
	char name_buf[64];
};

/* What perf leaves out beside -p, -t and -u, as its warning has it: "SYSTEM", "CPU"; NULL: nothing. */
const char *target_settle(struct target_want *w);

/* argv: the words behind the options. Checks everything that can be: no such pid, offline CPU, unknown user, no such
 * cgroup. */
int target_init(struct target *t, const struct target_want *w, const struct sys *sys, int argc, char **argv,
		struct err *e);
void target_deinit(struct target *t, const struct sys *sys);

/* The kernel had -ENOENT for the event in this control group: what is missing. -ENOENT. */
int target_no_cgroup(const char *event, const char *group, struct err *e);

/* "system wide", "CPU(s) 0-3", "process id '12'", "'sleep 1'": as perf's heading says it. */
const char *target_name(struct target *t, const struct target_want *w);

#endif
