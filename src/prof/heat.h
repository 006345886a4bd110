/*
 * heat.h - --heatmap FILE: distribution of a profiler's measurements over time, a picture FILE-NAME.svg for each kind.
 */
#ifndef PROF_HEAT_H
#define PROF_HEAT_H

#include "prof/prof.h"
#include "show/heatmap.h"

enum { HEAT_MAPS = 16 };

struct heat {
	const char *file;                /* NULL: not wanted */
	bool is_ns;
	struct heat_map {
		char name[100];          /* "sched_wakeup-sched_switch" */
		struct heatmap *map;
	} of[HEAT_MAPS];
	size_t n;
	uint64_t left_out;               /* values dropped because there are no more maps */
};

/* Add a value. 0 or -ENOMEM; does nothing if no heat map is wanted. */
int heat_add(struct heat *h, const char *first, const char *second, uint64_t time, uint64_t value);

/* Write the files at the end. */
int heat_write(const struct heat *h, struct prof *p, struct err *e);
void heat_close(struct heat *h);

#endif
