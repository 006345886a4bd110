/* text.h - parts of the text report, shared by its layouts: rows, hierarchy, the browser. */
#ifndef CMD_REPORT_TEXT_H
#define CMD_REPORT_TEXT_H

#include "cmd/report/view.h"

struct report_layout {
	unsigned width[REPORT_COLS_MAX];
};

/* Is the column a number and not a sort key? */
static inline bool report_is_number(enum report_col c)
{
	return c <= COL_PERIOD;
}

/* The first event that has the row; row: its index in each event's histogram. */
static inline size_t report_has(const uint32_t *row)
{
	size_t has = 0;

	while (row[has] == HIST_NO_ROW)
		has++;
	return has;
}

/* The column widths for these rows, computed as perf does. */
struct report_layout report_layout_of(const struct report_view *v, const struct report_rows *rows);

/* The head of a column; col is its index. */
const char *report_head_of(const struct report_view *v, size_t col);

/* Print "# Samples: 1K of event 'cycles'" and the event count. */
void report_count_line(const struct report_view *v, const struct report_rows *rows, struct out *o);

/* Print the columns' heads and the line of dots below them. */
void report_column_heads(const struct report_view *v, const struct report_layout *l, struct out *o);

/* Print a row; row: its index in each of the n events. Keys are taken from the first event that has the row. */
void report_put_row(const struct report_view *v, const uint32_t *row, size_t n, const struct report_layout *l,
		    struct out *o);

/* Is the row shown? The percent limit applies to the first event, v->part to the first event that has the row. */
bool report_row_shown(const struct report_view *v, const uint32_t *row);

/* Print the call chains below a row, if the row is heavy enough. 0 or -ENOMEM. */
int report_row_chains(const struct report_view *v, uint32_t row, struct out *o);

#endif
