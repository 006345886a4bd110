/* text.h - the inside of a report as text, for its layouts: rows, levels, the browser. */
#ifndef CMD_REPORT_TEXT_H
#define CMD_REPORT_TEXT_H

#include "cmd/report/view.h"

struct report_layout {
	unsigned width[REPORT_COLS_MAX];
};

/* Is the column no key? */
static inline bool report_is_number(enum report_col c)
{
	return c <= COL_PERIOD;
}

/* Of a row of several events the first one that has it. */
static inline size_t report_has(const uint32_t *row)
{
	size_t has = 0;

	while (row[has] == HIST_NO_ROW)
		has++;
	return has;
}

/* As wide as perf has it, of the events' rows. */
struct report_layout report_layout_of(const struct report_view *v, const struct report_rows *rows);

/* Head of the column of this number. */
const char *report_head_of(const struct report_view *v, size_t col);

/* "# Samples: 1K of event 'cycles'" and what belongs to it. */
void report_count_line(const struct report_view *v, const struct report_rows *rows, struct out *o);

/* The columns' names, and a line below them. */
void report_column_heads(const struct report_view *v, const struct report_layout *l, struct out *o);

/* row: its number in each of the n events. The texts are those of the first one that has it. */
void report_put_row(const struct report_view *v, const uint32_t *row, size_t n, const struct report_layout *l,
		    struct out *o);

/* Is it heavy enough, and has it the name? */
bool report_row_shown(const struct report_view *v, const uint32_t *row);

/* The chains below a row, when it is heavy enough. 0 or -ENOMEM. */
int report_row_chains(const struct report_view *v, uint32_t row, struct out *o);

#endif
