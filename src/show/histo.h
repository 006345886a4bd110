/*
 * histo.h - prints a histogram of the kernel (tracefs/grammar/hist.h): as a table with bars, as a distribution if its
 * last key is a range of numbers, as stacks if a key is one; or as CSV and JSON rows, in which a range is two columns
 * (NAME, NAME_to) and a stack is one text with ';', innermost first.
 */
#ifndef SHOW_HISTO_H
#define SHOW_HISTO_H

#include "show/table.h"
#include "tracefs/grammar/hist.h"

enum histo_order { HISTO_LARGEST_FIRST, HISTO_SMALLEST_FIRST };
enum histo_bars { HISTO_ASCII, HISTO_BLOCKS };   /* BLOCKS: the terminal shows UTF-8 */

struct histo_want {
	struct table_want table;
	const char *sort;          /* a column, by the kernel's name; NULL: the first value */
	enum histo_order order;
	enum histo_bars bars;
	uint64_t rows;             /* limit, 0: all; not for distributions */
	uint32_t is_signed;        /* bit set of signed columns, which the kernel's text does not mark */
};

/* -EINVAL: no column `sort`. -ENOMEM. A histogram without entries prints only its totals. */
int histo_print(const struct thist *h, const struct histo_want *w, struct out *o, struct err *e);

#endif
