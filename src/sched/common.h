/* common.h - shared by the scheduler views: their events and the names of tasks. */
#ifndef SCHED_COMMON_H
#define SCHED_COMMON_H

#include "prof/tasks.h"
#include "prof/view.h"
#include "sched/sched.h"

/* For prepare: request sched_switch, which is required, and the wakeup events. */
int sched_add(struct prof *p, struct err *e);

/* Events that have no kind in tracefs/kind.def, as only these views read them. NULL: the event is not open. */
struct sched_fields {
	const struct tevent *runtime, *move;
	const struct tfield *runtime_pid, *runtime_ns, *move_pid, *move_from, *move_to;
};
void sched_find_fields(const struct prof *p, struct sched_fields *f);

/* The value of a field that sched_find_fields() has looked up; the field may be missing. */
static inline uint64_t sched_value(const struct hit *h, const struct tfield *f)
{
	return tfmt_value(f, h->raw.p, h->raw.n);
}

/* For an open feed: has it sched_waking? Then sched_wakeup, which tells of the same wakeups, is to be ignored. */
bool sched_has_waking(const struct prof *p);

/*
 * Let `ends` be called before a tid is reused by a new task, while the resolver still has the old task's name. To be
 * called in begin; w is borrowed.
 */
struct sched_ends {
	struct prof *p;
	int (*ends)(void *arg, uint32_t tid);   /* 0 or -ENOMEM */
	void *arg;
	bool failed;                            /* `ends` ran out of memory: the next hit must return that */
};
void sched_watch_ends(struct prof *p, struct sched_ends *w);

/* If no COMM record has named the task in `tid_field` of the event, name it by the comm in `field`. */
void sched_learn(struct prof *p, const struct hit *h, unsigned tid_field, unsigned field);

#endif
