/*
 * switches.h - each stay of a task on a CPU, as in `perf sched timehist`: how long it was off the CPU before (wait),
 * for how long of that it was runnable (delay), and how long it ran.
 *
 *	out ........ ready ........ [moved] ........ in ................ out
 *	|------------------ wait ------------------|
 *	             |------------ delay ----------|------- run --------|
 *	             |- pre_move -|
 *
 * "in" is the last switch of that CPU, which must have been to this task: if it was not, an event is missing, and the
 * times of the stay are unknown, unless sched_stat_runtime has the run time. The same holds after a loss.
 */
#ifndef ANALYSE_SWITCHES_H
#define ANALYSE_SWITCHES_H

#include "analyse/stats.h"
#include "base/map.h"
#include "base/str.h"

enum { SWITCHES_TASKS = 1 << 18, SWITCHES_PRIOS = 140 };

struct switches_times {                  /* ns; at most one of sleep, iowait and preempt of a stay is not 0 */
	uint64_t run, sleep, iowait, preempt, delay, pre_move;
};

struct switches_task {
	uint32_t tid, pid, parent;       /* UINT32_MAX: unknown */
	uint32_t name;                   /* for the caller, of an ended task; 0: none */
	int32_t prio;                    /* -1: unknown */
	char state;                      /* its state at the last switch-out: R, S, D ...; '\0': there was none */
	bool ended;
	bool known;                      /* for the caller: its name is known */
	uint32_t losses;                 /* switches.losses of the times below; if it is older, they are invalid */
	uint64_t left, ready, moved;     /* ns; 0: unknown */
	uint64_t ran;                    /* ns: sum of sched_stat_runtime since it was switched out */
	struct switches_times now, sum;
	struct stats runs;               /* ns */
	uint64_t migrations;
	uint32_t last;                   /* idle task: the task that ran before it, index + 1; 0: none since */
};

struct switches_cpu {
	struct switches_task idle;
	uint64_t time;                   /* of its last switch, ns; 0: none */
	uint32_t on;                     /* tid of the running task, if `known` */
	bool known;
	uint64_t n;                      /* number of switches */
};

/* Which stays count. */
struct switches_want {
	uint64_t from, to;               /* ns; 0 both: all */
	const struct cpus *cpus;         /* NULL: all */
	bool idle;                       /* idle times only; they count for the task that left the CPU idle */
};

struct switches {
	struct switches_want want;
	struct map of;                   /* tid -> index + 1 */
	VEC(struct switches_task) v;
	VEC(struct switches_cpu) cpus;
	uint32_t losses;
	uint64_t first, last;            /* first and last time that counts, ns */
	uint64_t told, unknown;          /* stays whose start is missing; told: it follows from the run time */
	uint64_t dropped;                /* events of tasks beyond the limit */
};

void switches_deinit(struct switches *s);

/* Index of a task, which is added if it is new. SWITCHES_NONE: no memory; SWITCHES_FULL: too many. Not for tid 0. */
enum { SWITCHES_NONE = UINT32_MAX, SWITCHES_FULL = UINT32_MAX - 1 };
uint32_t switches_task(struct switches *s, uint32_t tid);

/* NULL: no memory, or no such CPU. */
struct switches_cpu *switches_cpu(struct switches *s, uint32_t cpu);

struct switches_at {
	uint64_t time;                   /* ns */
	uint32_t cpu, prev, next;        /* tids */
	uint64_t state;                  /* prev_state */
};

/* 'S', 'D' ... for a prev_state of Linux 4.14 and later; 'R' for a runnable task. */
char switches_state(uint64_t prev_state);

/*
 * Task t is switched out of CPU c. skip: the caller does not count this task, only the CPU's state is updated. True:
 * show the stay: t->now has its times, *shown the time at which it ends.
 */
bool switches_take(struct switches *s, struct switches_cpu *c, struct switches_task *t, const struct switches_at *at,
		   bool skip, uint64_t *shown);

void switches_woken(struct switches *s, struct switches_task *t, uint64_t time);
void switches_moved(struct switches *s, struct switches_task *t, uint64_t time);

/* Events of this CPU were lost; UINT32_MAX: of any. */
void switches_lose(struct switches *s, uint32_t cpu);

/* The task with this tid has ended. NULL: it was unknown. */
struct switches_task *switches_end_of(struct switches *s, uint32_t tid);

#endif
