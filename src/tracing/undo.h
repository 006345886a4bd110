/*
 * undo.h - what a run changes in the tracing file system, and putting it back.
 *
 * Before a setting is changed its old value goes into a journal (a file below /run/sonde, else TMPDIR, /dev/shm, /tmp;
 * none writable: memory only, said once). The journal is locked (flock) by whoever will restore it: this process,
 * and a guard process forked with it that restores at once when this one dies by SIGKILL. A journal that nobody holds
 * is swept by the next run. Restoring goes backwards, and only where the value is still the one that was set: what
 * somebody else changed since stays as it is.
 */
#ifndef TRACING_UNDO_H
#define TRACING_UNDO_H

#include "tracing/tfs.h"

struct undo;

/* e: only -ENOMEM. Sweeps what dead runs have left, first. */
struct undo *undo_new(const struct sys *sys, struct err *e);

/* Change a setting and remember: as tfs_put. A setting that already has the value is left alone. */
int undo_put(struct undo *u, const struct tfs *t, const char *file, const char *text, struct err *e);

/*
 * Add a line to a list (set_ftrace_filter, set_event, a trigger, kprobe_events ...), and remember the line that takes
 * it away again.
 */
int undo_append(struct undo *u, const struct tfs *t, const char *file, const char *text, const char *removal,
		struct err *e);

/* An instance of this run's own, named after the process and its start time; goes with the undo. */
int undo_instance(struct undo *u, struct tfs *t, const struct tfs *top, struct err *e);

/* The instance of that name: there, or made, and then it goes with the undo. */
int undo_named_instance(struct undo *u, struct tfs *t, const struct tfs *top, const char *name, struct err *e);

/* A line for the user, "" none: why SIGKILL would leave something behind. Valid as long as u. */
const char *undo_note(const struct undo *u);

/* Put everything back. Errors do not stop it: the first is returned. Frees u. */
int undo_finish(struct undo *u, struct err *e);

/*
 * `start` and its like leave things switched on: the journal stays, without an owner that would have to live, until
 * `reset` or `reset --ours` runs it. Frees u.
 */
int undo_keep(struct undo *u, struct err *e);

enum undo_which {
	UNDO_DEAD,   /* journals and instances whose owner has died */
	UNDO_OURS,   /* also those kept by `start`; what other users have left is named to root */
	UNDO_ALL_USERS,   /* root: that, too, as far as it can be believed (allow.h) */
};

/* Sweep; `say` gets a line for each thing put back (may be NULL). Returns how many, or -errno. */
int undo_sweep(const struct sys *sys, enum undo_which which, void (*say)(void *arg, const char *line), void *arg,
	       struct err *e);

#endif
