/* list_parts.h - shared by the files of the listing. */
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
	const struct arch *arch;   /* of the machine, NULL: unknown */
	bool copied;               /* files of another machine: nothing can be opened */
	struct pmus pmus;
	int r;                     /* result that ended the listing */
};

/* Report an item if it matches; false: the listing has ended. */
bool lister_give(struct lister *l, const struct list_item *it);

/* Lower case: spellings of the kernel and of users are, the tables of arch/ are not. */
void lister_lower(char *to, size_t size, const char *from);

/* Does one of the core PMUs list an event of that number in sysfs? */
bool lister_has_raw(struct lister *l, uint16_t config);

void list_generic(struct lister *l);       /* hardware, software, cache */
void list_pmus(struct lister *l);
void list_cores(struct lister *l);
void list_traces(struct lister *l);
void list_tools(struct lister *l);
bool list_more_kind(const char *word, enum list_kind *kind);
void list_metrics(struct lister *l);

/* Only tables of cores, which may be absent, are wanted. */
static inline bool list_tables_only(const struct list_want *w)
{
	return w->core || w->all_cores;
}

/* If only a core or a PMU is wanted: does this kind belong to it? */
bool list_kind_fits(const struct list_want *w, enum list_kind kind);

/* Are this PMU's events wanted? */
bool lister_wants_pmu(const struct lister *l, const struct pmu *p);

#endif
