/* spread.h - statistics of a stream of numbers: count, sum, minimum, maximum, and percentiles (loghist.h). */
#ifndef ANALYSE_SPREAD_H
#define ANALYSE_SPREAD_H

#include "analyse/loghist.h"

/* A zeroed one is empty. */
struct spread {
	uint64_t n, min, max;
	bool is_bound;           /* min and max come from spread_bound() */
	double total;
	struct loghist hist;
};

/* 0 or -ENOMEM. */
int spread_add(struct spread *s, uint64_t value);

/* Add n numbers of a bucket of loghist.h, with their sum; call spread_bound(), too. Returns as loghist_add_to(). */
int spread_add_to(struct spread *s, unsigned bucket, uint64_t n, uint64_t sum);

/* Minimum and maximum of the numbers added by spread_add_to(). */
void spread_bound(struct spread *s, uint64_t least, uint64_t most);

/* The percentile, in 1/1000, within [min, max]; 0 if there are no numbers. */
uint64_t spread_at(const struct spread *s, unsigned permille);

/* Mean; 0 if there are no numbers. */
static inline double spread_mean(const struct spread *s)
{
	return s->n ? s->total / (double)s->n : 0;
}

/* Empty it again. */
void spread_clear(struct spread *s);

#endif
