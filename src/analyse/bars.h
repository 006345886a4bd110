/*
 * bars.h - what lies on the rows of a chart, each from when to when, in bounded memory: where there are too many, those
 * of one kind that stand near each other on their row become one, which knows how many they are and for how long of its
 * length there was one. How near that is doubles until they are few enough, or each row has one of each kind.
 */
#ifndef ANALYSE_BARS_H
#define ANALYSE_BARS_H

#include "base/vec.h"

enum { BARS_SEVERAL = 0xffffffff };   /* `of` where that is not the same of all that became one */

struct bar {
	uint64_t start, end, sum;        /* sum: of the lengths, or of what the caller counts */
	uint32_t kind, of;               /* the caller's; those of one kind become one, and rather those of one `of` */
	uint32_t n, note;                /* how many they are; note: the caller's, of the first */
};

struct bars_row {
	VEC(struct bar) v;
};

struct bars {
	VEC(struct bars_row) rows;
	size_t n, limit;                 /* of all rows */
	uint64_t first, last;            /* of all bars, ns */
	uint64_t gap;                    /* so near; 0: all are as they came */
	bool begun;
};

/* About `most` at a time, unless rows are as many. */
void bars_init(struct bars *b, size_t most);
void bars_deinit(struct bars *b);

/* Of a row they come in the order of their ends. 0 or -ENOMEM. */
int bars_add(struct bars *b, uint32_t row, const struct bar *bar);

/* The newest of a row; NULL: it has none. */
struct bar *bars_last(const struct bars *b, uint32_t row);

#endif
