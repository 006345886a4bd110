/* text.h - the lines and rows of c2c/lines.h as perf's text, as CSV, as JSON. */
#ifndef C2C_TEXT_H
#define C2C_TEXT_H

#include "c2c/lines.h"

struct c2c_view {
	unsigned node_info;      /* 0: the nodes, 1: the share of each node in a row, 2: the CPUs */
	bool full_symbols, no_source;
	bool totals_only;
};

/* After c2c_lines_sort. 0 or -ENOMEM. */
int c2c_text(struct c2c_lines *c, const struct c2c_view *w, struct out *o);

/* The lines, then an empty line, then their rows, each part with column names. */
int c2c_csv(struct c2c_lines *c, const struct c2c_view *w, const char *sep, struct out *o);

/* {"totals": {...}, "shared": {...}, "lines": [{..., "rows": [{...}]}]} */
int c2c_json(struct c2c_lines *c, const struct c2c_view *w, struct out *o);

#endif
