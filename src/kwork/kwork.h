/*
 * kwork.h - sonde kwork: run times and latencies of the kernel's interrupts, soft interrupts and work items. "A work"
 * is one of these on one CPU (analyse/works.h). cmd/cmd_kwork.c runs the views; common.c is shared by them, sums.c has
 * report and latency.
 */
#ifndef KWORK_KWORK_H
#define KWORK_KWORK_H

#include "analyse/works.h"
#include "prof/view.h"

extern const struct prof_kind kwork_report;      /* sonde kwork report */
extern const struct prof_kind kwork_latency;     /* sonde kwork latency */
extern const struct prof_kind kwork_timehist;    /* sonde kwork timehist */
extern const struct prof_kind kwork_top;         /* sonde kwork top */

/* First member of the want of each view. */
struct kwork_want {
	struct view_want view;
	const char *classes, *name, *time, *sort;
};
extern const struct opt kwork_opts[];

/* Classes from a list of names: "irq, softirq". -EINVAL: unknown name, or the list is empty. */
struct kwork_classes {
	uint8_t v[WORK_CLASSES];         /* enum work_class, in the order of the list */
	unsigned n;
};
int kwork_classes_read(struct kwork_classes *c, const char *text, struct err *e);

/* The tracepoints of a class, NULL-terminated. */
enum { KWORK_EVENTS = 3 };
const char *const *kwork_events(enum work_class class);

/* State shared by all views. */
struct kwork {
	struct prof *prof;
	const struct kwork_want *want;
	struct kwork_classes classes;
	struct view_keys keys;
	struct view_span span;
	const struct view_tap *taps;
	struct works works;
	struct names texts;              /* work.name is the id of a text + 1 */
	bool by_task;                    /* a work is an interrupted task: its interrupts of one class together */
	uint64_t first, last;            /* times of the first and last hit that counts, ns */
	uint64_t events;                 /* number of such hits */
};

/* For prof_kind.prepare: open the tracepoints of the classes whose step is in `steps` (bits 1 << enum work_step). */
int kwork_add(struct prof *p, struct kwork *k, const char *classes, unsigned steps, struct err *e);
int kwork_begin(struct prof *p, struct kwork *k, struct err *e);
void kwork_close(struct kwork *k);

/* The step of a work that an event is. */
struct kwork_hit {
	enum work_step step;
	struct work *work;
	bool counts;                     /* within --time, and of the name of -n */
};

/*
 * Find the work of an event. 1: it is not an event of a work, or there are too many works; 0; or -ENOMEM. For a
 * sched_switch, step EXIT finds the task that leaves the CPU, ENTRY the task that gets it.
 */
int kwork_take(struct kwork *k, const struct hit *h, struct kwork_hit *to);
int kwork_take_switch(struct kwork *k, const struct hit *h, enum work_step step, struct kwork_hit *to);
bool kwork_is_switch(const struct kwork *k, const struct hit *h);

/* Is it the work that -n names? True without -n. */
bool kwork_is_named(const struct kwork *k, const struct work *w);

/* "(s)TIMER:1", cut to the width of a column; into buf. */
enum { KWORK_NAME = 30 };
const char *kwork_name(const struct kwork *k, const struct work *w, char buf[KWORK_NAME]);
const char *kwork_plain(const struct kwork *k, const struct work *w);      /* "TIMER"; "": unknown */
const char *kwork_class(const struct work *w);                             /* "softirq" */

void kwork_tell(const struct kwork *k);

#endif
