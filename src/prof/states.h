/*
 * states.h - scheduling states of tasks, from sched_switch and wakeups, and the time spent in each.
 *
 *  on a CPU       R    from being switched in to being switched out
 *  off it         S D T t P I, by prev_state, until the wakeup; or until being switched in if none was seen
 *  runnable       RD   from the wakeup, or from being switched out while runnable, to being switched in
 *
 * prev_state: Linux 4.14 and later. A stay with lost events in it is discarded, and counted.
 */
#ifndef PROF_STATES_H
#define PROF_STATES_H

#include "analyse/spans.h"

enum task_state {
	TASK_R, TASK_S, TASK_D, TASK_T, TASK_TRACED, TASK_PARKED, TASK_IDLE, TASK_RD, TASK_STATES,
};

/* "R", "S", ... "RD". */
const char *task_state_name(enum task_state s);

/* An event of a task. */
struct states_at {
	uint64_t time;                   /* ns */
	uint32_t cpu, tid;
	uint32_t stack;                  /* of the event, set by the caller as are the other members */
	uint64_t seq;
	struct sv comm;
};

struct states_stay {
	uint32_t tid, cpu;               /* cpu: at the begin */
	enum task_state state;
	uint64_t from, to;               /* ns */
	uint64_t seq;                    /* seq of the event that began it */
	uint32_t stack, end_stack;       /* of the events that began and ended it */
	struct sv comm;                  /* name at the end; borrowed from the event */
};

enum { STATES_TASKS = 1 << 18 };         /* limit for tasks tracked at a time */

struct states {
	struct spans open;
	uint64_t n_open, discarded, dropped;
	int (*over)(void *arg, const struct states_stay *s);   /* non-zero is returned by the calling function */
	void *arg;
};

void states_init(struct states *s);
void states_deinit(struct states *s);

/* 0, -ENOMEM or what `over` returned. The idle task (tid 0) is not tracked. */
int states_switched_out(struct states *s, const struct states_at *at, uint64_t prev_state);
int states_switched_in(struct states *s, const struct states_at *at);
int states_woken(struct states *s, const struct states_at *at);

int states_lose(struct states *s, uint32_t cpu);

#endif
