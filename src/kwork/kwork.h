/*
 * kwork.h - sonde kwork: run time and latency of interrupts, softirqs and workqueues; cmd/cmd_kwork.c runs the views.
 * common.c is shared by them, sums.c implements report and latency.
 */
#ifndef KWORK_KWORK_H
#define KWORK_KWORK_H

#include "analyse/works.h"
#include "prof/view.h"

extern const struct prof_kind kwork_report;      /* sonde kwork report */
extern const struct prof_kind kwork_latency;     /* sonde kwork latency */
extern const struct prof_kind kwork_timehist;    /* sonde kwork timehist */
extern const struct prof_kind kwork_top;         /* sonde kwork top */

/* First member of the options of each view. */
struct kwork_want {
	struct view_want view;
	const char *classes, *name, *time, *sort;
};
extern const struct opt kwork_opts[];

/* Parses class names: "irq, softirq". -EINVAL: unknown class. */
struct kwork_classes {
	uint8_t v[WORK_CLASSES];         /* in the order given */
	unsigned n;
};
int kwork_classes_read(struct kwork_classes *c, const char *text, struct err *e);

/* The events of a class, NULL-terminated. */
enum { KWORK_EVENTS = 3 };
const char *const *kwork_events(enum work_class class);

/* Which events of a class a view uses: bits 1 << enum work_step. */
struct kwork {
	struct prof *prof;
	const struct kwork_want *want;
	struct kwork_classes classes;
	struct view_keys keys;
	struct view_span span;
	const struct view_tap *taps;
	struct works works;
	struct names texts;              /* names of work items, by number + 1 */
	bool by_task;                    /* interrupts are attributed to the task they interrupt */
	uint64_t first, last;            /* times of the first and last counted hit, ns */
	uint64_t events;
};

/* Call in prepare: requests the events of the classes whose step is in `steps`. */
int kwork_add(struct prof *p, struct kwork *k, const char *classes, unsigned steps, struct err *e);
int kwork_begin(struct prof *p, struct kwork *k, struct err *e);
void kwork_close(struct kwork *k);

/* The work item that an event belongs to, and its step. */
struct kwork_hit {
	enum work_step step;
	struct work *work;
	bool counts;                     /* within the time range, and with the requested name */
};

/* 0; 1: not a step, or no room; -ENOMEM. step of a task switch: EXIT for the previous task, ENTRY for the next one. */
int kwork_take(struct kwork *k, const struct hit *h, struct kwork_hit *to);
int kwork_take_switch(struct kwork *k, const struct hit *h, enum work_step step, struct kwork_hit *to);
bool kwork_is_switch(const struct kwork *k, const struct hit *h);

/* Does it have the requested name, or was none requested? */
bool kwork_is_named(const struct kwork *k, const struct work *w);

/* Writes "(s)TIMER:1" to buf, shortened to the width of the column. */
enum { KWORK_NAME = 30 };
const char *kwork_name(const struct kwork *k, const struct work *w, char buf[KWORK_NAME]);
const char *kwork_plain(const struct kwork *k, const struct work *w);      /* "TIMER", "" */
const char *kwork_class(const struct work *w);                             /* "softirq" */

void kwork_tell(const struct kwork *k);

#endif
