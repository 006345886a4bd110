/*
 * compare.h - the rows of several recordings side by side, and the differences of the newer ones to the first, the
 * baseline.
 *
 * A row is identified by its key: texts with a NUL behind each; an empty text is unknown. A recording without samples
 * in a row does not have the row.
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
	int64_t w_old, w_new;    /* the weights of COMPARE_WDIFF */
	size_t by;               /* sort by the differences of this recording; 0: by the baseline's weights */
	bool common;             /* only rows that the baseline and another recording have */
};

struct compare {
	struct compare_want want;
	size_t n;                             /* recordings, the baseline is 0 */
	uint64_t total[COMPARE_MAX];          /* weight that is 100 %, for each recording */
	struct names keys;                    /* key -> number of the row */
	VEC(struct compare_cell) cells;       /* n for each row */
	VEC(char) marks;                      /* of each row, as given by the first recording that had it */
};

void compare_init(struct compare *c, size_t n, const struct compare_want *w);
void compare_deinit(struct compare *c);

/* Add a row of recording `of`; rows with the same key are added up. 0 or -ENOMEM. */
int compare_add(struct compare *c, size_t of, struct sv key, struct compare_cell cell, char mark);

/* Row numbers in the order to show, *n of them. Malloc'ed; NULL: no memory. */
uint32_t *compare_order(const struct compare *c, size_t *n);

/* The key-th text of a row's key. */
const char *compare_text(const struct compare *c, uint32_t row, size_t key);

static inline const struct compare_cell *compare_cell(const struct compare *c, uint32_t row, size_t of)
{
	return &c->cells.v[row * c->n + of];
}

double compare_percent(const struct compare *c, uint32_t row, size_t of);
double compare_delta(const struct compare *c, uint32_t row, size_t of);   /* percentage points */
double compare_ratio(const struct compare *c, uint32_t row, size_t of);   /* 1 if the baseline lacks the row */

/* Saturates on overflow. */
int64_t compare_wdiff(const struct compare *c, uint32_t row, size_t of);

#endif
