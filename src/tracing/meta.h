/*
 * meta.h - what a reader of a trace needs beside its pages: formats of events, names of threads, printk formats;
 * collected from tracefs into a struct tblob.
 *
 * Only formats of enabled events are read (and ftrace's own, and those of sched that viewers need): all of them would
 * be 1500 files.
 */
#ifndef TRACING_META_H
#define TRACING_META_H

#include "base/map.h"
#include "tracefs/dat/blob.h"
#include "tracefs/format/events.h"
#include "tracing/plan.h"

enum meta_which {
	META_ENABLED,
	META_ALL,        /* for triggers that enable other events */
};

struct meta {
	struct tblob blob;
	struct tpage_layout layout;
	struct names have;        /* "system/event" of each format that was read */
	VEC(char *) texts;        /* owned; the blob borrows them */
};

/* Which formats a plan needs: a trigger may enable events that the plan does not name. */
enum meta_which meta_for(const struct plan *p);

/* Read ftrace's own formats, and the headers of buffer t, whose sub-buffers may have a size of their own. */
int meta_init(struct meta *m, const struct tfs *top, const struct tfs *t, struct err *e);
void meta_deinit(struct meta *m);

/* Add the formats of one buffer's events. */
int meta_add_events(struct meta *m, const struct tfs *top, const struct tfs *t, enum meta_which which, struct err *e);

/* Read the current names of threads and printk formats. */
int meta_add_names(struct meta *m, const struct tfs *top, struct err *e);

/* Also read the names, then initialise `to` with everything; m is not needed afterwards. */
int meta_events(struct meta *m, const struct tfs *top, struct tevents *to, struct err *e);

#endif
