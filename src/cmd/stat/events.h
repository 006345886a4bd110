/*
 * events.h - which events `stat` counts: those of -e, or perf's default set; with -d more of them; groups for
 * metrics.
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
	unsigned slots;                      /* per cycle, as the PMU tells; 0: it does not */
	struct topdown_plan plan;
	const char *pmu;                     /* name of the core PMU, NULL: there is only one */
	size_t first, n;
};

struct stat_events {
	struct event_list list;
	VEC(struct stat_metric) metrics;
};

enum stat_clock { STAT_TASK_CLOCK, STAT_CPU_CLOCK };

struct stat_events_want {
	const struct opt_list *events, *metrics;
	const char *const *filters;  /* of each of `events`, NULL: none */
	uint64_t sides;              /* PERF_ATTR_EXCLUDE_* for all of them */
	unsigned detail;             /* number of -d */
	enum stat_clock clock;       /* of the default set: cpu-clock where CPUs are watched */
};

int stat_events_init(struct stat_events *s, const struct stat_events_want *w, const struct event_env *env,
		     struct err *e);
void stat_events_deinit(struct stat_events *s);

#endif
