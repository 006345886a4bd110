/*
 * tasklist.h - the tasks that a recording knows, with the parent of each and, if asked for, what its process has mapped
 * in the end: fed with the items of a session. Pure.
 */
#ifndef REPORT_TASKLIST_H
#define REPORT_TASKLIST_H

#include "source/session.h"
#include "sym/tasks.h"

enum { TASKLIST_NONE = -1 };

struct tasklist_task {
	uint32_t pid, tid;
	int64_t ppid;           /* as perf calls it, the thread that began it; TASKLIST_NONE: nobody has told */
	uint32_t name;          /* of names; NAMES_NONE: nobody has told */
	/* Indexes of its parent, its first child and its parent's next one; 0: none. See tasklist_link. */
	uint32_t parent, child, next;
};

/* What is mapped, but for where. */
struct tasklist_file {
	uint64_t ino;           /* 0: unknown */
	uint32_t name;          /* of names */
	uint16_t prot;          /* PROT_* of mmap(2) */
	uint16_t is_shared;     /* between processes */
};

/* A zeroed one is empty. */
struct tasklist {
	bool with_maps;                    /* set before the first item */
	struct names names;
	struct names file_keys;            /* struct tasklist_file -> index */
	VEC(struct tasklist_file) files;   /* the dso of a range is an index of these */
	struct tasks spaces;
	struct map by_tid;                 /* -> index in v */
	VEC(struct tasklist_task) v;       /* the first is no task: its children are those without a parent */
};

/* 0 or -ENOMEM. */
int tasklist_take(struct tasklist *l, const struct session_item *item);

/* When all were taken: children in the order of their tids. 0 or -ENOMEM. */
int tasklist_link(struct tasklist *l);

void tasklist_deinit(struct tasklist *l);

#endif
