/*
 * contention.h - how long tasks wait for locks: from contention_begin to contention_end of the same task and lock
 * (Linux 5.19), added up by the caller's rows. A mutex that first spins begins twice: the first one counts, as for
 * perf. A wait within which events were lost is left out, and counted. Memory grows with rows, and tasks that wait.
 */
#ifndef ANALYSE_CONTENTION_H
#define ANALYSE_CONTENTION_H

#include "analyse/spans.h"

/* Flags of contention_begin: which kind of lock (include/trace/events/lock.h). */
enum {
	LOCK_SPIN = 1, LOCK_READ = 2, LOCK_WRITE = 4, LOCK_RT = 8, LOCK_PERCPU = 16, LOCK_MUTEX = 32, LOCK_FLAGS = 63,
};

struct contention_row {
	uint64_t begun, ended;           /* waits */
	uint64_t total, min, max;        /* ns, of those that ended; min UINT64_MAX: none did */
};

struct contention {
	struct spans waits;              /* by task */
	VEC(struct contention_row) rows;
	uint64_t strays;                 /* ends without a beginning */
	uint64_t discarded;              /* waits across a loss */
	uint64_t dropped;                /* too many at a time */
};

struct contention_event {
	uint64_t lock, time;
	uint32_t tid, cpu;
};

/* Each CPU has an idle task, and all have the number 0. */
static inline uint64_t contention_owner(const struct contention_event *ev)
{
	return ev->tid ? ev->tid : UINT64_C(1) << 32 | ev->cpu;
}

void contention_init(struct contention *c);
void contention_deinit(struct contention *c);

/* One more row; 0 or -ENOMEM. */
int contention_add_row(struct contention *c);

int contention_begin(struct contention *c, const struct contention_event *ev, uint32_t row);   /* 0 or -ENOMEM */
void contention_end(struct contention *c, const struct contention_event *ev);

/* The row that a wait counts for which has begun and is whole so far; it is to count for another one. */
#define CONTENTION_NONE UINT32_MAX
uint32_t contention_row(const struct contention *c, const struct contention_event *ev);
void contention_move(struct contention *c, const struct contention_event *ev, uint32_t row);

int contention_lose(struct contention *c, uint32_t cpu);   /* UINT32_MAX: of any */

/* The next interval: sums begin anew, who waits goes on. */
void contention_forget(struct contention *c);

static inline uint64_t contention_avg(const struct contention_row *r)
{
	return r->ended ? r->total / r->ended : 0;
}

#endif
