/* list_more.c - a board's sonde lists what counters can count, of all PMUs. */
#include "machine/list_parts.h"

void list_metrics(struct lister *l UNUSED)
{
}

void list_tools(struct lister *l UNUSED)
{
}

bool list_kind_fits(const struct list_want *w, enum list_kind kind)
{
	return kind == LIST_CORE || !list_tables_only(w);
}

bool lister_wants_pmu(const struct lister *l UNUSED, const struct pmu *p UNUSED)
{
	return true;
}

bool list_more_kind(const char *word UNUSED, enum list_kind *kind UNUSED)
{
	return false;
}
