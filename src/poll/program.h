/* program.h - a program that runs: by its name, its threads, the files that its code is in. Of /proc. */
#ifndef POLL_PROGRAM_H
#define POLL_PROGRAM_H

#include "base/vec.h"
#include "sys/sys.h"

/* The one process of this name. -ESRCH: none; -EEXIST: there are several. */
int program_named(const struct sys *sys, const char *name, int *pid, struct err *e);

/* Numbers as they are listed (-p, -t), or of all threads of such processes, ascending. */
struct program_ids {
	VEC(uint32_t) v;
};
int program_listed(struct program_ids *l, const char *list);             /* 0 or -ENOMEM */
int program_threads(struct program_ids *l, const struct sys *sys, const char *pids);
void program_ids_deinit(struct program_ids *l);

/* "(F>=12&&F<=15)||F==19": for the kernel's filters. */
struct out;
void program_ids_filter(const struct program_ids *l, const char *field, struct out *o);

/* Where its code is, as this process finds it: of another mount namespace through /proc. 0 or -errno. */
int program_path(const struct sys *sys, int pid, char *path, size_t size, struct err *e);

/* Its file, or its library, that has such a function, or such a marker (provider NULL: a function). -ENOENT: none. */
struct program_place {
	const char *provider, *name;
};
int program_with(const struct sys *sys, int pid, const struct program_place *what, char *path, size_t size,
		 struct err *e);

/* One process: what -p says, or the one called ovs-vswitchd; its number as text is *kept, malloc'ed. 0 or -errno. */
struct prof;
int program_asked(struct prof *p, int *pid, char **kept, struct err *e);

/* -e of the view's own. */
int program_event(struct prof *p, struct err *e, const char *fmt, ...) PRINTF(3, 4);

#endif
