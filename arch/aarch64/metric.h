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
	const char *alias;     /* what it was called before perf had it; NULL */
	uint16_t a, b, c;      /* raw events */
	uint16_t scale : 12, how : 4;   /* how: enum metric_how */
};

enum { METRIC_EVENTS_MAX = 3 };

/* Those that every sonde has, and all of them, in the same order. NULL: the end. */
const struct arm_metric *arm_metric_at(size_t i);
const struct arm_metric *arm_metric_any(size_t i);

/* Of any of them. */
struct arm_metric_about {
	const char *groups;    /* "MPKI;Branch_Effectiveness" */
	const char *brief;
	const char *unit;      /* as perf shows it, NULL: none */
};
const struct arm_metric_about *arm_metric_about(size_t i);

/* The events that it needs, each once: how many. */
size_t arm_metric_events(const struct arm_metric *m, uint16_t raw[METRIC_EVENTS_MAX]);

/* count[i]: of raw[i] of those. -ENODATA: the divisor is 0, or slots, which the PMU tells, are needed and 0. */
int arm_metric_compute(const struct arm_metric *m, const uint64_t *count, unsigned slots, double *value);

#endif
