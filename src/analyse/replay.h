/*
 * replay.h - the schedule of a recording's tasks as steps that can be replayed: run for a time, sleep until a wake-up,
 * wake another task. As in perf sched replay, a sleep whose wake-up was not seen is no step.
 *
 * Tasks never wait for each other in a cycle, whatever the recording says: a wake-up ends a sleep only if that is the
 * newest step of its task, so all later steps of the task were recorded later, too.
 */
#ifndef ANALYSE_REPLAY_H
#define ANALYSE_REPLAY_H

#include "base/map.h"

enum { REPLAY_TASKS = 1 << 17, REPLAY_STEPS = 1 << 22 };

enum replay_what { REPLAY_RUN, REPLAY_SLEEP, REPLAY_WAKE };

struct replay_step {
	uint64_t ns;                     /* RUN: duration; of the idle task: its end since the first switch */
	uint32_t what, link;             /* enum replay_what; link: number of the wake-up, + 1; 0: none */
};

struct replay_task {
	uint32_t tid, name;              /* name: index in `names` */
	VEC(struct replay_step) steps;
};

struct replay {
	struct map of;                   /* tid -> index + 1 */
	VEC(struct replay_task) tasks;
	VEC(uint64_t) last;              /* by CPU: ns of its last switch, 0: none */
	struct names names;
	uint64_t begin, end;             /* ns, of the first and the last switch */
	size_t steps, runs, sleeps, wakeups, targetless, multitarget, merged;
	bool full;                       /* tasks or steps exceeded the limits */
};

void replay_deinit(struct replay *r);

/* Index of a task, which is added with this name if it is new; -ENOMEM; -ENOSPC: too many. */
int replay_task(struct replay *r, uint32_t tid, const char *name);

/* prev, by, whom: indices of tasks. 0, -ENOMEM or -ENOSPC. */
int replay_switch(struct replay *r, uint64_t time, uint32_t cpu, uint32_t prev);
int replay_wakeup(struct replay *r, uint32_t by, uint32_t whom);

#endif
