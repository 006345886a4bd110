/* traceline.h - one line of the text "trace", as the kernel shows an event of a buffer without a tracer. */
#ifndef TRACING_TRACELINE_H
#define TRACING_TRACELINE_H

#include "base/str.h"

/* Texts are borrowed from the line. */
struct traceline {
	uint64_t ts;           /* ns, of whole microseconds */
	uint32_t cpu;
	int pid;
	struct sv name, text;  /* an event's name, or the function's that printed the text; "": it is neither */
};

/* Not one, but the rest of a text of several lines, a comment, or a remark: false. */
bool traceline_parse(struct sv line, struct traceline *l);

/* "CPU:1 [LOST 5 EVENTS]", "##### CPU 1 buffer started ####": not of an event's text. */
bool traceline_is_remark(struct sv line);

#endif
