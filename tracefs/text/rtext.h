/*
 * rtext.h - an event as `trace-cmd report` prints it (3.3: flags in every line; with RTEXT_LATENCY as 3.1, too):
 *
 *             sleep-223   [000] d.h..   161.306132: irq_handler_entry:    irq=18 name=virtio1
 *
 * The text behind the name is the event's print fmt (print.h), or what trace-cmd's plugins make of it: functions,
 * graph, stacks, sched, hrtimer, kmem, futex. kvm, mac80211, scsi and xen keep the kernel's text. Nothing is allocated
 * for an event, but for one of a kind not seen before and for the name of a new thread.
 */
#ifndef TRACEFS_TEXT_RTEXT_H
#define TRACEFS_TEXT_RTEXT_H

#include "base/rex.h"
#include "tracefs/format/events.h"
#include "tracefs/ring/stream.h"

enum rtext_flag {
	RTEXT_LATENCY = 1,       /* -l: the short layout */
	RTEXT_NS = 2,            /* -t: times with nine digits */
	RTEXT_UNITS = 4,         /* times are numbers: raw, or of a clock without seconds */
	RTEXT_RAW = 8,           /* -R: fields, flags as a number */
	RTEXT_DIFF = 16,         /* --ts-diff: time since the line before */
	RTEXT_DIFF_NS = 32,      /* that one always in the clock's unit */
	RTEXT_NO_PLUGINS = 64,   /* -N */
	RTEXT_TAIL = 128,        /* fgraph:tailprint: name of the function at its end */
	RTEXT_DEPTH = 256,       /* fgraph:depth */
	RTEXT_PARENT = 512,      /* ftrace:parent: func <-- parent */
	RTEXT_NO_INDENT = 1024,  /* ftrace:indent=0 */
	RTEXT_OFFSET = 2048,     /* ftrace:offset: func+0x10 */
};

enum rtext_event_flag { RTEXT_EVENT_RAW = 1, RTEXT_EVENT_PLAIN = 2 };   /* -r: its fields; -n: without its plugin */

struct rtext;
struct rtext_rec;
struct rtext_plugin;

/* A kind of event that was seen. */
struct rtext_event {
	struct tevent *ev;
	const struct tprint *print;
	const struct rtext_plugin *plugin;   /* NULL: its print fmt writes it */
	struct sv label;   /* " name:      " */
	unsigned flags;    /* enum rtext_event_flag */
	bool usual;        /* flags, preempt and pid are at 2, 3, 4 in this byte order */
	bool levels;       /* there are depths to tell behind the flags */
	bool asks_names;   /* its text may have names of functions */
};

/* Both must outlive it; names may be NULL. NULL: no memory. */
/*
 * The letters of an event's common_flags and common_preempt_count: irqs off, resched, context, depths of
 * preempt_disable and migrate_disable.
 */
enum { RTEXT_FLAGS = 5 };
void rtext_flags(unsigned flags, unsigned preempt_count, char p[RTEXT_FLAGS]);

struct rtext *rtext_new(struct tevents *events, const struct tprint_names *names, unsigned flags);
void rtext_free(struct rtext *t);

/* For the events whose name or system it matches. */
int rtext_mark(struct rtext *t, const struct rex *r, enum rtext_event_flag what);

/* The event of a record, or NULL; it stays as long as t. */
const struct rtext_event *rtext_event(struct rtext *t, const struct tstream_rec *rec);

/*
 * May the record that follows belong to this line? Then rtext_is_leaf tells whether it does: the end of the function
 * that the first one entered. They fit when nothing lies between them. Events may be NULL.
 */
bool rtext_wants_next(const struct rtext *t, const struct rtext_event *x);
bool rtext_is_leaf(const struct rtext_event *x, const struct tstream_rec *rec, const struct rtext_event *next_x,
		   const struct tstream_rec *next);

/*
 * The line and what was lost before it, without a new line at the end; leaf: see above, or NULL. x NULL: an unknown
 * event.
 */
struct rtext_leaf {
	const struct rtext_event *x;
	const struct tstream_rec *rec;
};
void rtext_line(struct rtext *t, const struct rtext_event *x, const struct tstream_rec *rec,
		const struct rtext_leaf *leaf, struct out *o);

/*
 * The end that belongs to the line of rec, taken out of the stream, with rec made to last until then; NULL: it has
 * none.
 */
struct rtext_ahead {
	uint8_t copy[512];       /* the start of a call */
	struct tstream_rec next;
	struct rtext_leaf leaf;
};
const struct rtext_leaf *rtext_ahead(struct rtext *t, struct tstream *s, const struct rtext_event *x,
				     struct tstream_rec *rec, struct rtext_ahead *a);

/*
 * The same in two steps. What a line has from those before it is taken in their order; any thread writes it then, each
 * with a pen of its own, zeroed at first. Threads ask the callbacks of names at the same time.
 */
struct rtext_past {
	const char *comm;        /* of the thread, as far as it is known; lives as long as the events */
	const char *before;      /* the caller's: lines in front of this one, behind what was lost; NULL: none */
	uint64_t since;          /* --ts-diff: time since the line before, in the unit that is shown */
	bool first;              /* nothing is before it */
	uint32_t level;          /* of a function among its callers */
	struct sv func;          /* its name, where it was looked up; as long as the names' owner keeps it */
};

enum { RTEXT_CACHE = 4096, RTEXT_TASKS = 128 };

/* n: bytes of text, 0: nothing here */
struct rtext_task {
	const char *comm;
	uint32_t pid, cpu;
	uint8_t n;
	char text[39];
};

/* What was written is remembered in it. */
struct rtext_pen {
	uint64_t second;         /* the one of the line before */
	uint8_t n_second;        /* bytes of its text, 0: there is none yet */
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

/* A function, NULL unknown. */
const char *rtext_symbol(struct rtext *t, uint64_t addr, uint64_t *offset);

/* "  161.306132" or the number, as in a line. */
void rtext_time(struct rtext *t, uint64_t ts, struct out *o);

#endif
