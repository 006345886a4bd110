/*
 * works.h - work that CPUs do for the kernel, from raise to entry to exit, summed up as `perf kwork` does: interrupts,
 * softirqs, work items, stays of tasks. Of each work on a CPU one event of each step is pending at a time: a newer one
 * replaces it, and the older one counts as skipped. Memory grows with distinct works.
 */
#ifndef ANALYSE_WORKS_H
#define ANALYSE_WORKS_H

#include "base/map.h"

enum { WORKS_MAX = 1 << 18 };

enum work_class { WORK_IRQ, WORK_SOFTIRQ, WORK_QUEUE, WORK_SCHED, WORK_CLASSES };
enum work_step { WORK_RAISE, WORK_ENTRY, WORK_EXIT, WORK_STEPS };

struct work_key {
	uint64_t id;
	uint32_t cpu, class;
};

struct work_atom {
	uint64_t time, raised;           /* ns; raised: for an entry, 0: unknown */
	uint32_t chain;                  /* for the caller */
	bool is;                         /* false: none is pending */
};

struct work {
	struct work_key key;
	uint32_t name;                   /* for the caller, 0: unknown yet */
	struct work_atom pending[WORK_STEPS];
	uint64_t lone[WORK_STEPS];       /* steps without a pending one before them */
	uint64_t n, total;               /* ns */
	uint64_t max, max_from, max_to;  /* ns */
};

struct works {
	struct names ids;                /* key -> index */
	VEC(struct work) v;
	uint64_t skipped[WORK_STEPS];    /* pending steps replaced by newer ones */
	uint64_t dropped, discarded;     /* beyond WORKS_MAX; steps across lost events */
};

void works_deinit(struct works *w);

/* *i: index of the work, which works_add() adds if it is new. 0; 1: too many, or not found; -ENOMEM. */
int works_add(struct works *w, const struct work_key *key, uint32_t *i);
int works_find(const struct works *w, const struct work_key *key, uint32_t *i);

/* The work is raised, or entered: the step is pending. */
void works_push(struct works *w, struct work *of, enum work_step step, uint64_t time);

/* Take the pending `from`, ended by `step`, which counts as lone if there is none; WORK_STEPS: no step. False: none. */
bool works_pop(struct work *of, enum work_step from, enum work_step step, struct work_atom *was);

/* Add a duration. */
void works_count(struct work *of, uint64_t from, uint64_t to);

/* Events of a CPU were lost, UINT32_MAX: of any: discard pending steps. */
void works_lose(struct works *w, uint32_t cpu);

/* Sum of the skipped, lone and still pending steps of all works. */
void works_skipped(const struct works *w, uint64_t sum[WORK_STEPS]);

/* Start the next interval: sums are reset, pending steps stay. */
void works_forget(struct works *w);

#endif
