/*
 * tasklist.h - the tasks of a recording, with the parent of each and, if requested, the final memory maps of its
 * process: fed with the items of a session. Pure.
 */
#ifndef REPORT_TASKLIST_H
#define REPORT_TASKLIST_H

#include "source/session.h"
#include "sym/tasks.h"

enum { TASKLIST_NONE = -1 };

struct tasklist_task {
	uint32_t pid, tid;
	int64_t ppid;           /* perf's name for the tid of the thread that forked it; TASKLIST_NONE: unknown */
	uint32_t name;          /* index in names; NAMES_NONE: unknown */
	/* Indices of its parent, its first child and its next sibling; 0: none. See tasklist_link(). */
	uint32_t parent, child, next;
};

/* A mapped file, without its addresses. */
struct tasklist_file {
	uint64_t ino;           /* 0: unknown */
	uint32_t name;          /* index in names */
	uint16_t prot;          /* PROT_* of mmap(2) */
	uint16_t is_shared;     /* between processes */
};

/* A zeroed one is empty. */
struct tasklist {
	bool with_maps;                    /* set before the first item */
	struct names names;
	struct names file_keys;            /* struct tasklist_file -> index in files */
	VEC(struct tasklist_file) files;   /* maps_range.dso is an index of these */
	struct tasks spaces;
	struct map by_tid;                 /* tid -> index in v */
	VEC(struct tasklist_task) v;       /* v[0] is the root: its children are the tasks without a known parent */
};

/* 0 or -ENOMEM. */
int tasklist_take(struct tasklist *l, const struct session_item *item);

/* After the last item: set parent, child and next, children sorted by tid. 0 or -ENOMEM. */
int tasklist_link(struct tasklist *l);

void tasklist_deinit(struct tasklist *l);

#endif
