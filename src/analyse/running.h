/*
 * running.h - how many of the recorded tasks run at the same time, by their context switches. A task with a sample
 * runs, and a task that comes to a CPU replaces the one that was there: so the count corrects itself after lost events
 * and after the start. The idle task does not count.
 */
#ifndef ANALYSE_RUNNING_H
#define ANALYSE_RUNNING_H

#include "base/map.h"
#include "base/vec.h"

#define RUNNING_NO_CPU UINT32_MAX   /* unknown */

enum { RUNNING_CPUS = 1 << 14 };    /* CPUs with higher numbers count as unknown */

struct running {
	struct map in;                  /* tid -> its CPU + 1; 0: it does not run */
	VEC(uint32_t) on;               /* tid on each CPU, 0: none that counts */
	uint32_t n;
};

/* A zeroed one is empty. 0 or -ENOMEM. */
int running_comes(struct running *r, uint32_t cpu, uint32_t tid);   /* it was switched to, or has a sample */
int running_goes(struct running *r, uint32_t cpu, uint32_t tid);    /* it was switched from, or has ended */
void running_deinit(struct running *r);

/* At least 1: the task whose sample is being counted. */
static inline uint32_t running_count(const struct running *r)
{
	return r->n ? r->n : 1;
}

#endif
