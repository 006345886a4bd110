/* types.h - data types with the samples that access them, in the layout of `perf annotate --data-type`. */
#ifndef CMD_ANNOTATE_TYPES_H
#define CMD_ANNOTATE_TYPES_H

#include "cmd/annotate/text.h"
#include "report/touched.h"

struct annotate_types_want {
	const char *name;        /* show this type only; NULL: all */
	bool on, stat, ignored;
};

extern const struct opt annotate_types_opts[];

/* Samples by enum touched_why: those whose data type is known, and the reasons why that of the others is not. */
struct annotate_types_stat {
	uint64_t samples[TOUCHED_WHYS], followed;
};

struct annotate_types {
	const struct annotate_types_want *want;
	struct touched *touched;
	double least;            /* types with less percent of all samples are left out */
	struct annotate_types_stat stat;
	size_t shown;
};

/* Print the types of the view's events; v->func is ignored. o NULL: only count for the statistics. 0 or -ENOMEM. */
int annotate_types(struct annotate_types *t, const struct annotate_view *v, struct out *o);

/* Print the statistics of t->stat. */
void annotate_types_stat(const struct annotate_types *t, struct out *o);

#endif
