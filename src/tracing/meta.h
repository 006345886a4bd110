/*
 * meta.h - what is needed to understand a trace beside its pages: formats of its events, names of threads, texts of
 * trace_printk; gathered from the tracing file system into a struct tblob.
 *
 * Only formats of events that are switched on are read (and ftrace's own, and those of sched that viewers want): all
 * would be 1500 files.
 */
#ifndef TRACING_META_H
#define TRACING_META_H

#include "base/map.h"
#include "tracefs/dat/blob.h"
#include "tracefs/format/events.h"
#include "tracing/plan.h"

enum meta_which {
	META_ENABLED,
	META_ALL,        /* for triggers that switch others on */
};

struct meta {
	struct tblob blob;
	struct tpage_layout layout;
	struct names have;        /* "system/event": read already */
	VEC(char *) texts;        /* what the blob borrows */
};

/* What a plan needs: a trigger may switch on events that nobody named. */
enum meta_which meta_for(const struct plan *p);

/* Headers (of that buffer: its sub-buffers may have a size of their own) and ftrace's own formats. */
int meta_init(struct meta *m, const struct tfs *top, const struct tfs *t, struct err *e);
void meta_deinit(struct meta *m);

/* Add the formats of one buffer's events. */
int meta_add_events(struct meta *m, const struct tfs *top, const struct tfs *t, enum meta_which which, struct err *e);

/* Names of threads and trace_printk texts, as of now. */
int meta_add_names(struct meta *m, const struct tfs *top, struct err *e);

/* Names, too, and all of it into events, which are made by this; m may go then. */
int meta_events(struct meta *m, const struct tfs *top, struct tevents *to, struct err *e);

#endif
