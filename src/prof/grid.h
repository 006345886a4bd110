/*
 * grid.h - counts of short periods, side by side: a row for each event, or for each event on each CPU (or thread), and
 * in it the periods of an interval.
 *
 *	[000] sched:sched_switch 114|113|110|110 | total 447
 */
#ifndef PROF_GRID_H
#define PROF_GRID_H

#include "prof/prof.h"

enum { GRID_PERIODS = 10000 };

struct grid_row {
	uint32_t tap;
	uint64_t place;
	VEC(uint64_t) periods;
	uint64_t in_last;                /* of those that are joined */
};

/* What hrcount and stat take beside what all take. */
struct grid_want {
	const char *period;
	bool per_instance;
};

extern const struct opt grid_opts[];

struct grid {
	const char *unit;                /* of places in JSON: "cpu", "tid" */
	bool per_place;
	uint64_t period_ns, interval_ns, per_interval;
	uint64_t joined;                 /* so many of those that are added are one; not 0 */
	unsigned name_width, place_width, width;   /* columns; they do not shrink */
	struct map of;                   /* tap and place -> index of its row + 1 */
	VEC(struct grid_row) rows;
};

/* After the options were read: how long a period is, and how many an interval has. -EINVAL. */
int grid_open(struct grid *g, const struct prof *p, const struct grid_want *w, struct err *e);
void grid_close(struct grid *g);

/* Of a recording the shortest period is that with which it was made; the first event is its timer. */
void grid_recorded(struct grid *g, const struct prof *p);

/*
 * The next periods of a place, of which the last has the count of all; more than an interval has are as many. 0 or
 * -ENOMEM.
 */
int grid_add(struct grid *g, uint32_t tap, uint64_t place, uint64_t count, uint64_t periods);

/* Has one of its rows more than an interval's periods? */
bool grid_is_full(const struct grid *g);

/* Print an interval's periods and forget them; all that is left, if `last`. name: of a tap. 0 or -ENOMEM. */
int grid_show(struct grid *g, const struct prof *p, const char *(*name)(const struct prof *p, uint32_t tap), bool last,
	      struct out *o);

#endif
