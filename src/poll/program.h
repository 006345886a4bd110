/* program.h - a running program by its name: its threads, and the files of its code, by /proc. */
#ifndef POLL_PROGRAM_H
#define POLL_PROGRAM_H

#include "base/vec.h"
#include "sys/sys.h"

/* The only process of this name. -ESRCH: none; -EEXIST: several. */
int program_named(const struct sys *sys, const char *name, int *pid, struct err *e);

/* Numbers of a list (-p, -t), or all threads of such processes, ascending. */
struct program_ids {
	VEC(uint32_t) v;
};
int program_listed(struct program_ids *l, const char *list);             /* 0 or -ENOMEM */
int program_threads(struct program_ids *l, const struct sys *sys, const char *pids);
void program_ids_deinit(struct program_ids *l);

/* Print "(F>=12&&F<=15)||F==19" for the kernel's filters. */
struct out;
void program_ids_filter(const struct program_ids *l, const char *field, struct out *o);

/* Path of its executable for this process: through /proc if it is in another mount namespace. 0 or -errno. */
int program_path(const struct sys *sys, int pid, char *path, size_t size, struct err *e);

/*
 * Its executable or library that has such a function, or such a USDT marker (provider NULL: a function). -ENOENT: none.
 */
struct program_place {
	const char *provider, *name;
};
int program_with(const struct sys *sys, int pid, const struct program_place *what, char *path, size_t size,
		 struct err *e);

/* One process: that of -p, or the one called ovs-vswitchd; *kept is its pid as text, malloc'ed. 0 or -errno. */
struct prof;
int program_asked(struct prof *p, int *pid, char **kept, struct err *e);

/* Add an event of the view itself. */
int program_event(struct prof *p, struct err *e, const char *fmt, ...) PRINTF(3, 4);

#endif
