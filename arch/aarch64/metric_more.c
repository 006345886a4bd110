/* metric_more.c - the metrics that the board's build lacks, and the descriptions of all metrics. */
#include "arch/aarch64/metric.h"

#define METRIC(id, alias, groups, scale, unit, a, how, b, c, brief) \
	{ #id, alias, a, b, c, scale, METRIC_##how },
static const struct arm_metric metrics[] = {
#include "arch/aarch64/metric_more.def"
};
#undef METRIC

#define METRIC(id, alias, groups, scale, unit, a, how, b, c, brief) { groups, brief, unit },
static const struct arm_metric_about abouts[] = {
#include "arch/aarch64/metric.def"
#include "arch/aarch64/metric_more.def"
};
#undef METRIC

const struct arm_metric *arm_metric_any(size_t i)
{
	size_t n = 0;

	while (n < i && arm_metric_at(n))
		n++;
	if (arm_metric_at(n))
		return arm_metric_at(i);
	return i - n < ARRAY_SIZE(metrics) ? &metrics[i - n] : NULL;
}

const struct arm_metric_about *arm_metric_about(size_t i)
{
	return i < ARRAY_SIZE(abouts) ? &abouts[i] : NULL;
}
