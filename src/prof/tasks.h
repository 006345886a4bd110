/*
 * tasks.h - the set of target tasks, for profilers that need events of all tasks: what wakes a task, or puts it on a
 * CPU, happens in other tasks. Threads of processes are learned from their events, children from
 * sched:sched_process_fork.
 */
#ifndef PROF_TASKS_H
#define PROF_TASKS_H

#include "base/map.h"
#include "prof/prof.h"

enum { TASKS_MAX = 1 << 18 };            /* limit for known threads; further ones are dropped, and counted */

struct prof_tasks {
	bool all;
	struct feed_targets targets;     /* ids: an own copy */
	struct map of;                   /* tid -> 1: it is a target */
	uint64_t dropped;
};

/* For prepare, before events are added. -EINVAL: an option that cannot be combined with this. */
int prof_tasks_check(const struct prof *p, struct err *e);

/* For prepare: add the event that reports forks. */
int prof_tasks_add(struct prof *p, struct err *e);

int prof_tasks_open(struct prof_tasks *t, struct prof *p, struct err *e);
void prof_tasks_close(struct prof_tasks *t);

/* Call for each hit, before others process it. 0 or -ENOMEM. */
int prof_tasks_follow(struct prof_tasks *t, const struct hit *h);

bool prof_tasks_has(const struct prof_tasks *t, uint32_t tid);

/* Add an event that may be missing on this kernel; filter "": none. */
int prof_add_optional(struct prof *p, const char *spec, struct err *e);

/* A field of the hit's kind (tracefs/kind.h), 0 if this kernel lacks it. */
static inline uint64_t hit_field(const struct hit *h, unsigned number)
{
	return tfmt_value(h->event->field[number], h->raw.p, h->raw.n);
}

static inline enum tkind hit_kind(const struct hit *h)
{
	return h->event ? h->event->kind : KIND_OTHER;
}

#endif
