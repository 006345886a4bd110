/* list_parts.h - between the files of the listing. */
#ifndef MACHINE_LIST_PARTS_H
#define MACHINE_LIST_PARTS_H

#include "machine/list.h"
#include "perf/pmu.h"

struct lister {
	const struct sys *sys;
	const struct list_want *want;
	int (*each)(void *to, const struct list_item *it);
	void *to;
	struct err *tracefs;
	const struct arch *arch;   /* of the machine, NULL unknown */
	bool copied;               /* another machine's files: nothing can be opened */
	struct pmus pmus;
	int r;                     /* what ended the listing */
};

/* Hand over an item if it matches; false: the listing has ended. */
bool lister_give(struct lister *l, const struct list_item *it);

/* Kernel's and users' spellings are lower case, the tables of arch/ are not. */
void lister_lower(char *to, size_t size, const char *from);

/* Whether one of the core PMUs shows an event of that number in sysfs. */
bool lister_has_raw(struct lister *l, uint16_t config);

void list_generic(struct lister *l);       /* hardware, software, cache */
void list_pmus(struct lister *l);
void list_cores(struct lister *l);
void list_traces(struct lister *l);
void list_tools(struct lister *l);
bool list_more_kind(const char *word, enum list_kind *kind);
void list_metrics(struct lister *l);

/* Only the tables of cores, which need not be here. */
static inline bool list_tables_only(const struct list_want *w)
{
	return w->core || w->all_cores;
}

/* What is about a core, or a PMU, when only that is wanted. */
bool list_kind_fits(const struct list_want *w, enum list_kind kind);

/* Whether this PMU's events are wanted. */
bool lister_wants_pmu(const struct lister *l, const struct pmu *p);

#endif
