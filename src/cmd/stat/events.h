/*
 * events.h - the events that `stat` counts: those of -e or perf's default set, more with -d, and the groups of events
 * that metrics need.
 */
#ifndef CMD_STAT_EVENTS_H
#define CMD_STAT_EVENTS_H

#include "arch/aarch64/metric.h"
#include "arch/aarch64/topdown.h"
#include "base/opt.h"
#include "perf/event.h"

/* A metric is computed from events that were added for it: list.v[first .. first + n). */
struct stat_metric {
	const struct arm_metric *ratio;      /* NULL: top-down */
	unsigned slots;                      /* issue slots per cycle, from the PMU; 0: unknown */
	struct topdown_plan plan;
	const char *pmu;                     /* name of the core PMU; NULL: there is only one */
	size_t first, n;
};

struct stat_events {
	struct event_list list;
	VEC(struct stat_metric) metrics;
};

enum stat_clock { STAT_TASK_CLOCK, STAT_CPU_CLOCK };

struct stat_events_want {
	const struct opt_list *events, *metrics;
	const char *const *filters;  /* for each of `events`; NULL: none */
	uint64_t sides;              /* PERF_ATTR_EXCLUDE_* for all of them */
	unsigned detail;             /* number of -d */
	enum stat_clock clock;       /* in the default set: cpu-clock if CPUs are counted */
};

int stat_events_init(struct stat_events *s, const struct stat_events_want *w, const struct event_env *env,
		     struct err *e);
void stat_events_deinit(struct stat_events *s);

#endif
