/*
 * grid.h - event counts of short periods, side by side: a row for each event, or for each event on each CPU (or
 * thread), with the periods of an interval.
 *
 *  [000] sched:sched_switch 114|113|110|110 | total 447
 */
#ifndef PROF_GRID_H
#define PROF_GRID_H

#include "prof/prof.h"

enum { GRID_PERIODS = 10000 };

struct grid_row {
	uint32_t tap;
	uint64_t place;
	VEC(uint64_t) periods;
	uint64_t in_last;                /* number of recorded periods joined in the last one */
};

/* Options of hrcount and stat. */
struct grid_want {
	const char *period;
	bool per_instance;
};

extern const struct opt grid_opts[];

struct grid {
	const char *unit;                /* name of places in JSON: "cpu", "tid" */
	bool per_place;
	uint64_t period_ns, interval_ns, per_interval;
	uint64_t joined;                 /* recorded periods joined into one; not 0 */
	unsigned name_width, place_width, width;   /* widths of columns; they never shrink */
	struct map of;                   /* (tap, place) -> index of its row + 1 */
	VEC(struct grid_row) rows;
};

/* Call after the options were read: sets the period, and the periods of an interval. -EINVAL. */
int grid_open(struct grid *g, const struct prof *p, const struct grid_want *w, struct err *e);
void grid_close(struct grid *g);

/* For a recording: its timer limits the shortest period; the first event is that timer. */
void grid_recorded(struct grid *g, const struct prof *p);

/* Add periods of a place, the count to the last of them; at most as many as an interval has. 0 or -ENOMEM. */
int grid_add(struct grid *g, uint32_t tap, uint64_t place, uint64_t count, uint64_t periods);

/* Has a row more periods than an interval? */
bool grid_is_full(const struct grid *g);

/* Print an interval's periods and drop them; if `last`, all that are left. name: of a tap. 0 or -ENOMEM. */
int grid_show(struct grid *g, const struct prof *p, const char *(*name)(const struct prof *p, uint32_t tap), bool last,
	      struct out *o);

#endif
