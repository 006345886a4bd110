/* dump.h - mem report -D: a line for each access of a recording, as perf writes it. */
#ifndef CMD_MEM_DUMP_H
#define CMD_MEM_DUMP_H

#include "cmd/report/want.h"

struct mem_dump_want {
	const char *sep;             /* separator; NULL: a blank */
	bool on, physical, page_size;
};

/* r: report's options, of which session and hide_unresolved have an effect. Returns the exit code. */
int mem_dump(struct ctx *c, const struct mem_dump_want *w, const struct report_want *r);

#endif
