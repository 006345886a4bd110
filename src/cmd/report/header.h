/* header.h - the recording's own description as comment lines, in the layout of `perf report --header`. */
#ifndef CMD_REPORT_HEADER_H
#define CMD_REPORT_HEADER_H

#include "source/session.h"

/* Lines "# key : value" between two rules. full: print long parts, too; else a line says that they exist. */
void report_header(const struct session *s, bool full, struct out *o);

/* "type = 1, size = 128, ...": the fields of an attribute that are not zero, with `between` between name and value. */
void report_attr(const struct perf_attr *attr, const char *between, struct out *o);

#endif
