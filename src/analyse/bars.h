/*
 * bars.h - the bars of a timeline chart, each with start and end on a row, in bounded memory: when there are too many,
 * bars of one kind that are near each other on a row are joined to one, which has their number and the sum of their
 * lengths. The distance that counts as near is doubled until there are few enough, or each row has one of each kind.
 */
#ifndef ANALYSE_BARS_H
#define ANALYSE_BARS_H

#include "base/vec.h"

enum { BARS_SEVERAL = 0xffffffff };   /* `of` of a joined bar whose parts had different ones */

struct bar {
	uint64_t start, end, sum;        /* ns; sum: of the lengths, or of another number of the caller */
	uint32_t kind, of;               /* for the caller; bars of one kind are joined, preferably of the same `of` */
	uint32_t n, note;                /* number of joined bars; note: for the caller, that of the first one */
};

struct bars_row {
	VEC(struct bar) v;
};

struct bars {
	VEC(struct bars_row) rows;
	size_t n, limit;                 /* bars in all rows, and their limit */
	uint64_t first, last;            /* start and end of all bars, ns */
	uint64_t gap;                    /* ns: bars at most so far apart are joined; 0: none was joined yet */
	bool begun;
};

/* Keep about `most` bars, or more if there are that many rows. */
void bars_init(struct bars *b, size_t most);
void bars_deinit(struct bars *b);

/* The bars of a row must come in order of their ends. 0 or -ENOMEM. */
int bars_add(struct bars *b, uint32_t row, const struct bar *bar);

/* The newest bar of a row; NULL: none. */
struct bar *bars_last(const struct bars *b, uint32_t row);

#endif
