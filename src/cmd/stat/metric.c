/* metric.c - all metrics and their groups. */
#include "cmd/stat/metric.h"

#include <strings.h>

const char stat_metric_others[] = "; all metrics and groups: sonde list metric metricgroup";

const struct arm_metric *stat_metric_at(size_t i)
{
	return arm_metric_any(i);
}

bool stat_metric_in_group(size_t i, struct sv group)
{
	const struct arm_metric_about *about = arm_metric_about(i);
	struct sv rest = sv_from(about ? about->groups : ""), name;

	while (sv_cut(&rest, ';', &name))
		if (name.n == group.n && !strncasecmp(name.s, group.s, name.n))
			return true;
	return false;
}

size_t stat_metric_events(const struct arm_metric *m, uint16_t raw[METRIC_EVENTS_MAX])
{
	return arm_metric_events(m, raw);
}

int stat_metric_compute(const struct arm_metric *m, const uint64_t *count, unsigned slots, double *value)
{
	return arm_metric_compute(m, count, slots, value);
}

const char *stat_metric_label(const struct arm_metric *m, char *buf, size_t size)
{
	const char *unit;
	size_t i = 0;

	while (arm_metric_any(i) != m)
		i++;
	unit = arm_metric_about(i)->unit;
	if (!unit)
		return m->name;
	snprintf(buf, size, "%s  %s", unit, m->name);
	return buf;
}
