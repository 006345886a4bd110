/*
 * loghist.h - a histogram of numbers of any size in little memory: 16 buckets for each power of two, so that a
 * percentile is right within 1/32 of its value (numbers below 16 exactly). Memory is 64 bytes for each power of two
 * between the smallest and the largest number.
 */
#ifndef ANALYSE_LOGHIST_H
#define ANALYSE_LOGHIST_H

#include "base/base.h"

/* A zeroed one is empty. */
struct loghist {
	uint32_t *v;          /* 16 for each octave of [first, first + n); full ones stay at their maximum */
	uint8_t first, n;
};

/* 0 or -ENOMEM. */
int loghist_add(struct loghist *h, uint64_t value);

/* Buckets by number, all octaves one after the other: n more in one. 0 or -ENOMEM; -EINVAL: there is no such bucket. */
int loghist_add_to(struct loghist *h, unsigned bucket, uint64_t n);
/* The least number of a bucket. */
uint64_t loghist_least(unsigned bucket);

/* The value below or at which permille of all lie: the middle of its bucket. 0 when there is none. */
uint64_t loghist_at(const struct loghist *h, unsigned permille);

void loghist_deinit(struct loghist *h);

#endif
