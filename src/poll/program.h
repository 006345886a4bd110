/* program.h - find a running program by name, its threads, and the files that have its code; from /proc. */
#ifndef POLL_PROGRAM_H
#define POLL_PROGRAM_H

#include "base/vec.h"
#include "sys/sys.h"

/* The only process of this name. -ESRCH: there is none; -EEXIST: there are several. */
int program_named(const struct sys *sys, const char *name, int *pid, struct err *e);

/* A sorted list of pids or tids: from a text (-p, -t), or all threads of such processes. */
struct program_ids {
	VEC(uint32_t) v;
};
int program_listed(struct program_ids *l, const char *list);             /* 0 or -ENOMEM */
int program_threads(struct program_ids *l, const struct sys *sys, const char *pids);
void program_ids_deinit(struct program_ids *l);

/* Write an event filter for the ids: "(F>=12&&F<=15)||F==19", where F is `field`. */
struct out;
void program_ids_filter(const struct program_ids *l, const char *field, struct out *o);

/* The path of its executable for this process; via /proc/PID/root if it has another mount namespace. 0 or -errno. */
int program_path(const struct sys *sys, int pid, char *path, size_t size, struct err *e);

/* The executable or library of the process that has a function, or a USDT probe (provider not NULL). -ENOENT: none. */
struct program_place {
	const char *provider, *name;
};
int program_with(const struct sys *sys, int pid, const struct program_place *what, char *path, size_t size,
		 struct err *e);

/* The process of -p, or the one called ovs-vswitchd; *kept: its pid as text, malloc'ed. 0 or -errno. */
struct prof;
int program_asked(struct prof *p, int *pid, char **kept, struct err *e);

/* Add an event of the profiler itself, in the syntax of -e. */
int program_event(struct prof *p, struct err *e, const char *fmt, ...) PRINTF(3, 4);

#endif
