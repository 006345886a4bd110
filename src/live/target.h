/*
 * target.h - what to observe: the target options shared by all commands, resolved to (task, CPU) pairs.
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
	bool threads;           /* system-wide means all threads existing now; set from a command's other options */
};

/* For OPT_SUB(target_opts, struct want, target). */
extern const struct opt target_opts[];

enum target_kind {
	TARGET_CPUS,       /* everything on some CPUs; a command, if any, only sets the duration */
	TARGET_TASKS,      /* existing threads; a command, if any, only sets the duration */
	TARGET_COMMAND,    /* the command and its children */
};

struct target_cgroup {
	const char *name;   /* as given */
	int fd;
};

struct target {
	enum target_kind kind;
	struct cpus online;
	struct cpus cpus;            /* the online CPUs, or those of -C */
	bool cpus_chosen;            /* -C was given */
	VEC(int) tids;               /* TARGET_TASKS: all threads of the processes, ascending, without duplicates */
	VEC(struct target_cgroup) cgroups;
	bool inherit;
	int64_t delay_ms;            /* -1: start disabled */
	char **argv;                 /* command or NULL */
	int argc;
	char name_buf[64];
};

/* The option that perf ignores next to -p, -t or -u, as in its warning: "SYSTEM", "CPU"; NULL: none. */
const char *target_settle(struct target_want *w);

/* argv: the words after the options. Checks everything that can be checked: unknown pid, offline CPU, unknown user,
 * unknown cgroup. */
int target_init(struct target *t, const struct target_want *w, const struct sys *sys, int argc, char **argv,
		struct err *e);
void target_deinit(struct target *t, const struct sys *sys);

/* The kernel returned -ENOENT for the event in this cgroup: describe what is missing. Returns -ENOENT. */
int target_no_cgroup(const char *event, const char *group, struct err *e);

/* "system wide", "CPU(s) 0-3", "process id '12'", "'sleep 1'": as in perf's heading. */
const char *target_name(struct target *t, const struct target_want *w);

#endif
