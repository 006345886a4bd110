/*
 * lane.h - a strip of the page: items in order of time, encoded as bytes; and levels above, each of which merges 16
 * items of the level below into one, so that a page that shows an hour draws a few hundred merged items.
 *
 * An item is three numbers and what its kind has beside them; a merged item also has the total time and number of its
 * items:
 *
 *  level 0:  gap  length  id  ...
 *  above:    gap  length  id  busy  count
 *
 * gap is the distance n from the end of the previous item, or from the page's zero, as 2n, or -2n - 1 if negative; all
 * numbers are LEB128. A merged item has the id that takes most of its time; of counters, the highest value.
 */
#ifndef TIMELINE_LANE_H
#define TIMELINE_LANE_H

#include "base/vec.h"

enum lane_kind {
	LANE_RUN,          /* a CPU's tasks; id: task; beside: state, then 0, or delay + 1, waker + 1, its CPU + 1 */
	LANE_TASK,         /* a task's CPUs; id: 2 * CPU, + 1 while it waits; the page computes level 0 itself */
	LANE_IRQ,          /* a CPU's interrupts; id: name */
	LANE_SOFTIRQ,
	LANE_CALL,         /* a task's calls of one depth; id: name */
	LANE_MARK,         /* a CPU's marks; id: event; beside: task + 1, stack, weight, length of a text, the text */
	LANE_TASK_MARK,    /* the same marks by task; id: event; beside: CPU */
	LANE_COUNTER,      /* id: the value during that time */
};

enum { LANE_FAN = 16, LANE_LEVELS = 12, LANE_NUMBER = 10 };

/* ns from the page's zero. */
struct lane_item {
	int64_t start;
	uint64_t length, id;
};

/* The merged item that is not complete yet. */
struct lane_node {
	struct lane_item item;
	uint64_t busy, count, most;
	uint64_t id[LANE_FAN], of[LANE_FAN];   /* ids of its items, and the time of each */
	unsigned n_ids, n;
};

struct lane_level {
	VEC(uint8_t) bytes;
	int64_t end;               /* of the previous item */
	struct lane_node open;
};

struct lane {
	enum lane_kind kind;
	uint32_t number;           /* among the page's lanes */
	uint32_t host, owner, sub; /* owner: CPU or task; sub: depth of calls */
	uint64_t items, highest;   /* highest: the largest id */
	struct lane_level *level[LANE_LEVELS];
};

/* Write v as LEB128; returns the number of bytes, at most LANE_NUMBER. */
unsigned lane_number(uint8_t *to, uint64_t v);

/* Append an item; more: what its kind has beside it. 0 or -ENOMEM. */
int lane_add(struct lane *l, const struct lane_item *item, const void *more, size_t n);

/* There are no more items: finish the incomplete merged items. 0 or -ENOMEM. */
int lane_end(struct lane *l);

void lane_deinit(struct lane *l);

#endif
