/*
 * offcpu.h - off-CPU time, summed up by task, stack and state: from a switch-out of a task that blocks to its next
 * switch-in. perf sums up the same switches in the kernel, with a BPF program.
 *
 * Pure. Tables are bounded; times that do not fit are counted as dropped.
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

/* prev_state of sched_switch: TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE. */
enum { OFFCPU_SLEEPS = 1, OFFCPU_BLOCKED = 2 };

struct offcpu_row {
	uint32_t pid, tid, state;
	uint32_t stack;                  /* number of the stack */
	uint32_t next;                   /* next row of the process, index + 1; 0: none */
	uint64_t ns, times;              /* sum of times off CPU, and their number */
};

struct offcpu_wait {
	uint64_t since;                  /* ns; 0: the task is not waiting */
	uint32_t row;
};

struct offcpu {
	struct names stacks, keys;       /* the number of a key is the index of its row */
	size_t stack_bytes;
	VEC(struct offcpu_row) rows;
	struct map of_pid;               /* pid -> index of its newest row + 1 */
	struct map task;                 /* tid -> index in waits */
	VEC(struct offcpu_wait) waits;
	uint64_t dropped;                /* number of times beyond the limits */
};

/*
 * A task is switched out. stack: user addresses, 8 bytes each, innermost first. States other than the two above do not
 * count. 0 or -ENOMEM.
 */
struct offcpu_out {
	uint32_t pid, tid;
	uint64_t state, time;            /* time: ns, not 0 */
	struct bytes stack;
};
int offcpu_leaves(struct offcpu *o, const struct offcpu_out *w);

/* A task is switched in. Ignored if it was not waiting. */
void offcpu_returns(struct offcpu *o, uint32_t tid, uint64_t time);

/* The first row of a process, index + 1, further ones by `next`; 0: none. */
uint32_t offcpu_first(const struct offcpu *o, uint32_t pid);

/* The addresses of a row's stack. */
struct bytes offcpu_stack(const struct offcpu *o, const struct offcpu_row *r);

void offcpu_deinit(struct offcpu *o);

#endif
