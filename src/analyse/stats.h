/*
 * stats.h - mean and deviation of values that come one at a time (Welford's recurrence: no sum of squares that
 * loses digits).
 */
#ifndef ANALYSE_STATS_H
#define ANALYSE_STATS_H

#include "base/base.h"

/* Zeroed: nothing added yet. */
struct stats {
	uint64_t n;
	double mean, m2;    /* m2: sum of squared distances from the mean */
	double min, max;
};

void stats_add(struct stats *s, double v);

/* Standard error of the mean, sqrt(variance / n). 0 for fewer than two values. */
double stats_deviation(const struct stats *s);

/* The same in percent of the mean; 0 when that is 0. */
double stats_percent(const struct stats *s);

/* Square root without libm; 0 if v is not positive. */
double stats_root(double v);

#endif
