/* more.h - options of stat that are not in a board's sonde. */
#ifndef CMD_STAT_MORE_H
#define CMD_STAT_MORE_H

#include "base/opt.h"

struct stat_more_want {
	bool summary, csv_summary, metric_only, per_cluster, per_cache, core_threads;
	uint64_t cache_level;        /* 0: the last level */
	const char *control, *pre, *post;
};

/* For OPT_SUB. */
extern const struct opt stat_more_opts[];

extern const char stat_examples[];

/* -EINVAL: options that exclude each other. each_cpu: -A was given. */
int stat_more_check(const struct stat_more_want *w, bool each_cpu, struct err *e);

#endif
