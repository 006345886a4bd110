/*
 * counts.h - how often the events of a group have happened between two samples of the one that leads it, on one CPU.
 * The feed is `grouped`, and the hits are the leader's.
 */
#ifndef ENGINE_COUNTS_H
#define ENGINE_COUNTS_H

#include "engine/feed.h"

/* What is said of counts_silent. */
#define COUNTS_SILENT "CPUs gave no sample up to the end: their timer did not run, try again"

/* A zeroed one is empty. */
struct counts {
	struct map before;               /* sample id: one for each event and CPU -> what it had counted */
	uint64_t *now;                   /* by tap: since the sample before this one */
	size_t n;                        /* the taps */
	uint64_t *last;                  /* by CPU: time of its newest sample; 0: none */
};

/* Of a recording: are they a group that is read as a whole? -EINVAL. */
int counts_open(struct counts *c, const struct feed *f, struct err *e);
void counts_close(struct counts *c);

/* Samples were lost: the next ones have nothing to be compared with. */
void counts_lost(struct counts *c);

/* CPUs that are watched and gave no sample in the last so many ns: a kernel (6.18, as a guest) may stop their timer. */
unsigned counts_silent(const struct counts *c, const struct feed *f, uint64_t ns);

/* Fill `now`. 1; 0: it is the first sample of its CPU, there is nothing to compare with; -ENOMEM. */
int counts_take(struct counts *c, const struct feed *f, const struct hit *h);

#endif
