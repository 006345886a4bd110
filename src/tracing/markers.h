/*
 * markers.h - markers: what programs write to trace_marker, and the kernel by trace_printk, while another buffer than
 * the top one is recorded. Markers go to the top buffer.
 *
 * Kernels since 6.16 copy trace_marker into an instance that asks for it (options/copy_trace_marker). All else is read
 * from the top buffer's "trace", which consumes nothing and stops nothing, and merged into our rings when these are
 * complete. Its times are whole microseconds. A top buffer that was never used holds only some hundred markers, so it
 * is read repeatedly while markers are written. It is not enlarged: a write to trace_marker meanwhile fails (EBADF),
 * and after shrinking it stays small for its next user. There is no notification for trace_printk; where the kernel
 * uses it, which makes the top buffer large, the written events are counted from time to time.
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
	struct sv from, text;  /* name of the function that wrote it; text with its last newline */
};

struct marker_origin {
	struct sv name;
	uint64_t ip;
};

struct marker_cpu {
	uint64_t ts;           /* of the newest line seen */
	size_t n;              /* number of lines of that time */
	size_t again;          /* how many of them this look has met again */
};

struct markers {
	const struct tfs *top;           /* borrowed; NULL: nothing to do */
	struct printers printers;
	int fd;                          /* inotify on trace_marker, readable when it was written; or -1 */
	bool copied;                     /* the kernel copies trace_marker into our buffer */
	bool marked;                     /* trace_marker was written */
	bool prints;                     /* the kernel uses trace_printk */
	enum printers_among among;       /* the most seen so far */
	uint64_t from, until;            /* ns: only markers between these count */
	VEC(struct marker) found;        /* in order of time */
	VEC(struct marker_cpu) cpus;
	VEC(uint64_t) before, lines;     /* sorted hashes of the lines of the previous look, and of this one */
	struct arena texts;
	uint64_t written, seen;          /* events of the top buffer: before, and seen since */
	uint64_t counted;                /* events of the top buffer at the latest count */
	uint64_t count_at;               /* CLOCK_MONOTONIC ns: no count earlier */
	uint64_t next;                   /* CLOCK_MONOTONIC ns: no look earlier */
	size_t length;                   /* of the text at the latest look */
	bool pending;                    /* something was written since the latest look */
	uint64_t lost;                   /* after markers_end: events of the top buffer that were overwritten unseen */
	char why[160];                   /* why markers cannot be read; "": they can */
};

/* Start for a recording of the buffer `ours`: markers count from now on. */
void markers_begin(struct markers *m, const struct tfs *top, const struct tfs *ours);
void markers_deinit(struct markers *m);

/* Look for markers, unless that was just done; call it when markers_fd is readable or markers_wait has expired. */
void markers_look(struct markers *m);

/* ms until markers_look is due, even if markers_fd stays silent; -1: never. */
int markers_wait(const struct markers *m);

/* To be polled for input; -1 while a look is pending anyway, so that poll does not return at once. */
int markers_fd(const struct markers *m);

/* Call when tracing is off: takes the remaining markers. */
void markers_end(struct markers *m);

/* The form of markers in a ring. */
struct markers_form {
	struct tpage_layout layout;
	struct tevents events;           /* has only: */
	const struct tevent *print;      /* ftrace:print */
	VEC(struct marker_origin) origins;
};
int markers_form_init(struct markers_form *f, const struct markers *m, const struct tpage_layout *l, struct err *e);
void markers_form_deinit(struct markers_form *f);

/* Merge the markers of its CPU into a ring's file, which is rewritten if there are any. On failure it is unchanged. */
int markers_merge(const struct markers *m, const struct markers_form *f, struct ringfile *ring, struct err *e);

#endif
