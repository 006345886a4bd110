/* evfile.h - one event of the running kernel, found by a user's name for it: its folder and its format. */
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

/* Path of one of its files: "trigger", "hist". */
const char *evfile_path(const struct evfile *f, const char *file, char buf[TFS_PATH]);

/*
 * Explain why the kernel refused a trigger on an event with this format (NULL: unknown): if the kernel logged no
 * reason, the grammar is checked, and the event that the trigger names. e holds the kernel's error, and keeps it when
 * nothing better is found.
 */
void evfile_explain(const struct tfs *t, const struct tfmt *fmt, const char *text, struct err *e);

/* The same for an event that the refused text names. */
void evfile_explain_event(const struct tfs *t, struct sv system, struct sv event, struct err *e);

/* Add a trigger to it; the undo will remove it. */
int evfile_trigger(const struct evfile *f, struct undo *u, const struct tfs *t, const char *text, struct err *e);

#endif
