/*
 * taskset.h - the set of tasks that programs count, kept up to date by BPF programs. It behaves like a perf event of a
 * task: it starts at the exec of a held workload (enable_on_exec), and may include children (inherit).
 *
 *	taskset_open(&s, &want, e)   the tasks are followed from here on
 *	taskset_check(a, ...)        instructions that leave the program unless the current task is in the set
 *
 * perf removes its events from a task in the middle of its exit; the place differs between kernels and has no
 * tracepoint. So a task counts only while it has perf events: the caller must open one for each task, with inherit.
 */
#ifndef BPF_TASKSET_H
#define BPF_TASKSET_H

#include "bpf/ktypes.h"
#include "bpf/program.h"

enum { TASKSET_TASKS = 1 << 15 };

/* A task's value in the map. */
enum taskset_state { TASKSET_HELD = 1, TASKSET_COUNTED };

struct taskset_want {
	const struct sys *sys;
	const struct bpf *bpf;
	const int *tids;                 /* threads, in the pid namespace of this process */
	size_t n;
	bool held;                       /* they count from their exec on */
	bool children;                   /* include threads and processes that they start */
};

/* Exported for tests. */
struct taskset_maps {
	int tasks, losses;               /* descriptors */
	uint32_t pid, events;            /* offsets in struct task_struct; events: the pointer to its perf events */
	bool is_typed;                   /* programs may load directly from the current task_struct (BTF pointer) */
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

/* New tasks that are not in the set, or may not be: no room, or a program did not run. */
uint64_t taskset_lost(const struct taskset *s);

/* Jumps to `out` unless the task is in the set, to `failed` if memory could not be read. Slots are scratch space. */
void taskset_check(struct asm_prog *a, const struct taskset_maps *m, const int16_t slots[2], struct asm_label *out,
		   struct asm_label *failed);

void taskset_build_typed(struct asm_prog *a, const struct taskset_maps *m);    /* a test: if it loads, is_typed */
void taskset_build_fork(struct asm_prog *a, const struct taskset_maps *m);     /* sched_process_fork */
void taskset_build_exec(struct asm_prog *a, const struct taskset_maps *m);     /* task_rename */
void taskset_build_free(struct asm_prog *a, const struct taskset_maps *m);     /* sched_process_free */

#endif
