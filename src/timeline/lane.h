/*
 * lane.h - one strip of the page: what lies on it one behind the other in time, as bytes, and the same merged, 16 to
 * one, level by level: a page that shows an hour draws a few hundred of the upper ones.
 *
 * An item is four numbers and what its kind has beside them; a merged one has the time that its items take together,
 * and how many they are:
 *
 *	level 0:  gap  length  id  ...
 *	above:    gap  length  id  busy  count
 *
 * gap is from the end of the item before, of the first from the page's zero, as 2n or, below zero, -2n - 1; all are
 * LEB128. The id of a merged item is the one that takes most of its time; of a counter, the highest value.
 */
#ifndef TIMELINE_LANE_H
#define TIMELINE_LANE_H

#include "base/vec.h"

enum lane_kind {
	LANE_RUN,          /* a CPU: id is the task; state, then 0, or the delay + 1, waker + 1, its CPU + 1 */
	LANE_TASK,         /* a task: id is 2 * CPU, + 1 while it waits for it; the page makes level 0 itself */
	LANE_IRQ,          /* a CPU: id is a name */
	LANE_SOFTIRQ,
	LANE_CALL,         /* a depth of a task's calls: id is a name */
	LANE_MARK,         /* a CPU: id is an event; task + 1, stack, weight, length of a text and the text */
	LANE_TASK_MARK,    /* the same of a task: id is the event; the CPU */
	LANE_COUNTER,      /* id is a value, which holds for that long */
};

enum { LANE_FAN = 16, LANE_LEVELS = 12, LANE_NUMBER = 10 };

/* ns from the page's zero. */
struct lane_item {
	int64_t start;
	uint64_t length, id;
};

/* Items that are being merged. */
struct lane_node {
	struct lane_item item;
	uint64_t busy, count, most;
	uint64_t id[LANE_FAN], of[LANE_FAN];   /* ids that it has, and their time */
	unsigned n_ids, n;
};

struct lane_level {
	VEC(uint8_t) bytes;
	int64_t end;               /* of the item before */
	struct lane_node open;
};

struct lane {
	enum lane_kind kind;
	uint32_t number;           /* among the page's */
	uint32_t host, owner, sub; /* whose it is: a CPU or a task; a depth */
	uint64_t items, highest;   /* highest: id */
	struct lane_level *level[LANE_LEVELS];
};

/* A number behind `to`; returns how many bytes, at most LANE_NUMBER. */
unsigned lane_number(uint8_t *to, uint64_t v);

/* more: what the kind has beside the item. 0 or -ENOMEM. */
int lane_add(struct lane *l, const struct lane_item *item, const void *more, size_t n);

/* Nothing more comes: what is merged so far is an item, too. 0 or -ENOMEM. */
int lane_end(struct lane *l);

void lane_deinit(struct lane *l);

#endif
