/*
 * evfile.h - one event of the running kernel by what a user calls it: its folder, and its fields.
 */
#ifndef FTRACE_EVFILE_H
#define FTRACE_EVFILE_H

#include "ftrace/undo.h"
#include "tracefs/format.h"

struct evfile {
	char system[80], event[128];
	char dir[TFS_PATH];          /* "events/SYSTEM/EVENT", as tfs takes it */
	struct tfmt fmt;
	struct arena arena;
};

/*
 * "sched:sched_switch", "sched/sched_switch", "sched_switch" (which must be the only one of that name). -ENOENT with
 * the nearest names, -EINVAL.
 */
int evfile_init(struct evfile *f, const struct tfs *t, const char *name, struct err *e);
void evfile_deinit(struct evfile *f);

/* One of its files: "trigger", "hist". */
const char *evfile_path(const struct evfile *f, const char *file, char buf[TFS_PATH]);

/* Set a trigger of it, to be taken away by the undo. */
int evfile_trigger(const struct evfile *f, struct undo *u, const struct tfs *t, const char *text, struct err *e);

#endif
