/* spread.h - numbers as they come: how many, their sum, the smallest, the largest, and percentiles (loghist.h). */
#ifndef ANALYSE_SPREAD_H
#define ANALYSE_SPREAD_H

#include "analyse/loghist.h"

/* A zeroed one is empty. */
struct spread {
	uint64_t n, min, max;
	bool is_bound;           /* min and max are told apart from the numbers, and some were */
	double total;
	struct loghist hist;
};

/* 0 or -ENOMEM. */
int spread_add(struct spread *s, uint64_t value);

/* n numbers of a bucket of loghist.h, with their sum; the least and the largest are told apart. As loghist_add_to. */
int spread_add_to(struct spread *s, unsigned bucket, uint64_t n, uint64_t sum);

/* Some of them were as small, as large as that. */
void spread_bound(struct spread *s, uint64_t least, uint64_t most);

/* The value below or at which permille of all lie, within [min, max]; 0 when there is none. */
uint64_t spread_at(const struct spread *s, unsigned permille);

/* Mean, 0 when there is none. */
static inline double spread_mean(const struct spread *s)
{
	return s->n ? s->total / (double)s->n : 0;
}

/* Empty it again. */
void spread_clear(struct spread *s);

#endif
