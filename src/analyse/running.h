/*
 * running.h - how many of the recorded tasks run at a time, by their context switches. A task that has a sample runs,
 * and whoever comes to a CPU takes the place of the one that was there: so what was lost, and what there was before the
 * first switch, puts itself right. The idle task does not count.
 */
#ifndef ANALYSE_RUNNING_H
#define ANALYSE_RUNNING_H

#include "base/map.h"
#include "base/vec.h"

#define RUNNING_NO_CPU UINT32_MAX   /* nobody tells */

enum { RUNNING_CPUS = 1 << 14 };    /* higher numbers are not told apart */

struct running {
	struct map in;                  /* tid -> number of its CPU + 1; 0: it does not run */
	VEC(uint32_t) on;               /* of each CPU the task that is on it, 0: none that counts */
	uint32_t n;
};

/* All zero at first. 0 or -ENOMEM. */
int running_comes(struct running *r, uint32_t cpu, uint32_t tid);   /* it was switched to, or has a sample */
int running_goes(struct running *r, uint32_t cpu, uint32_t tid);    /* it was switched from, or has ended */
void running_deinit(struct running *r);

/* At least one does: the one that asks. */
static inline uint32_t running_count(const struct running *r)
{
	return r->n ? r->n : 1;
}

#endif
