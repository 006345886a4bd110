/*
 * taskset.h - the set of tasks that programs count for, maintained by BPF programs of its own, with perf's semantics
 * for events of tasks: a held task counts from its exec on, and children are included.
 *
 *  taskset_open(&s, &want, e)   tasks are followed from here on
 *  taskset_check(a, ...)        instructions that exit unless the current task is in the set
 *
 * perf detaches a task's events in the middle of its exit, at different places in different kernels, without a
 * tracepoint. Therefore a task counts as long as it has perf events: each must have one, and so must its children.
 */
#ifndef BPF_TASKSET_H
#define BPF_TASKSET_H

#include "bpf/ktypes.h"
#include "bpf/program.h"

enum { TASKSET_TASKS = 1 << 15 };

/* Value in its map for a task. */
enum taskset_state { TASKSET_HELD = 1, TASKSET_COUNTED };

struct taskset_want {
	const struct sys *sys;
	const struct bpf *bpf;
	const int *tids;                 /* tids in our pid namespace */
	size_t n;
	bool held;                       /* they count from their exec on */
	bool children;                   /* also count their children */
};

/* Exposed for tests. */
struct taskset_maps {
	int tasks, losses;               /* descriptors */
	uint32_t pid, events;            /* offsets in struct task_struct; events: list of perf events */
	bool is_typed;                   /* programs may read the current task directly (BTF) */
};

enum { TASKSET_PROGS = 3 };

struct taskset {
	struct taskset_want want;
	struct taskset_maps maps;
	int progs[TASKSET_PROGS], links[TASKSET_PROGS];
	unsigned n_progs, n_insns;
};

/* On error nothing is open. */
int taskset_open(struct taskset *s, const struct taskset_want *w, struct err *e);
void taskset_close(struct taskset *s);

/* New tasks that were not followed, or may not have been. */
uint64_t taskset_lost(const struct taskset *s);

/* Needs two stack slots, which are free again afterwards; failed: kernel memory could not be read. */
void taskset_check(struct asm_prog *a, const struct taskset_maps *m, const int16_t slots[2], struct asm_label *out,
		   struct asm_label *failed);

void taskset_build_typed(struct asm_prog *a, const struct taskset_maps *m);    /* for is_typed, if accepted */
void taskset_build_fork(struct asm_prog *a, const struct taskset_maps *m);     /* sched_process_fork */
void taskset_build_exec(struct asm_prog *a, const struct taskset_maps *m);     /* task_rename */
void taskset_build_free(struct asm_prog *a, const struct taskset_maps *m);     /* sched_process_free */

#endif
