/*
 * pace.h - the measure of work by which counts are scaled over pauses (struct counter_value). Time would be wrong:
 * while probes are on, their hits slow the program down, so a busy loop makes fewer calls per second. So the
 * work of the task (or CPU) itself is measured: user-space instructions, or user-space cycles where these cannot be
 * counted. For kernel probes on CPUs it is all instructions, less those of the hits. On machines without such counters
 * it is time less that of the hits: CPU time of the task, or, for CPUs, elapsed time.
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
	struct hit_cost cost[PROBE_KINDS];       /* of one hit */
	struct event_list meter;                 /* the event that measures work, never paused; empty: time */
	struct counters counters;                /* of `meter` */
	struct target target;                    /* as given, but without inheritance */
	uint32_t *place, *meter_place;           /* number of each slot's place: the same for equal CPU, task, cgroup */
	double *hits;                            /* by place: cost of the hits since the last pause or resume */
	double *done;                            /* by place: reading of the meter */
	size_t places;
};

struct pace_want {
	const struct sys *sys;
	const struct event_env *env;
	const struct event_list *events;
	const struct target *target;
};

/* Choose the measure, and measure the cost of a hit. -EOPNOTSUPP and others: impossible here. kinds is borrowed. */
int pace_init(struct pace *p, const struct pace_want *w, const uint8_t *kinds, struct err *e);
void pace_deinit(struct pace *p);

/* Become c->pace. c was opened with w, and `pausable` is set. c must not be read after pace_deinit. */
int pace_start(struct pace *p, struct counters *c, const struct counters_want *w, struct err *e);

#endif
