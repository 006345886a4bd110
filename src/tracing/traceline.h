/* traceline.h - one line of the text "trace", as the kernel prints an event of a buffer without a tracer. */
#ifndef TRACING_TRACELINE_H
#define TRACING_TRACELINE_H

#include "base/str.h"

/* Texts are borrowed from the line. */
struct traceline {
	uint64_t ts;           /* ns, of whole microseconds */
	uint32_t cpu;
	int pid;
	struct sv name, text;  /* name of an event, or of the function that printed the text; "": neither */
};

/* False: not an event, but a comment, a remark, or a further line of a text of several lines. */
bool traceline_parse(struct sv line, struct traceline *l);

/* "CPU:1 [LOST 5 EVENTS]", "##### CPU 1 buffer started ####": a remark, not a part of an event's text? */
bool traceline_is_remark(struct sv line);

#endif
