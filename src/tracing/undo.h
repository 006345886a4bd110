/*
 * undo.h - changes settings of the tracing file system, and restores them.
 *
 * Before a setting is changed its old value goes into a journal (a file below /run/sonde, else TMPDIR, /dev/shm, /tmp;
 * none writable: in memory only, with one message). The process that will restore holds its lock (flock): this process,
 * and a guard process forked with it that restores at once when this one dies by SIGKILL. An unlocked journal is swept
 * by the next run. Restoring goes backwards, and only where the value is still the one that was set: what
 * somebody else changed since stays as it is.
 */
#ifndef TRACING_UNDO_H
#define TRACING_UNDO_H

#include "tracing/tfs.h"

struct undo;

/* First sweeps what dead runs have left. e: only -ENOMEM. */
struct undo *undo_new(const struct sys *sys, struct err *e);

/* Change a setting as tfs_put does, and record the old value. A setting that has the value already is left alone. */
int undo_put(struct undo *u, const struct tfs *t, const char *file, const char *text, struct err *e);

/*
 * Add a line to a list (set_ftrace_filter, set_event, a trigger, kprobe_events ...), and record the line that removes
 * it.
 */
int undo_append(struct undo *u, const struct tfs *t, const char *file, const char *text, const char *removal,
		struct err *e);

/* Make an instance of our own, named after the process and its start time; the undo removes it. */
int undo_instance(struct undo *u, struct tfs *t, const struct tfs *top, struct err *e);

/* Open the instance of that name; if it does not exist make it, and the undo removes it. */
int undo_named_instance(struct undo *u, struct tfs *t, const struct tfs *top, const char *name, struct err *e);

/* A line for the user, "": none: why SIGKILL would leave changes behind. Valid as long as u. */
const char *undo_note(const struct undo *u);

/* Restore everything. Errors do not stop it: the first is returned. Frees u. */
int undo_finish(struct undo *u, struct err *e);

/*
 * For `start` and the like, which leave tracing on: the journal stays, though no process holds it, until `reset` or
 * `reset --ours` runs it. Frees u.
 */
int undo_keep(struct undo *u, struct err *e);

enum undo_which {
	UNDO_DEAD,   /* journals and instances of dead processes */
	UNDO_OURS,   /* also those kept by `start`; other users' are only reported, to root */
	UNDO_ALL_USERS,   /* as root: also other users', as far as they can be trusted (allow.h) */
};

/* Sweep; `say` (may be NULL) gets a line for each change undone. Returns their number, or -errno. */
int undo_sweep(const struct sys *sys, enum undo_which which, void (*say)(void *arg, const char *line), void *arg,
	       struct err *e);

#endif
