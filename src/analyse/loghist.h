/*
 * loghist.h - a logarithmic histogram: 16 buckets for each power of two, so percentiles are exact to within 1/32 of
 * their value (numbers below 16 exactly). Memory is 64 bytes for each power of two between the smallest and the largest
 * number.
 */
#ifndef ANALYSE_LOGHIST_H
#define ANALYSE_LOGHIST_H

#include "base/base.h"

/* A zeroed one is empty. */
struct loghist {
	uint32_t *v;          /* 16 counts for each octave of [first, first + n); they saturate */
	uint8_t first, n;
};

/* 0 or -ENOMEM. */
int loghist_add(struct loghist *h, uint64_t value);

/* Add n to a bucket, which are numbered through all octaves. 0 or -ENOMEM; -EINVAL: no such bucket. */
int loghist_add_to(struct loghist *h, unsigned bucket, uint64_t n);
/* The smallest number of a bucket. */
uint64_t loghist_least(unsigned bucket);

/* The percentile, in 1/1000: the middle of its bucket; 0 if the histogram is empty. */
uint64_t loghist_at(const struct loghist *h, unsigned permille);

void loghist_deinit(struct loghist *h);

#endif
