/* funcstat.h - sums of the durations of calls: a row for each function, or for each function of each thread. */
#ifndef ANALYSE_FUNCSTAT_H
#define ANALYSE_FUNCSTAT_H

#include "analyse/funcgraph.h"
#include "analyse/loghist.h"

enum funcstat_by { FUNCSTAT_BY_FUNC, FUNCSTAT_BY_TASK };

enum funcstat_key {
	FUNCSTAT_TOTAL, FUNCSTAT_AVG, FUNCSTAT_MAX, FUNCSTAT_COUNT, FUNCSTAT_SELF,   /* largest first */
	FUNCSTAT_NAME,
};

/* ns. */
struct funcstat_row {
	uint64_t func;
	uint32_t pid;            /* 0 unless by task */
	uint64_t count, total, self, min, max;
	struct loghist times;
	const char *name;        /* set by the caller; sort key of FUNCSTAT_NAME and of rows that are equal otherwise */
};

struct funcstat {
	enum funcstat_by by;
	VEC(struct funcstat_row) rows;
	struct map funcs;        /* address -> id, + 1 */
	struct map index;        /* id << 32 | pid -> row, + 1; only by task */
};

/* A zeroed one is empty. 0 or -ENOMEM. */
int funcstat_add(struct funcstat *s, const struct funcgraph_call *c);
void funcstat_deinit(struct funcstat *s);

/* Row numbers sorted by the key; names must be set. Malloc'ed; NULL: no memory. */
uint32_t *funcstat_order(const struct funcstat *s, enum funcstat_key key);

#endif
