/* metric.h - ratios of an arm64 core's counters: what to count together, and the arithmetic. */
#ifndef ARCH_AARCH64_METRIC_H
#define ARCH_AARCH64_METRIC_H

#include "arch/arch.h"

enum metric_how {
	METRIC_ALONE,   /* a / c */
	METRIC_PLUS,    /* (a + b) / c */
	METRIC_MINUS,   /* (a - b) / c */
	METRIC_SLOTS,   /* a / (c * slots per cycle) */
};

struct arm_metric {
	const char *name;
	const char *alias;     /* sonde's older name for it, or NULL */
	uint16_t a, b, c;      /* raw events */
	uint16_t scale : 12, how : 4;   /* how: enum metric_how */
};

enum { METRIC_EVENTS_MAX = 3 };

/* _at: the metrics that every build has. _any: all metrics; they begin with those of _at. NULL: i is past the end. */
const struct arm_metric *arm_metric_at(size_t i);
const struct arm_metric *arm_metric_any(size_t i);

/* The description of arm_metric_any(i). */
struct arm_metric_about {
	const char *groups;    /* "MPKI;Branch_Effectiveness" */
	const char *brief;
	const char *unit;      /* as perf shows it; NULL: no unit */
};
const struct arm_metric_about *arm_metric_about(size_t i);

/* The distinct raw events that the metric needs; returns their number. */
size_t arm_metric_events(const struct arm_metric *m, uint16_t raw[METRIC_EVENTS_MAX]);

/* count[i] belongs to raw[i] above; slots: the PMU's caps/slots. -ENODATA: the divisor is 0. */
int arm_metric_compute(const struct arm_metric *m, const uint64_t *count, unsigned slots, double *value);

#endif
