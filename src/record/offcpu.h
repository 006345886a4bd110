/*
 * offcpu.h - off-CPU times, summed up by task, stack and state: from the switch by which a task leaves its CPU to wait,
 * to the one by which it gets a CPU again. perf does the same in the kernel by a BPF program.
 *
 * Pure. Tables are bounded; times for which there was no room are counted.
 */
#ifndef RECORD_OFFCPU_H
#define RECORD_OFFCPU_H

#include "perf/record.h"
#include "base/map.h"

enum {
	OFFCPU_ROWS_MAX = 102400,        /* the size of perf's table */
	OFFCPU_STACKS_MAX = 32 << 20,    /* bytes of distinct stacks */
	OFFCPU_TASKS_MAX = 1 << 20,      /* tasks that wait or have waited */
};

/* sched_switch.prev_state: TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE. */
enum { OFFCPU_SLEEPS = 1, OFFCPU_BLOCKED = 2 };

struct offcpu_row {
	uint32_t pid, tid, state;
	uint32_t stack;                  /* number of the stack */
	uint32_t next;                   /* next row of the process, index + 1; 0: none */
	uint64_t ns, times;              /* sum of times off CPU, and their number */
};

struct offcpu_wait {
	uint64_t since;                  /* ns; 0: the task does not wait */
	uint32_t row;
};

struct offcpu {
	struct names stacks, keys;       /* the id of a key is the index of its row */
	size_t stack_bytes;
	VEC(struct offcpu_row) rows;
	struct map of_pid;               /* pid -> index of the newest row of the process + 1 */
	struct map task;                 /* tid -> index in waits */
	VEC(struct offcpu_wait) waits;
	uint64_t dropped;                /* waits for which a table had no room */
};

/*
 * A task leaves its CPU. stack: user-space addresses, 8 bytes each, innermost first. States other than the two above
 * are ignored, as the task does not wait (it was preempted, for instance). 0 or -ENOMEM.
 */
struct offcpu_out {
	uint32_t pid, tid;
	uint64_t state, time;            /* time: ns, not 0 */
	struct bytes stack;
};
int offcpu_leaves(struct offcpu *o, const struct offcpu_out *w);

/* The task runs again. Ignored if it did not wait. */
void offcpu_returns(struct offcpu *o, uint32_t tid, uint64_t time);

/* Index + 1 of the first row of a process, from which `next` leads to the others; 0: it has none. */
uint32_t offcpu_first(const struct offcpu *o, uint32_t pid);

/* The addresses of a row's stack. */
struct bytes offcpu_stack(const struct offcpu *o, const struct offcpu_row *r);

void offcpu_deinit(struct offcpu *o);

#endif
