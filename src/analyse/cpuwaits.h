/*
 * cpuwaits.h - how long tasks ran, and how long they waited for a CPU, as `perf sched latency` adds it up:
 *
 *	woken, or switched out while it could run on  ->  switched in     a delay
 *	sched_stat_runtime                                                what it ran
 *
 * A wake-up of a task that is on a CPU or waits for one already says nothing. A delay within which events were lost is
 * left out, and counted. Memory grows with tasks, not with events.
 */
#ifndef ANALYSE_CPUWAITS_H
#define ANALYSE_CPUWAITS_H

#include "base/map.h"

enum { CPUWAITS_TASKS = 1 << 18, CPUWAITS_UNNAMED = 0 };   /* at a time; more are left out, and counted */

enum cpuwaits_state { CPUWAITS_SLEEPS, CPUWAITS_WAITS, CPUWAITS_RUNS };

struct cpuwaits_task {
	uint32_t tid;
	uint32_t name;                   /* the caller's, of one that is no more; CPUWAITS_UNNAMED */
	enum cpuwaits_state state;
	uint32_t losses;                 /* of struct cpuwaits, when its state was seen last */
	uint64_t out, woken;             /* ns: when it was switched out, and could run since */
	uint64_t n, total, runtime;      /* delays, ns, ns */
	uint64_t max, max_from, max_to;  /* ns; the longest one, and when that was */
};

struct cpuwaits {
	struct map of;                   /* tid -> index + 1, of those that live */
	VEC(struct cpuwaits_task) v;
	bool one_cpu;                    /* only one's switches are seen: a task that is woken may have left another */
	uint32_t losses;
	uint64_t wakeups, unordered;     /* that counted; of them before the task was switched out */
	uint64_t discarded, dropped;     /* delays across a loss; events of tasks that there is no room for */
};

void cpuwaits_deinit(struct cpuwaits *d);

/*
 * A switch; runnable: the task that leaves could run on. One that comes and was never seen before has waited for
 * nothing, and that counts. As all below 0 or -ENOMEM; the idle task (tid 0) is none.
 */
int cpuwaits_out(struct cpuwaits *d, uint32_t tid, uint64_t time, bool runnable);
int cpuwaits_in(struct cpuwaits *d, uint32_t tid, uint64_t time);

int cpuwaits_woken(struct cpuwaits *d, uint32_t tid, uint64_t time);
int cpuwaits_ran(struct cpuwaits *d, uint32_t tid, uint64_t time, uint64_t ns);

/* It goes to another CPU, as far as that matters: with one_cpu. */
int cpuwaits_moved(struct cpuwaits *d, uint32_t tid, uint64_t time);

/* Whoever had this number is no more: what comes is another's. NULL: there was nobody. */
struct cpuwaits_task *cpuwaits_end_of(struct cpuwaits *d, uint32_t tid);

void cpuwaits_lose(struct cpuwaits *d);

/* What was added up is forgotten; those that wait now still do. 0 or -ENOMEM. */
int cpuwaits_forget(struct cpuwaits *d);

#endif
