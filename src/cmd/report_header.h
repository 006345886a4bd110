/* report_header.h - the recording's own description as comment lines, in the layout of `perf report --header`. */
#ifndef CMD_REPORT_HEADER_H
#define CMD_REPORT_HEADER_H

#include "source/session.h"

/* Lines "# key : value" between two rules. */
void report_header(const struct session *s, struct out *o);

#endif
