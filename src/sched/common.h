/* common.h - what the views of the scheduler share: their events, names of tasks. */
#ifndef SCHED_COMMON_H
#define SCHED_COMMON_H

#include "prof/tasks.h"
#include "prof/view.h"
#include "sched/sched.h"

/* For prepare: sched_switch, which must be there, and what wakes tasks. */
int sched_add(struct prof *p, struct err *e);

/* Events without a kind of their own (tracefs/kind.h), for only these views read them. NULL: not among the events. */
struct sched_fields {
	const struct tevent *runtime, *move;
	const struct tfield *runtime_pid, *runtime_ns, *move_pid, *move_from, *move_to;
};
void sched_find_fields(const struct prof *p, struct sched_fields *f);

/* A field that sched_find_fields has found, or not. */
static inline uint64_t sched_value(const struct hit *h, const struct tfield *f)
{
	return tfmt_value(f, h->raw.p, h->raw.n);
}

/* The feed is open: is sched_waking among its events? Then sched_wakeup tells the same again. */
bool sched_has_waking(const struct prof *p);

/*
 * Before the number of a task goes to a new one `ends` is told, while names are still those of the old one. In begin; w
 * is borrowed.
 */
struct sched_ends {
	struct prof *p;
	int (*ends)(void *arg, uint32_t tid);   /* 0 or -ENOMEM */
	void *arg;
	bool failed;                            /* no memory: the next hit should tell */
};
void sched_watch_ends(struct prof *p, struct sched_ends *w);

/* What the recording does not know yet events tell, too: `field` is that of a name, `tid_field` that of whose it is. */
void sched_learn(struct prof *p, const struct hit *h, unsigned tid_field, unsigned field);

#endif
