/* common.h - shared by the scheduler views: their events and the names of tasks. */
#ifndef SCHED_COMMON_H
#define SCHED_COMMON_H

#include "prof/tasks.h"
#include "prof/view.h"
#include "sched/sched.h"

/* For prepare: requests sched_switch, which is required, and the wakeup events. */
int sched_add(struct prof *p, struct err *e);

/* Events without a kind of their own (tracefs/kind.h), for only these views read them. NULL: not among the events. */
struct sched_fields {
	const struct tevent *runtime, *move;
	const struct tfield *runtime_pid, *runtime_ns, *move_pid, *move_from, *move_to;
};
void sched_find_fields(const struct prof *p, struct sched_fields *f);

/* A field that sched_find_fields has looked up; it may be missing. */
static inline uint64_t sched_value(const struct hit *h, const struct tfield *f)
{
	return tfmt_value(f, h->raw.p, h->raw.n);
}

/* Call when the feed is open: is sched_waking among its events? If so, sched_wakeup only repeats it. */
bool sched_has_waking(const struct prof *p);

/*
 * Calls `ends` before a thread ID is reused by a new task, while names still belong to the old task. Call it in begin;
 * w is borrowed.
 */
struct sched_ends {
	struct prof *p;
	int (*ends)(void *arg, uint32_t tid);   /* 0 or -ENOMEM */
	void *arg;
	bool failed;                            /* no memory: the next hit should return the error */
};
void sched_watch_ends(struct prof *p, struct sched_ends *w);

/* Takes names that the recording does not have from events: `field` is the name, `tid_field` the task it belongs to. */
void sched_learn(struct prof *p, const struct hit *h, unsigned tid_field, unsigned field);

#endif
