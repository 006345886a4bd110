/* metric.c - a board has those that always were there, each by its name. */
#include "cmd/stat/metric.h"

const char stat_metric_others[] = "";

const struct arm_metric *stat_metric_at(size_t i)
{
	return arm_metric_at(i);
}

bool stat_metric_in_group(size_t i UNUSED, struct sv group UNUSED)
{
	return false;
}

size_t stat_metric_events(const struct arm_metric *m, uint16_t raw[METRIC_EVENTS_MAX])
{
	raw[0] = m->a;
	raw[1] = m->c;
	return 2;
}

int stat_metric_compute(const struct arm_metric *m, const uint64_t *count, unsigned slots UNUSED, double *value)
{
	*value = m->scale * (double)count[0] / (double)count[1];
	return count[1] ? 0 : -ENODATA;
}

const char *stat_metric_label(const struct arm_metric *m, char *buf UNUSED, size_t size UNUSED)
{
	return m->name;
}
