/* metric.h - the metrics of this build, and perf's metric groups. */
#ifndef CMD_STAT_METRIC_H
#define CMD_STAT_METRIC_H

#include "arch/aarch64/metric.h"
#include "base/str.h"

/* The i-th metric; NULL: i is beyond the last one. */
const struct arm_metric *stat_metric_at(size_t i);

/* Is the i-th metric in this group of perf's? Case is ignored, as in perf. */
bool stat_metric_in_group(size_t i, struct sv group);

/* As arm_metric_events and _compute, for the metrics of this build. */
size_t stat_metric_events(const struct arm_metric *m, uint16_t raw[METRIC_EVENTS_MAX]);
int stat_metric_compute(const struct arm_metric *m, const uint64_t *count, unsigned slots, double *value);

/* The text after a metric's value: "percent of branches  branch_misprediction_ratio". */
const char *stat_metric_label(const struct arm_metric *m, char *buf, size_t size);

/* Ends the hint that lists the names which every build knows: says where to find the others. */
extern const char stat_metric_others[];

#endif
