/*
 * hist.h - the kernel's text of histograms (events/SYSTEM/EVENT/hist) as tables: one row for each entry, a column for
 * each key, then for each value.
 *
 *   # event histogram                          once for each histogram of the event, one after the other
 *   # trigger info: hist:keys=K[.MODIFIER],..:vals=V,..:... [active]
 *   { K: VALUE, K: VALUE } hitcount: N  V: N    an entry; a stack is lines of its own
 *   	max: N  FIELD: VALUE ...                 what onmax() and save() keep for it: more columns
 *   Totals:  Hits, Entries, Dropped            dropped: hits without a place in the kernel's table
 *
 * Texts of Linux 4.19 to 6.12. Everything is borrowed from the text.
 */
#ifndef TRACEFS_GRAMMAR_HIST_H
#define TRACEFS_GRAMMAR_HIST_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum thist_kind {
	THIST_TEXT,
	THIST_NUMBER,
	THIST_FRACTION,  /* "12.34": percent */
	THIST_HEX,
	THIST_SYMBOL,    /* "[ffffffc008123456] name+0x10/0x20": v is the address */
	THIST_NAMED,     /* "name   [   12]": v is the number */
	THIST_LOG2,      /* v is N of "~ 2^N": above 2^(N-1), up to 2^N */
	THIST_RANGE,     /* from v to `to`, both included */
	THIST_STACK,     /* lines, innermost first */
	THIST_EMPTY,     /* the row has no value in this column */
};

struct thist_cell {
	struct sv text;      /* without white space around it; SYMBOL and NAMED: the name */
	uint64_t v, to;
	uint8_t kind;        /* enum thist_kind: the column's kind, or TEXT where the rows of the column differ */
};

enum { THIST_COLS = 16, THIST_NAME = 64 };

struct thist_col {
	char name[THIST_NAME];
	uint8_t kind;
};

struct thist {
	struct sv trigger;                   /* "hist:keys=... [active]" */
	struct thist_col cols[THIST_COLS];   /* keys first */
	unsigned n_keys, n_cols;
	VEC(struct thist_cell) cells;        /* row * n_cols + column */
	size_t n_rows;
	struct sv snapshot;                  /* "triggering value ..." of snapshot(), or empty */
	uint64_t hits, entries, dropped;
};

static inline const struct thist_cell *thist_at(const struct thist *h, size_t row, unsigned col)
{
	return &h->cells.v[row * h->n_cols + col];
}

/* Index of the column of that name; -1: none. */
int thist_col(const struct thist *h, const char *name);

/*
 * Take the next histogram off the front of *rest: 1, 0 at the end, -EBADMSG (with the entry that cannot be parsed),
 * -ENOMEM. Call thist_deinit after any result.
 */
int thist_next(struct thist *h, struct sv *rest, struct err *e);
void thist_deinit(struct thist *h);

#endif
