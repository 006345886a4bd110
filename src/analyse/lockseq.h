/*
 * lockseq.h - sequences of lock events of tasks, on kernels with CONFIG_LOCKDEP and CONFIG_LOCK_STAT:
 *
 *	acquire -> acquired -> release
 *	acquire -> contended -> acquired -> release        the wait: from contended to acquired
 *	acquire (to read, or a try) -> release
 *
 * An event that cannot follow the one before it breaks the sequence, and is counted for its lock, as in perf lock
 * report.
 */
#ifndef ANALYSE_LOCKSEQ_H
#define ANALYSE_LOCKSEQ_H

#include "analyse/contention.h"

enum lockseq_step { LOCKSEQ_ACQUIRE, LOCKSEQ_ACQUIRED, LOCKSEQ_CONTENDED, LOCKSEQ_RELEASE, LOCKSEQ_STEPS };
enum { LOCKSEQ_TRY = 1, LOCKSEQ_READ = 2 };          /* flags of lock_acquire */

struct lockseq_row {
	struct contention_row wait;      /* begun: contended */
	uint64_t acquired;
	bool broken;
};

struct lockseq {
	struct spans open;               /* by task */
	VEC(struct lockseq_row) rows;
	uint64_t broken[LOCKSEQ_STEPS];  /* number of rows that this step was the first to break */
	uint64_t dropped;
};

void lockseq_init(struct lockseq *s);
void lockseq_deinit(struct lockseq *s);
int lockseq_add_row(struct lockseq *s);

/* flags: of ACQUIRE, else 0. 0 or -ENOMEM. */
int lockseq_step(struct lockseq *s, enum lockseq_step step, const struct contention_event *ev, uint32_t flags,
		 uint32_t row);

#endif
