/*
 * works.h - what CPUs do for the kernel, from raise to entry to exit, as `perf kwork` adds it up: interrupts, soft
 * interrupts, work items, stays of tasks. Of each, one of a kind waits at a time on a CPU: a newer one takes its place,
 * and the older one was skipped. Memory grows with works.
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
	uint64_t time, raised;           /* raised: of an entry; 0: not known */
	uint32_t chain;                  /* the caller's */
	bool is;
};

struct work {
	struct work_key key;
	uint32_t name;                   /* the caller's, 0: not known yet */
	struct work_atom pending[WORK_STEPS];
	uint64_t lone[WORK_STEPS];       /* steps for which there was nothing to end */
	uint64_t n, total;               /* ns */
	uint64_t max, max_from, max_to;  /* ns */
};

struct works {
	struct names ids;                /* key -> index */
	VEC(struct work) v;
	uint64_t skipped[WORK_STEPS];    /* that newer ones took the place of */
	uint64_t dropped, discarded;     /* too many works; steps across a loss */
};

void works_deinit(struct works *w);

/* The work; *i its index. 1: there is no room for it; -ENOMEM. find: 1 when there is none. */
int works_add(struct works *w, const struct work_key *key, uint32_t *i);
int works_find(const struct works *w, const struct work_key *key, uint32_t *i);

/* It is raised, or entered. */
void works_push(struct works *w, struct work *of, enum work_step step, uint64_t time);

/* What was pushed as `from` is over with `step`; WORK_STEPS: with none that counts. False: there was nothing. */
bool works_pop(struct work *of, enum work_step from, enum work_step step, struct work_atom *was);

/* It lasted so long. */
void works_count(struct work *of, uint64_t from, uint64_t to);

/* Events were lost on a CPU, UINT32_MAX any: what is pending there is not known any more. */
void works_lose(struct works *w, uint32_t cpu);

/* Steps that came to nothing, of all works. */
void works_skipped(const struct works *w, uint64_t sum[WORK_STEPS]);

/* The next interval: sums begin anew, what is pending stays. */
void works_forget(struct works *w);

#endif
