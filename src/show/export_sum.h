/* export_sum.h - samples summed up by lane and chain: memory grows with distinct pairs. */
#ifndef SHOW_EXPORT_SUM_H
#define SHOW_EXPORT_SUM_H

#include "base/map.h"
#include "show/export.h"

struct export_total {
	uint32_t lane, stack;
	uint64_t samples, weight;
};

/* Zeroed it is empty. */
struct export_sums {
	VEC(struct export_total) v;    /* in order of first occurrence */
	struct map of;                 /* (lane, stack) -> index */
};

int export_sums_add(struct export_sums *s, const struct export_sample *x);   /* 0 or -ENOMEM */
void export_sums_deinit(struct export_sums *s);

#endif
