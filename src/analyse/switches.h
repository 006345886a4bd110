/*
 * switches.h - each stay of a task on a CPU, as `perf sched timehist` tells it: how long it was off the CPUs before,
 * for how long of that it could have run, and how long it ran.
 *
 *	out ........ ready ........ [moved] ........ in ................ out
 *	|------------------ wait ------------------|
 *	             |------------ delay ----------|------- run --------|
 *	             |- pre_move -|
 *
 * "in" is the last switch of that CPU, which must have been to this task: where it was not, the event is missing, and
 * the times of the stay are not known, unless sched_stat_runtime has told what the task ran. Likewise behind a loss.
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
	uint32_t tid, pid, parent;       /* UINT32_MAX: not known */
	uint32_t name;                   /* the caller's, of one that is no more; 0: none */
	int32_t prio;                    /* -1: not known */
	char state;                      /* in which it left its CPU: R, S, D ...; '\0': it has not */
	bool ended;
	bool known;                      /* the caller's: it has learnt its name */
	uint32_t losses;                 /* of struct switches, when the times below were told; else they are void */
	uint64_t left, ready, moved;     /* ns; 0: not known */
	uint64_t ran;                    /* ns, as the kernel told since it left */
	struct switches_times now, sum;
	struct stats runs;               /* ns */
	uint64_t migrations;
	uint32_t last;                   /* idle: who left the CPU to it, index + 1; 0: nobody since */
};

struct switches_cpu {
	struct switches_task idle;
	uint64_t time;                   /* of its last switch, 0: none */
	uint32_t on;                     /* tid of who runs, where that is known */
	bool known;
	uint64_t n;                      /* switches */
};

/* Which part of it counts. */
struct switches_want {
	uint64_t from, to;               /* ns; 0 both: all */
	const struct cpus *cpus;         /* NULL: all */
	bool idle;                       /* idle times only, which count for who left the CPU to them */
};

struct switches {
	struct switches_want want;
	struct map of;                   /* tid -> index + 1 */
	VEC(struct switches_task) v;
	VEC(struct switches_cpu) cpus;
	uint32_t losses;
	uint64_t first, last;            /* times that count, ns */
	uint64_t told, unknown;          /* stays whose beginning is missing; told: it follows from what the task ran */
	uint64_t dropped;                /* events of tasks that there is no room for */
};

void switches_deinit(struct switches *s);

/* Index of a task, made when it is new. SWITCHES_NONE: no memory; SWITCHES_FULL: no room. Never the idle task. */
enum { SWITCHES_NONE = UINT32_MAX, SWITCHES_FULL = UINT32_MAX - 1 };
uint32_t switches_task(struct switches *s, uint32_t tid);

/* NULL: no memory, or there is no such CPU. */
struct switches_cpu *switches_cpu(struct switches *s, uint32_t cpu);

struct switches_at {
	uint64_t time;                   /* ns */
	uint32_t cpu, prev, next;        /* tids */
	uint64_t state;                  /* prev_state */
};

/* 'R', 'S', 'D' ... of a prev_state, Linux 4.14 and later; of a task that could run on 'R'. */
char switches_state(uint64_t prev_state);

/*
 * t leaves c. skip: the caller leaves it out, only the CPU's time counts. True: it is to be shown, t->now has its
 * times, and *shown the time up to which they are.
 */
bool switches_take(struct switches *s, struct switches_cpu *c, struct switches_task *t, const struct switches_at *at,
		   bool skip, uint64_t *shown);

void switches_woken(struct switches *s, struct switches_task *t, uint64_t time);
void switches_moved(struct switches *s, struct switches_task *t, uint64_t time);

/* Events of this CPU were lost; UINT32_MAX: of any. */
void switches_lose(struct switches *s, uint32_t cpu);

/* Whoever had this number is no more. NULL: there was nobody. */
struct switches_task *switches_end_of(struct switches *s, uint32_t tid);

#endif
