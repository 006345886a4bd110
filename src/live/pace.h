/*
 * pace.h - by what counts of a part of the time are scaled to all of it. While probes are on their hits take time away
 * from what is counted: of a loop that never waits, a second then sees fewer hits than one without them. So what
 * counts is not the time but what the task (or CPU) does in it of its own: instructions in user space, cycles there
 * where those cannot be counted; on CPUs, for probes of the kernel, all instructions without those of the hits. Where
 * the machine has no such counters, the time without that of the hits: the task's own, or that of the CPU.
 */
#ifndef LIVE_PACE_H
#define LIVE_PACE_H

#include "live/counter.h"
#include "live/probe_kinds.h"
#include "probing/cost_trial.h"

enum pace_by { PACE_TIME, PACE_TASK_TIME, PACE_USER_CYCLES, PACE_USER_INSTRUCTIONS, PACE_INSTRUCTIONS, PACES };

struct pace {
	const struct sys *sys;
	const struct event *events;              /* borrowed, as kinds */
	const uint8_t *kinds;
	enum pace_by by;
	struct hit_cost cost[PROBE_KINDS];
	struct event_list meter;                 /* what stays on; none: time */
	struct counters counters;                /* of it */
	struct target target;                    /* as given, but nothing is inherited */
	uint32_t *place, *meter_place;           /* of each slot: the same number on one CPU, task or cgroup */
	double *hits;                            /* of each place: what they took since the last pause or its end */
	double *done;                            /* what the meter shows there */
	size_t places;
};

struct pace_want {
	const struct sys *sys;
	const struct event_env *env;
	const struct event_list *events;
	const struct target *target;
};

/* Finds out by what, and what a hit takes. -EOPNOTSUPP and others: it cannot be measured here. kinds: borrowed. */
int pace_init(struct pace *p, const struct pace_want *w, const uint8_t *kinds, struct err *e);
void pace_deinit(struct pace *p);

/* Of counters that were opened with w, whose pausable ones are marked; they are read no more after pace_deinit. */
int pace_start(struct pace *p, struct counters *c, const struct counters_want *w, struct err *e);

#endif
