/*
 * printers.h - who writes text into the top buffer: programs, by trace_marker, and the kernel, by trace_printk. In
 * "trace" such a line shows the name of the writing function where other lines show an event's name.
 *
 * Output of BPF programs is an event since Linux 5.9 (bpf_trace:bpf_trace_printk), not such a text.
 */
#ifndef TRACING_PRINTERS_H
#define TRACING_PRINTERS_H

#include "base/map.h"
#include "tracing/tfs.h"

struct printers {
	const struct tfs *top;     /* borrowed */
	struct names met;          /* names of lines that were seen */
	VEC(bool) prints;          /* for each of them: is it a function's name? */
	struct names events;
	bool fresh;                /* events were read since the last printers_look */
};

void printers_init(struct printers *p, const struct tfs *top);
void printers_deinit(struct printers *p);

/* Call before a new text of "trace" is parsed: there may be new events. */
void printers_look(struct printers *p);

/* Is a line of that name such a text? Events are re-read for an unknown name, at most once per text. */
bool printers_has(struct printers *p, struct sv name);

bool printers_is_marker(struct sv name);

/* Does this kernel or one of its modules use trace_printk? Always read anew: modules come and go. */
bool printers_in_kernel(const struct tfs *top);

/* What else the top buffer records. In order: a later value makes lost texts harder to tell. */
enum printers_among { AMONG_NOTHING, AMONG_BPF, AMONG_EVENTS };
enum printers_among printers_among(const struct tfs *top);

#endif
