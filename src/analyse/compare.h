/*
 * compare.h - the rows of several recordings side by side, and what the newer ones are to the first, the baseline.
 *
 * A row is known by its key: texts with a NUL behind each, an empty one where nobody knows it. A recording that has no
 * sample of a row has no such row.
 */
#ifndef ANALYSE_COMPARE_H
#define ANALYSE_COMPARE_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

enum { COMPARE_MAX = 64 };   /* recordings */

enum compare_how { COMPARE_DELTA, COMPARE_DELTA_ABS, COMPARE_RATIO, COMPARE_WDIFF };

struct compare_cell {
	uint64_t weight, samples;
};

struct compare_want {
	enum compare_how how;
	int64_t w_old, w_new;    /* of COMPARE_WDIFF */
	size_t by;               /* the recording whose differences put rows in order; 0: the baseline's weights do */
	bool common;             /* only rows that the baseline has, and another one */
};

struct compare {
	struct compare_want want;
	size_t n;                             /* recordings, the baseline is 0 */
	uint64_t total[COMPARE_MAX];          /* what is 100 % of each */
	struct names keys;                    /* id: number of the row */
	VEC(struct compare_cell) cells;       /* n of each row */
	VEC(char) marks;                      /* of each row, what the first one that had it said */
};

void compare_init(struct compare *c, size_t n, const struct compare_want *w);
void compare_deinit(struct compare *c);

/* A row of recording `of`; what it has already of this key is added to. 0 or -ENOMEM. */
int compare_add(struct compare *c, size_t of, struct sv key, struct compare_cell cell, char mark);

/* The rows as they are shown, *n of them. Malloc'ed; NULL: no memory. */
uint32_t *compare_order(const struct compare *c, size_t *n);

/* The text of a row's key of this number. */
const char *compare_text(const struct compare *c, uint32_t row, size_t key);

static inline const struct compare_cell *compare_cell(const struct compare *c, uint32_t row, size_t of)
{
	return &c->cells.v[row * c->n + of];
}

double compare_percent(const struct compare *c, uint32_t row, size_t of);
double compare_delta(const struct compare *c, uint32_t row, size_t of);   /* in points of a percent */
double compare_ratio(const struct compare *c, uint32_t row, size_t of);   /* what the baseline lacks counts as 1 */

/* What does not fit stays at the limit. */
int64_t compare_wdiff(const struct compare *c, uint32_t row, size_t of);

#endif
