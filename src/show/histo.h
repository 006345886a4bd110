/*
 * histo.h - a histogram of the kernel (tracefs/grammar/hist.h): as a table with bars, as a distribution where its last
 * key is a range of numbers, as stacks where a key is one; or as CSV and JSON rows, in which a range is two columns
 * (NAME, NAME_to) and a stack is one text with ';', innermost first.
 */
#ifndef SHOW_HISTO_H
#define SHOW_HISTO_H

#include "show/table.h"
#include "tracefs/grammar/hist.h"

enum histo_order { HISTO_LARGEST_FIRST, HISTO_SMALLEST_FIRST };
enum histo_bars { HISTO_ASCII, HISTO_BLOCKS };   /* BLOCKS: the far end shows UTF-8 */

struct histo_want {
	struct table_want table;
	const char *sort;          /* a column, as the kernel names it; NULL: the first value */
	enum histo_order order;
	enum histo_bars bars;
	uint64_t rows;             /* at most, 0: all; not for distributions */
	uint32_t is_signed;        /* bit: column whose numbers are signed, which the kernel's text does not tell */
};

/* -EINVAL: no column `sort`. -ENOMEM. A histogram without entries prints nothing but its totals. */
int histo_print(const struct thist *h, const struct histo_want *w, struct out *o, struct err *e);

#endif
