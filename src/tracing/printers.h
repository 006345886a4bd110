/*
 * printers.h - who writes text into the top buffer: programs, by trace_marker, and the kernel, by trace_printk. In
 * "trace" such a text has the name of the function that wrote it where an event has its own name.
 *
 * What BPF programs print is an event since Linux 5.9 (bpf_trace:bpf_trace_printk), and no such text.
 */
#ifndef TRACING_PRINTERS_H
#define TRACING_PRINTERS_H

#include "base/map.h"
#include "tracing/tfs.h"

struct printers {
	const struct tfs *top;     /* borrowed */
	struct names met;          /* names of lines */
	VEC(bool) prints;          /* of each that was met: a function's? */
	struct names events;
	bool fresh;                /* events were read since printers_look */
};

void printers_init(struct printers *p, const struct tfs *top);
void printers_deinit(struct printers *p);

/* Names of another text of "trace" follow: events may have come. */
void printers_look(struct printers *p);

/* Is a line of that name such a text? The events that there are, are read when a name is new, once for each text. */
bool printers_has(struct printers *p, struct sv name);

bool printers_is_marker(struct sv name);

/* Does this kernel, or a module, print anything by trace_printk? Read anew: modules come and go. */
bool printers_in_kernel(const struct tfs *top);

/* What the top buffer records beside that. In order: the later hides more. */
enum printers_among { AMONG_NOTHING, AMONG_BPF, AMONG_EVENTS };
enum printers_among printers_among(const struct tfs *top);

#endif
