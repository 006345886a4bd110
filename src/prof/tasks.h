/*
 * tasks.h - which tasks are meant, where events of all tasks have to be looked at: what wakes a task, or puts it on a
 * CPU, happens in others. It learns threads of processes from what they do, and children from sched:sched_process_fork.
 */
#ifndef PROF_TASKS_H
#define PROF_TASKS_H

#include "base/map.h"
#include "prof/prof.h"

enum { TASKS_MAX = 1 << 18 };            /* that are known at a time; beyond it new ones are left out, and counted */

struct prof_tasks {
	bool all;
	struct feed_targets targets;     /* ids: a copy of its own */
	struct map of;                   /* thread -> 1: it is meant */
	uint64_t dropped;
};

/* For prepare, before events are added. -EINVAL: what was asked for has no place where tasks are told apart so. */
int prof_tasks_check(const struct prof *p, struct err *e);

/* Forks are told by this event; for prepare. */
int prof_tasks_add(struct prof *p, struct err *e);

int prof_tasks_open(struct prof_tasks *t, struct prof *p, struct err *e);
void prof_tasks_close(struct prof_tasks *t);

/* Of each hit, before others look at it. 0 or -ENOMEM. */
int prof_tasks_follow(struct prof_tasks *t, const struct hit *h);

bool prof_tasks_has(const struct prof_tasks *t, uint32_t tid);

/* An event of the profiler's own, which may be missing; filter "": none. */
int prof_add_optional(struct prof *p, const char *spec, struct err *e);

/* A field of the hit's kind (tracefs/kind.h), 0 where there is none. */
static inline uint64_t hit_field(const struct hit *h, unsigned number)
{
	return tfmt_value(h->event->field[number], h->raw.p, h->raw.n);
}

static inline enum tkind hit_kind(const struct hit *h)
{
	return h->event ? h->event->kind : KIND_OTHER;
}

#endif
