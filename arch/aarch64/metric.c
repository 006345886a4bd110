/* metric.c - the metrics that every build has, the board's included; and their arithmetic. */
#include "arch/aarch64/metric.h"

#define METRIC(id, alias, groups, scale, unit, a, how, b, c, brief) \
	{ #id, alias, a, b, c, scale, METRIC_##how },
static const struct arm_metric metrics[] = {
#include "arch/aarch64/metric.def"
};
#undef METRIC

const struct arm_metric *arm_metric_at(size_t i)
{
	return i < ARRAY_SIZE(metrics) ? &metrics[i] : NULL;
}

static size_t add(uint16_t raw[METRIC_EVENTS_MAX], size_t n, uint16_t event)
{
	size_t i = 0;

	while (i < n && raw[i] != event)
		i++;
	raw[i] = event;
	return MAX(i + 1, n);
}

size_t arm_metric_events(const struct arm_metric *m, uint16_t raw[METRIC_EVENTS_MAX])
{
	size_t n = add(raw, 0, m->a);

	if (m->how == METRIC_PLUS || m->how == METRIC_MINUS)
		n = add(raw, n, m->b);
	return add(raw, n, m->c);
}

static double count_of(const struct arm_metric *m, const uint64_t *count, uint16_t event)
{
	uint16_t raw[METRIC_EVENTS_MAX];
	size_t n = arm_metric_events(m, raw), i = 0;

	while (i + 1 < n && raw[i] != event)
		i++;
	return (double)count[i];
}

int arm_metric_compute(const struct arm_metric *m, const uint64_t *count, unsigned slots, double *value)
{
	double part = count_of(m, count, m->a), of = count_of(m, count, m->c);

	if (m->how == METRIC_PLUS)
		part += count_of(m, count, m->b);
	else if (m->how == METRIC_MINUS)
		part -= count_of(m, count, m->b);
	else if (m->how == METRIC_SLOTS)
		of *= slots;
	if (!(of > 0))
		return -ENODATA;
	*value = m->scale * part / of;
	return 0;
}
