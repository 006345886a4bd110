/* types.h - types of data with the samples that touch them, in the layout of `perf annotate --data-type`. */
#ifndef CMD_ANNOTATE_TYPES_H
#define CMD_ANNOTATE_TYPES_H

#include "cmd/annotate/text.h"
#include "report/touched.h"

struct annotate_types_want {
	const char *name;        /* of the only type that is wanted; NULL: all */
	bool on, stat, ignored;
};

extern const struct opt annotate_types_opts[];

/* How many samples touch what, and why of the others nothing is known: by enum touched_why. */
struct annotate_types_stat {
	uint64_t samples[TOUCHED_WHYS], followed;
};

struct annotate_types {
	const struct annotate_types_want *want;
	struct touched *touched;
	double least;            /* percent of all: lighter types are left out */
	struct annotate_types_stat stat;
	size_t shown;
};

/* Of the view's events; its function is not looked at. o NULL: they are only counted. 0 or -ENOMEM. */
int annotate_types(struct annotate_types *t, const struct annotate_view *v, struct out *o);

/* What the samples that were counted came to. */
void annotate_types_stat(const struct annotate_types *t, struct out *o);

#endif
