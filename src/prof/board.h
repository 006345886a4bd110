/*
 * board.h - a table each interval, a row for each CPU or thread and one for all, of counters that are read then: what
 * percpu-stat, hwstat, llcstat and tlbstat print.
 */
#ifndef PROF_BOARD_H
#define PROF_BOARD_H

#include "prof/counted.h"

enum { BOARD_COLS = 24, BOARD_OWN = 4 * sizeof(void *) };

/* Two events of which the second is a part of the first; of several pairs each CPU shows the first that it counts. */
struct board_pair {
	const char *level, *all, *some;
};

struct board {
	const struct table_col *cols;    /* behind the places */
	size_t n_cols;
	/* Cells of one row: values of its specs. `sum`: the row of all. */
	void (*put)(const struct prof *p, const struct counted *c, size_t place, bool sum, struct table *t);
};

/* Look each -i (a second without), print rows. */
int board_run(struct prof *p, const struct board *b, struct err *e);

/* Value of a spec at a place, or of all. False: not counted. */
bool board_value(const struct counted *c, size_t spec, size_t place, bool sum, struct counter_value *v);

/* Specs of pairs; and a profiler that shows them: its `own` are BOARD_OWN bytes. */
int board_pairs_add(struct prof *p, const struct board_pair *v, size_t n, struct err *e);
int board_pairs_run(struct prof *p, const struct board_pair *v, size_t n, struct err *e);

#endif
