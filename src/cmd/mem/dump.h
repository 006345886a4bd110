/* dump.h - mem report -D: each access of a recording, a line for one, as perf writes it. */
#ifndef CMD_MEM_DUMP_H
#define CMD_MEM_DUMP_H

#include "cmd/report/want.h"

struct mem_dump_want {
	const char *sep;             /* NULL: a blank */
	bool on, physical, page_size;
};

/* r is report's own want, of which session and hide_unresolved count here. The exit code. */
int mem_dump(struct ctx *c, const struct mem_dump_want *w, const struct report_want *r);

#endif
