/*
 * tfs.h - the tracing file system, live: its top buffer or one instance, and its control files ("knobs").
 *
 * File names are relative to the instance ("current_tracer", "events/sched/enable"); those that exist only once
 * (kprobe_events, saved_cmdlines, error_log ...) are taken from the top when the instance has none.
 * Errors carry the kernel's reason: the errno and, where it keeps one, its error_log with a caret under the bad spot.
 */
#ifndef TRACING_TFS_H
#define TRACING_TFS_H

#include "sys/sys.h"

enum { TFS_PATH = 256 };

struct tfs {
	const struct sys *sys;
	char root[TFS_PATH];    /* "/sys/kernel/tracing" */
	char dir[TFS_PATH];     /* root, or root/instances/NAME */
	char name[64];          /* of the instance, "" for the top */
};

/* Open the top buffer. -ENOENT, -EACCES, -EPERM with the reason and a remedy (not mounted, not root, locked down). */
int tfs_open(struct tfs *t, const struct sys *sys, struct err *e);

/* Open an existing instance. -ENOENT offers the nearest name. */
int tfs_instance(struct tfs *t, const struct tfs *top, const char *name, struct err *e);

/* Make an instance: -EEXIST when it exists. tfs_remove removes it (-EBUSY: it is still open). */
int tfs_make(struct tfs *t, const struct tfs *top, const char *name, struct err *e);
int tfs_remove(const struct tfs *t, struct err *e);

bool tfs_is_top(const struct tfs *t);
bool tfs_has(const struct tfs *t, const char *file);
/* Has the instance itself this file? The top's file does not count. */
bool tfs_has_own(const struct tfs *t, const char *file);

/* Full path of the file. */
void tfs_path(const struct tfs *t, const char *file, char buf[PATH_MAX]);

/* Read a short value without trailing white space; -errno. */
ssize_t tfs_get(const struct tfs *t, const char *file, char *buf, size_t size);

/* Read the whole file, malloc'ed and NUL-terminated. */
int tfs_read_all(const struct tfs *t, const char *file, char **text, size_t *n, struct err *e);

/* Write a value: tfs_put replaces what is there (O_TRUNC, which empties lists), tfs_append adds to a list. */
int tfs_put(const struct tfs *t, const char *file, const char *text, struct err *e);
int tfs_append(const struct tfs *t, const char *file, const char *text, struct err *e);

/* Read the word in brackets of a list like "local [global] counter" into buf. */
int tfs_chosen(const struct tfs *t, const char *file, char *buf, size_t size);

#endif
