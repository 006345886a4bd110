/*
 * markers.h - what programs write to trace_marker, and the kernel by trace_printk, while a buffer of our own is
 * recorded: it comes into the top buffer.
 *
 * Kernels since 6.16 copy markers into an instance that asks for it (options/copy_trace_marker). All the rest is looked
 * for in the top buffer's text, "trace", which takes nothing out and stops nothing, and put between the events of our
 * rings when these are complete. Its times are whole microseconds. A top buffer that was never used holds only some
 * hundred markers, so it is looked at again and again while some are written. It is not made larger: a write to
 * trace_marker meanwhile is an error to the program (EBADF), and made small again it stays so for its next user.
 * Nothing tells that the kernel prints; where it has trace_printk, which makes the top buffer large, what was written
 * is counted from time to time.
 */
#ifndef TRACING_MARKERS_H
#define TRACING_MARKERS_H

#include "base/arena.h"
#include "base/vec.h"
#include "tracefs/format/events.h"
#include "tracing/printers.h"
#include "tracing/tfs.h"
#include "tracing/transport/ringfile.h"

struct marker {
	uint64_t ts;           /* ns */
	uint32_t cpu;
	int pid;
	struct sv from, text;  /* the function that wrote it; with its last newline */
};

struct marker_origin {
	struct sv name;
	uint64_t ip;
};

struct marker_cpu {
	uint64_t ts;           /* of the newest line that was seen */
	size_t n;              /* lines of that time */
	size_t again;          /* of those, met in this look */
};

struct markers {
	const struct tfs *top;           /* borrowed; NULL: nothing is to be done */
	struct printers printers;
	int fd;                          /* readable when somebody has written to trace_marker; or -1 */
	bool copied;                     /* those are in our buffer */
	bool marked;                     /* there were such */
	bool prints;                     /* the kernel has trace_printk */
	enum printers_among among;       /* until now */
	uint64_t from, until;            /* ns: only those between count */
	VEC(struct marker) found;        /* in order of time */
	VEC(struct marker_cpu) cpus;
	VEC(uint64_t) before, lines;     /* hashes of the lines of the look before, sorted, and of this one */
	struct arena texts;
	uint64_t written, seen;          /* events of the top buffer: before, and since */
	uint64_t counted;                /* events of the top buffer when these were counted */
	uint64_t count_at;               /* CLOCK_MONOTONIC ns: not counted before */
	uint64_t next;                   /* CLOCK_MONOTONIC ns: not looked at before */
	size_t length;                   /* of the text at the newest look */
	bool pending;                    /* something was written since it was looked at */
	uint64_t lost;                   /* after markers_end: of top's events so many went before they were seen */
	char why[160];                   /* why there can be none of them; "" */
};

/* For a recording of the buffer `ours`. Markers from now on count. */
void markers_begin(struct markers *m, const struct tfs *top, const struct tfs *ours);
void markers_deinit(struct markers *m);

/* markers_fd is readable, or the time that markers_wait told is over: look, unless it was done just now. */
void markers_look(struct markers *m);

/* ms until markers_look is due, unless markers_fd is readable before; -1: not before. */
int markers_wait(const struct markers *m);

/* To be polled for input. What is due at a time is not to be told again and again before: then -1. */
int markers_fd(const struct markers *m);

/* Tracing is off: the rest. */
void markers_end(struct markers *m);

/* How they look in a ring. */
struct markers_form {
	struct tpage_layout layout;
	struct tevents events;           /* only: */
	const struct tevent *print;      /* ftrace:print */
	VEC(struct marker_origin) origins;
};
int markers_form_init(struct markers_form *f, const struct markers *m, const struct tpage_layout *l, struct err *e);
void markers_form_deinit(struct markers_form *f);

/* Put those of its CPU into a ring's file, which is made anew where there are some. Failed: it is as it was. */
int markers_merge(const struct markers *m, const struct markers_form *f, struct ringfile *ring, struct err *e);

#endif
