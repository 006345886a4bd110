/*
 * taskset.h - the tasks that programs count for, kept by programs of its own: as a perf event of a task has it, from
 * its exec where it is held before one, and with what it starts.
 *
 *	taskset_open(&s, &want, e)   its tasks are followed from here on
 *	taskset_check(a, ...)        instructions: on unless the task that runs is one of them
 *
 * perf takes its events from a task in the middle of its exit: kernels do it in different places, and no tracepoint
 * tells. So a task counts as long as it has some: each must have one, and what they start, too.
 */
#ifndef BPF_TASKSET_H
#define BPF_TASKSET_H

#include "bpf/ktypes.h"
#include "bpf/program.h"

enum { TASKSET_TASKS = 1 << 15 };

/* What stands in its map for a task. */
enum taskset_state { TASKSET_HELD = 1, TASKSET_COUNTED };

struct taskset_want {
	const struct sys *sys;
	const struct bpf *bpf;
	const int *tids;                 /* threads as this process knows them */
	size_t n;
	bool held;                       /* they count from their exec on */
	bool children;                   /* and what they start */
};

/* Apart for tests. */
struct taskset_maps {
	int tasks, losses;               /* descriptors */
	uint32_t pid, events;            /* bytes into struct task_struct; events: where its perf events hang */
	bool is_typed;                   /* programs may load from the task that runs */
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

/* Two slots, which are free again behind it; failed: the kernel's memory could not be read. */
void taskset_check(struct asm_prog *a, const struct taskset_maps *m, const int16_t slots[2], struct asm_label *out,
		   struct asm_label *failed);

void taskset_build_typed(struct asm_prog *a, const struct taskset_maps *m);    /* is_typed, if it is taken */
void taskset_build_fork(struct asm_prog *a, const struct taskset_maps *m);     /* sched_process_fork */
void taskset_build_exec(struct asm_prog *a, const struct taskset_maps *m);     /* task_rename */
void taskset_build_free(struct asm_prog *a, const struct taskset_maps *m);     /* sched_process_free */

#endif
