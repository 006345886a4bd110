/*
 * counts.h - how often the events of a group occurred on a CPU between two samples of the group's leader. The feed is
 * `grouped`, and the hits are samples of the leader.
 */
#ifndef ENGINE_COUNTS_H
#define ENGINE_COUNTS_H

#include "engine/feed.h"

/* The message for counts_silent(). */
#define COUNTS_SILENT "CPUs gave no sample up to the end: their timer did not run, try again"

/* A zeroed one is empty. */
struct counts {
	struct map before;               /* sample id, one for each event and CPU -> its last count */
	uint64_t *now;                   /* by tap: count since the sample before this one */
	size_t n;                        /* number of taps */
	uint64_t *last;                  /* by CPU: time of its newest sample; 0: none */
};

/* -EINVAL: the events of a recording are not a group that is read as a whole. */
int counts_open(struct counts *c, const struct feed *f, struct err *e);
void counts_close(struct counts *c);

/* Samples were lost: the next sample of each CPU has none before it to compare with. */
void counts_lost(struct counts *c);

/* Number of watched CPUs without a sample in the last `ns`: a kernel (6.18, as a guest) may stop their timer. */
unsigned counts_silent(const struct counts *c, const struct feed *f, uint64_t ns);

/* Fill `now`. 1; 0: it is the first sample of its CPU; -ENOMEM. */
int counts_take(struct counts *c, const struct feed *f, const struct hit *h);

#endif
