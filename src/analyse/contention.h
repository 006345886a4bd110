/*
 * contention.h - how long tasks wait for locks: from contention_begin to contention_end of the same task and lock
 * (Linux 5.19), summed up in rows that the caller chooses. A mutex that spins first has two contention_begin events:
 * the first counts, as in perf. A wait across lost events is discarded, and counted. Memory grows with rows and with
 * tasks that wait.
 */
#ifndef ANALYSE_CONTENTION_H
#define ANALYSE_CONTENTION_H

#include "analyse/spans.h"

/* Flags of contention_begin: which kind of lock (include/trace/events/lock.h). */
enum {
	LOCK_SPIN = 1, LOCK_READ = 2, LOCK_WRITE = 4, LOCK_RT = 8, LOCK_PERCPU = 16, LOCK_MUTEX = 32, LOCK_FLAGS = 63,
};

struct contention_row {
	uint64_t begun, ended;           /* numbers of waits */
	uint64_t total, min, max;        /* ns, of ended waits; min UINT64_MAX: none */
};

struct contention {
	struct spans waits;              /* by task */
	VEC(struct contention_row) rows;
	uint64_t strays;                 /* contention_end without a contention_begin */
	uint64_t discarded;              /* waits across lost events */
	uint64_t dropped;                /* waits beyond the limit of simultaneous ones */
};

struct contention_event {
	uint64_t lock, time;
	uint32_t tid, cpu;
};

/* A key for the task: each CPU has an idle task of its own, and all have tid 0. */
static inline uint64_t contention_owner(const struct contention_event *ev)
{
	return ev->tid ? ev->tid : UINT64_C(1) << 32 | ev->cpu;
}

void contention_init(struct contention *c);
void contention_deinit(struct contention *c);

/* Append a row; 0 or -ENOMEM. */
int contention_add_row(struct contention *c);

int contention_begin(struct contention *c, const struct contention_event *ev, uint32_t row);   /* 0 or -ENOMEM */
void contention_end(struct contention *c, const struct contention_event *ev);

/* The row of a wait that has begun, without losses so far, or CONTENTION_NONE; and move the wait to another row. */
#define CONTENTION_NONE UINT32_MAX
uint32_t contention_row(const struct contention *c, const struct contention_event *ev);
void contention_move(struct contention *c, const struct contention_event *ev, uint32_t row);

int contention_lose(struct contention *c, uint32_t cpu);   /* UINT32_MAX: of any */

/* Start the next interval: sums are reset, waits in progress go on. */
void contention_forget(struct contention *c);

static inline uint64_t contention_avg(const struct contention_row *r)
{
	return r->ended ? r->total / r->ended : 0;
}

#endif
