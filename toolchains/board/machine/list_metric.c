/* list_metric.c - a board's sonde lists what can be counted. */
#include "machine/list_parts.h"

void list_metrics(struct lister *l UNUSED)
{
}
