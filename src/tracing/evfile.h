/*
 * evfile.h - one event of the running kernel by what a user calls it: its folder, and its fields.
 */
#ifndef TRACING_EVFILE_H
#define TRACING_EVFILE_H

#include "tracefs/format/format.h"
#include "tracing/undo.h"

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

/*
 * The kernel refused this trigger, of an event with these fields (NULL: not known): where it did not log why, its
 * grammar or the event that it names may tell. e has its answer, and keeps that when nothing better is known.
 */
void evfile_explain(const struct tfs *t, const struct tfmt *fmt, const char *text, struct err *e);

/* The same of an event that is named in what was refused. */
void evfile_explain_event(const struct tfs *t, struct sv system, struct sv event, struct err *e);

/* Set a trigger of it, to be taken away by the undo. */
int evfile_trigger(const struct evfile *f, struct undo *u, const struct tfs *t, const char *text, struct err *e);

#endif
