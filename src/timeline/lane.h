/*
 * lane.h - a horizontal strip of the page: its items in order of time, encoded as bytes, and merged versions of them,
 * 16 to one, level by level: a page that shows an hour draws a few hundred of a high level.
 *
 * An item is three numbers, then data of its kind; a merged one has the total time of its items, and their count:
 *
 *  level 0:  gap  length  id  ...
 *  above:    gap  length  id  busy  count
 *
 * gap is relative to the end of the previous item, for the first to the page's zero, as 2n or, if negative, -2n - 1;
 * all are LEB128. The id of a merged item is the one that takes most of its time; for a counter the highest value.
 */
#ifndef TIMELINE_LANE_H
#define TIMELINE_LANE_H

#include "base/vec.h"

enum lane_kind {
	LANE_RUN,          /* a CPU: id is the task; state, then 0, or the delay + 1, waker + 1, its CPU + 1 */
	LANE_TASK,         /* a task: id is 2 * CPU, + 1 while waiting for it; the page derives level 0 itself */
	LANE_IRQ,          /* a CPU: id is a name */
	LANE_SOFTIRQ,
	LANE_CALL,         /* a depth of a task's calls: id is a name */
	LANE_MARK,         /* a CPU: id is an event; task + 1, stack, weight, length of a text and the text */
	LANE_TASK_MARK,    /* the same for a task: id is the event; the CPU */
	LANE_COUNTER,      /* id is the value during that time */
};

enum { LANE_FAN = 16, LANE_LEVELS = 12, LANE_NUMBER = 10 };

/* ns from the page's zero. */
struct lane_item {
	int64_t start;
	uint64_t length, id;
};

/* Items being merged. */
struct lane_node {
	struct lane_item item;
	uint64_t busy, count, most;
	uint64_t id[LANE_FAN], of[LANE_FAN];   /* its distinct ids, and the time of each */
	unsigned n_ids, n;
};

struct lane_level {
	VEC(uint8_t) bytes;
	int64_t end;               /* end of the previous item */
	struct lane_node open;
};

struct lane {
	enum lane_kind kind;
	uint32_t number;           /* index in the page */
	uint32_t host, owner, sub; /* owner: a CPU or a task; sub: a depth */
	uint64_t items, highest;   /* highest: the highest id */
	struct lane_level *level[LANE_LEVELS];
};

/* Write a LEB128 number to `to`; returns its bytes, at most LANE_NUMBER. */
unsigned lane_number(uint8_t *to, uint64_t v);

/* more: data of the kind, behind the item. 0 or -ENOMEM. */
int lane_add(struct lane *l, const struct lane_item *item, const void *more, size_t n);

/* End of the lane: completes the merged items. 0 or -ENOMEM. */
int lane_end(struct lane *l);

void lane_deinit(struct lane *l);

#endif
