/*
 * pace.h - what to scale counts by when they were taken during part of the time only. While probes are on, their hits
 * take time from the counted task: a loop that never waits has fewer hits per second than it would have without probes.
 * So the scale is not time but the work that the task (or CPU) itself does: instructions in user space, or cycles in
 * user space if instructions cannot be counted; on CPUs, for kernel probes, all instructions minus those of the hits.
 * If the machine has no such counters it is the time minus that of the hits: the task's run time, or that of the CPU.
 */
#ifndef LIVE_PACE_H
#define LIVE_PACE_H

#include "live/counter.h"
#include "live/probe_kinds.h"
#include "probing/cost_trial.h"

enum pace_by { PACE_TIME, PACE_TASK_TIME, PACE_USER_CYCLES, PACE_USER_INSTRUCTIONS, PACE_INSTRUCTIONS, PACES };

struct pace {
	const struct sys *sys;
	const struct event *events;              /* borrowed, like kinds */
	const uint8_t *kinds;
	enum pace_by by;
	struct hit_cost cost[PROBE_KINDS];
	struct event_list meter;                 /* the events that measure the work and stay on; empty: time */
	struct counters counters;                /* the counters of meter */
	struct target target;                    /* as given, but without inheritance */
	uint32_t *place, *meter_place;           /* place of each slot: equal for the same CPU, task or cgroup */
	double *hits;                            /* per place: cost of the hits since a pause last began or ended */
	double *done;                            /* per place: value of the meter */
	size_t places;
};

struct pace_want {
	const struct sys *sys;
	const struct event_env *env;
	const struct event_list *events;
	const struct target *target;
};

/* Chooses the scale and measures the cost of a hit. -EOPNOTSUPP and others: not possible here. kinds: borrowed. */
int pace_init(struct pace *p, const struct pace_want *w, const uint8_t *kinds, struct err *e);
void pace_deinit(struct pace *p);

/* c was opened with w, and its pausable counters are marked; it must not be read after pace_deinit. */
int pace_start(struct pace *p, struct counters *c, const struct counters_want *w, struct err *e);

#endif
