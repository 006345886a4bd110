/*
 * rtext.h - an event as `trace-cmd report` prints it (3.3: flags in every line; with RTEXT_LATENCY as 3.1, too):
 *
 *             sleep-223   [000] d.h..   161.306132: irq_handler_entry:    irq=18 name=virtio1
 *
 * The text behind the name is the event's print fmt (print.h), or that of trace-cmd's plugins: functions, graph,
 * stacks, sched, hrtimer, kmem, futex. kvm, mac80211, scsi and xen keep the kernel's text. Memory is allocated only
 * for an event type not seen before and for the name of a new thread.
 */
#ifndef TRACEFS_TEXT_RTEXT_H
#define TRACEFS_TEXT_RTEXT_H

#include "base/rex.h"
#include "tracefs/format/events.h"
#include "tracefs/ring/stream.h"

enum rtext_flag {
	RTEXT_LATENCY = 1,       /* -l: the short layout */
	RTEXT_NS = 2,            /* -t: times with nine digits */
	RTEXT_UNITS = 4,         /* times are plain numbers: raw, or of a clock without a unit */
	RTEXT_RAW = 8,           /* -R: fields, flags as a number */
	RTEXT_DIFF = 16,         /* --ts-diff: time since the previous line */
	RTEXT_DIFF_NS = 32,      /* the difference always in the clock's unit */
	RTEXT_NO_PLUGINS = 64,   /* -N */
	RTEXT_TAIL = 128,        /* fgraph:tailprint: name of the function at its return */
	RTEXT_DEPTH = 256,       /* fgraph:depth */
	RTEXT_PARENT = 512,      /* ftrace:parent: func <-- parent */
	RTEXT_NO_INDENT = 1024,  /* ftrace:indent=0 */
	RTEXT_OFFSET = 2048,     /* ftrace:offset: func+0x10 */
};

enum rtext_event_flag { RTEXT_EVENT_RAW = 1, RTEXT_EVENT_PLAIN = 2 };   /* -r: fields; -n: without plugin */

struct rtext;
struct rtext_rec;
struct rtext_plugin;

/* An event type that was seen. */
struct rtext_event {
	struct tevent *ev;
	const struct tprint *print;
	const struct rtext_plugin *plugin;   /* NULL: the print fmt is used */
	struct sv label;   /* " name:      " */
	unsigned flags;    /* enum rtext_event_flag */
	bool usual;        /* flags, preempt count and pid are at 2, 3, 4 in this byte order */
	bool levels;       /* it has depths to print behind the flags */
	bool asks_names;   /* its text may have names of functions */
};

/*
 * Letters of an event's common_flags and common_preempt_count: irqs off, resched, context, and the depths of
 * preempt_disable and migrate_disable.
 */
enum { RTEXT_FLAGS = 5 };
void rtext_flags(unsigned flags, unsigned preempt_count, char p[RTEXT_FLAGS]);

/* events and names must outlive it; names may be NULL. NULL: no memory. */
struct rtext *rtext_new(struct tevents *events, const struct tprint_names *names, unsigned flags);
void rtext_free(struct rtext *t);

/* Set a flag for the events whose name or system matches the expression. */
int rtext_mark(struct rtext *t, const struct rex *r, enum rtext_event_flag what);

/* The event type of a record, or NULL; it lives as long as t. */
const struct rtext_event *rtext_event(struct rtext *t, const struct tstream_rec *rec);

/*
 * May the following record be folded into this line ("func();")? Then rtext_is_leaf tells whether it is: the return of
 * the function whose call is the first record, with nothing in between. Events may be NULL.
 */
bool rtext_wants_next(const struct rtext *t, const struct rtext_event *x);
bool rtext_is_leaf(const struct rtext_event *x, const struct tstream_rec *rec, const struct rtext_event *next_x,
		   const struct tstream_rec *next);

/*
 * Print the line, without a line feed at its end, preceded by the count of lost events. leaf: the return that was
 * folded into it, or NULL. x NULL: an unknown event.
 */
struct rtext_leaf {
	const struct rtext_event *x;
	const struct tstream_rec *rec;
};
void rtext_line(struct rtext *t, const struct rtext_event *x, const struct tstream_rec *rec,
		const struct rtext_leaf *leaf, struct out *o);

/*
 * The return that is folded into the line of rec; it is taken out of the stream, and rec is copied to stay valid. NULL:
 * there is none.
 */
struct rtext_ahead {
	uint8_t copy[512];       /* the record of the call */
	struct tstream_rec next;
	struct rtext_leaf leaf;
};
const struct rtext_leaf *rtext_ahead(struct rtext *t, struct tstream *s, const struct rtext_event *x,
				     struct tstream_rec *rec, struct rtext_ahead *a);

/*
 * Printing in two steps. rtext_follow takes what a line needs from those before it, in their order; rtext_write may
 * then run in any thread, each with a pen of its own that starts zeroed. Threads call the callbacks of names
 * concurrently.
 */
struct rtext_past {
	const char *comm;        /* of the thread, if known; lives as long as the events */
	const char *before;      /* from the caller: lines before this one, behind the lost count; NULL: none */
	uint64_t since;          /* --ts-diff: time since the previous line, in the unit shown */
	bool first;              /* this is the first line */
	uint32_t level;          /* nesting of a function among its callers */
	struct sv func;          /* its name, if it was looked up; lives as long as the names' owner keeps it */
};

enum { RTEXT_CACHE = 4096, RTEXT_TASKS = 128 };

/* "comm-pid   [cpu]" as printed before. n: bytes of text, 0: free slot. */
struct rtext_task {
	const char *comm;
	uint32_t pid, cpu;
	uint8_t n;
	char text[39];
};

/* A cache of texts that were printed before. */
struct rtext_pen {
	uint64_t second;         /* of the previous line */
	uint8_t n_second;        /* bytes of its text, 0: none yet */
	char second_text[24];
	struct rtext_task tasks[RTEXT_TASKS];
	struct { uint64_t addr, offset; const char *name; uint32_t n; bool used; } cache[RTEXT_CACHE];
};

void rtext_follow(struct rtext *t, const struct rtext_event *x, const struct tstream_rec *rec,
		  struct rtext_past *past);
void rtext_write(const struct rtext *t, struct rtext_pen *pen, const struct rtext_event *x,
		 const struct tstream_rec *rec, const struct rtext_leaf *leaf, const struct rtext_past *past,
		 struct out *o);

/* "<idle>", "<...>" or the name of the thread. */
const char *rtext_comm(struct rtext *t, uint32_t pid);

/* Name of the function at an address; NULL: unknown. */
const char *rtext_symbol(struct rtext *t, uint64_t addr, uint64_t *offset);

/* "  161.306132" or a plain number, as in a line. */
void rtext_time(struct rtext *t, uint64_t ts, struct out *o);

#endif
