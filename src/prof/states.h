/*
 * states.h - the state each task is in, from sched_switch and the wake-ups, and how long it stays there.
 *
 *	on a CPU       R    from being switched in to being switched out
 *	off it         S D T t P I, as prev_state says, to the wake-up; or to being switched in where none was seen
 *	runnable       RD   from the wake-up, or from being switched out while it could run on, to being switched in
 *
 * prev_state: Linux 4.14 and later. A stay within which events are missing is discarded, and counted.
 */
#ifndef PROF_STATES_H
#define PROF_STATES_H

#include "analyse/spans.h"

enum task_state {
	TASK_R, TASK_S, TASK_D, TASK_T, TASK_TRACED, TASK_PARKED, TASK_IDLE, TASK_RD, TASK_STATES,
};

/* "R", "S", ... "RD". */
const char *task_state_name(enum task_state s);

/* What happens to a task. */
struct states_at {
	uint64_t time;                   /* ns */
	uint32_t cpu, tid;
	uint32_t stack;                  /* the caller's, as the rest: of the event */
	uint64_t seq;
	struct sv comm;
};

struct states_stay {
	uint32_t tid, cpu;               /* cpu: where it began */
	enum task_state state;
	uint64_t from, to;               /* ns */
	uint64_t seq;                    /* of the event that began it */
	uint32_t stack, end_stack;       /* of the events that began and ended it */
	struct sv comm;                  /* as it was called at the end; borrowed from the event */
};

enum { STATES_TASKS = 1 << 18 };         /* at a time */

struct states {
	struct spans open;
	uint64_t n_open, discarded, dropped;
	int (*over)(void *arg, const struct states_stay *s);   /* not 0 ends what was called with it */
	void *arg;
};

void states_init(struct states *s);
void states_deinit(struct states *s);

/* 0, -ENOMEM or what `over` returned. The idle task (tid 0) has no states. */
int states_switched_out(struct states *s, const struct states_at *at, uint64_t prev_state);
int states_switched_in(struct states *s, const struct states_at *at);
int states_woken(struct states *s, const struct states_at *at);

int states_lose(struct states *s, uint32_t cpu);

#endif
