/*
 * cpuwaits.h - how long tasks ran, and how long they waited for a CPU, as `perf sched latency` sums it up:
 *
 *	woken, or switched out while runnable  ->  switched in     a delay
 *	sched_stat_runtime                                         the run time
 *
 * A wake-up of a task that is running or waiting for a CPU is ignored. A delay across lost events is discarded, and
 * counted. Memory grows with tasks, not with events.
 */
#ifndef ANALYSE_CPUWAITS_H
#define ANALYSE_CPUWAITS_H

#include "base/map.h"

enum { CPUWAITS_TASKS = 1 << 18, CPUWAITS_UNNAMED = 0 };   /* tasks beyond that are ignored, and counted */

enum cpuwaits_state { CPUWAITS_SLEEPS, CPUWAITS_WAITS, CPUWAITS_RUNS };

struct cpuwaits_task {
	uint32_t tid;
	uint32_t name;                   /* for the caller, of an ended task; CPUWAITS_UNNAMED */
	enum cpuwaits_state state;
	uint32_t losses;                 /* cpuwaits.losses when its state was last seen */
	uint64_t out, woken;             /* ns: when it was switched out, and when it became runnable */
	uint64_t n, total, runtime;      /* number of delays, their sum in ns, run time in ns */
	uint64_t max, max_from, max_to;  /* ns: the longest delay, its start and end */
};

struct cpuwaits {
	struct map of;                   /* tid -> index + 1, for living tasks */
	VEC(struct cpuwaits_task) v;
	bool one_cpu;                    /* switches of one CPU only are seen: a woken task may have left another CPU */
	uint32_t losses;                 /* counts losses of events */
	uint64_t wakeups, unordered;     /* wake-ups that counted; those earlier than the task's switch-out */
	uint64_t discarded, dropped;     /* delays across lost events; events of tasks beyond the limit */
};

void cpuwaits_deinit(struct cpuwaits *d);

/*
 * The two sides of a switch; runnable: the task that leaves stays runnable. A task that is switched in and was never
 * seen before counts with a delay of 0. These functions return 0 or -ENOMEM, and ignore the idle task (tid 0).
 */
int cpuwaits_out(struct cpuwaits *d, uint32_t tid, uint64_t time, bool runnable);
int cpuwaits_in(struct cpuwaits *d, uint32_t tid, uint64_t time);

int cpuwaits_woken(struct cpuwaits *d, uint32_t tid, uint64_t time);
int cpuwaits_ran(struct cpuwaits *d, uint32_t tid, uint64_t time, uint64_t ns);

/* The task migrates to another CPU; only of effect with one_cpu. */
int cpuwaits_moved(struct cpuwaits *d, uint32_t tid, uint64_t time);

/* The task with this tid has ended: later events are of another task. NULL: it was unknown. */
struct cpuwaits_task *cpuwaits_end_of(struct cpuwaits *d, uint32_t tid);

void cpuwaits_lose(struct cpuwaits *d);

/* Reset the sums; delays in progress go on. 0 or -ENOMEM. */
int cpuwaits_forget(struct cpuwaits *d);

#endif
