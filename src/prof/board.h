/*
 * board.h - a table per interval of counters, with a row for each CPU or thread and one for the sum: for percpu-stat,
 * hwstat, llcstat and tlbstat.
 */
#ifndef PROF_BOARD_H
#define PROF_BOARD_H

#include "prof/counted.h"

enum { BOARD_COLS = 24, BOARD_OWN = 4 * sizeof(void *) };

/*
 * Two events, of which the second counts a part of the first; of several pairs each CPU shows the first that it
 * supports.
 */
struct board_pair {
	const char *level, *all, *some;
};

struct board {
	const struct table_col *cols;    /* behind the columns of places */
	size_t n_cols;
	/* Put the cells of one row: values of its specs. `sum`: the row of the sum. */
	void (*put)(const struct prof *p, const struct counted *c, size_t place, bool sum, struct table *t);
};

/* Read every -i (default: a second), and print the rows. */
int board_run(struct prof *p, const struct board *b, struct err *e);

/* Value of a spec at a place, or the sum. False: not counted. */
bool board_value(const struct counted *c, size_t spec, size_t place, bool sum, struct counter_value *v);

/* Add the specs of pairs; and run a profiler that shows them, whose `own` has BOARD_OWN bytes. */
int board_pairs_add(struct prof *p, const struct board_pair *v, size_t n, struct err *e);
int board_pairs_run(struct prof *p, const struct board_pair *v, size_t n, struct err *e);

#endif
