/* stat_metric.c - a board has those that always were there, each by its name. */
#include "cmd/stat_metric.h"

const char stat_metric_others[] = "";

const struct arm_metric *stat_metric_at(size_t i)
{
	return arm_metric_at(i);
}

bool stat_metric_in_group(size_t i UNUSED, struct sv group UNUSED)
{
	return false;
}
