/*
 * offcpu.h - how long tasks did not run, added up by task, stack and state: from where a task leaves its CPU to wait,
 * to where it comes back. What perf adds up inside the kernel by a BPF program, of the same switches.
 *
 * Pure. Tables are bounded; what they had no room for is counted.
 */
#ifndef RECORD_OFFCPU_H
#define RECORD_OFFCPU_H

#include "perf/record.h"
#include "base/map.h"

enum {
	OFFCPU_ROWS_MAX = 102400,        /* as many as perf's table has */
	OFFCPU_STACKS_MAX = 32 << 20,    /* bytes of distinct stacks */
	OFFCPU_TASKS_MAX = 1 << 20,      /* that wait at the same time, or have waited */
};

/* sched_switch.prev_state: it waits for something, or for a device alone. */
enum { OFFCPU_SLEEPS = 1, OFFCPU_BLOCKED = 2 };

struct offcpu_row {
	uint32_t pid, tid, state;
	uint32_t stack;                  /* number of the stack */
	uint32_t next;                   /* number of another row of the process + 1; 0: there are no more */
	uint64_t ns, times;
};

struct offcpu_wait {
	uint64_t since;                  /* ns; 0: it runs */
	uint32_t row;
};

struct offcpu {
	struct names stacks, keys;       /* a key's number is its row's */
	size_t stack_bytes;
	VEC(struct offcpu_row) rows;
	struct map of_pid;               /* process -> number of its newest row + 1 */
	struct map task;                 /* tid -> number of its wait */
	VEC(struct offcpu_wait) waits;
	uint64_t dropped;                /* times that there was no room to keep */
};

/*
 * A task leaves its CPU. stack: addresses of its own code, 8 bytes each, innermost first. Other states than the two
 * above are no waiting: 0. Or -ENOMEM.
 */
struct offcpu_out {
	uint32_t pid, tid;
	uint64_t state, time;            /* time: ns, not 0 */
	struct bytes stack;
};
int offcpu_leaves(struct offcpu *o, const struct offcpu_out *w);

/* It runs again. Of one that did not wait nothing is to be told. */
void offcpu_returns(struct offcpu *o, uint32_t tid, uint64_t time);

/* A row of the process, others by `next`: its number + 1; 0: it has none. */
uint32_t offcpu_first(const struct offcpu *o, uint32_t pid);

/* The addresses of a row's stack. */
struct bytes offcpu_stack(const struct offcpu *o, const struct offcpu_row *r);

void offcpu_deinit(struct offcpu *o);

#endif
