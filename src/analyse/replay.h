/*
 * replay.h - what tasks of a recording did, as steps that can be done again: run for so long, sleep until this wake-up,
 * wake up that one. As perf sched replay has them: a sleep that nobody is seen to end is none.
 *
 * Tasks never wait for each other in a circle, whatever the recording says: a wake-up ends a sleep only as long as that
 * is the newest step of its task, so all that the task does later was told later, too.
 */
#ifndef ANALYSE_REPLAY_H
#define ANALYSE_REPLAY_H

#include "base/map.h"

enum { REPLAY_TASKS = 1 << 17, REPLAY_STEPS = 1 << 22 };

enum replay_what { REPLAY_RUN, REPLAY_SLEEP, REPLAY_WAKE };

struct replay_step {
	uint64_t ns;                     /* of a run: how long; of the idle task's: when it ends, since the first one */
	uint32_t what, link;             /* link: number of the wake-up, + 1; 0: none */
};

struct replay_task {
	uint32_t tid, name;              /* name: of `names` */
	VEC(struct replay_step) steps;
};

struct replay {
	struct map of;                   /* tid -> index + 1 */
	VEC(struct replay_task) tasks;
	VEC(uint64_t) last;              /* by CPU: of its last switch, 0: none */
	struct names names;
	uint64_t begin, end;             /* ns, of the first and the last switch */
	size_t steps, runs, sleeps, wakeups, targetless, multitarget, merged;
	bool full;                       /* there were more tasks or steps than there is room for */
};

void replay_deinit(struct replay *r);

/* A task, under its first name. Index; -ENOMEM; -ENOSPC: there is no room. */
int replay_task(struct replay *r, uint32_t tid, const char *name);

/* 0, -ENOMEM or -ENOSPC. Tasks by index. */
int replay_switch(struct replay *r, uint64_t time, uint32_t cpu, uint32_t prev);
int replay_wakeup(struct replay *r, uint32_t by, uint32_t whom);

#endif
