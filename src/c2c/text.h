/* text.h - the lines and rows of c2c/lines.h as perf's text, as CSV and as JSON. */
#ifndef C2C_TEXT_H
#define C2C_TEXT_H

#include "c2c/lines.h"

struct c2c_view {
	unsigned node_info;      /* of a row: 0 its nodes, 1 with each node's shares, 2 with each node's CPUs */
	bool full_symbols, no_source;
	bool totals_only;
};

/* After c2c_lines_sort. 0 or -ENOMEM. */
int c2c_text(struct c2c_lines *c, const struct c2c_view *w, struct out *o);

/* Two tables with headings: cache lines, and after an empty line their rows. */
int c2c_csv(struct c2c_lines *c, const struct c2c_view *w, const char *sep, struct out *o);

/* {"totals": {...}, "shared": {...}, "lines": [{..., "rows": [{...}]}]} */
int c2c_json(struct c2c_lines *c, const struct c2c_view *w, struct out *o);

#endif
