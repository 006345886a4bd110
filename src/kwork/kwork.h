/*
 * kwork.h - sonde kwork: what CPUs do for the kernel, and how long it waits; cmd/cmd_kwork.c runs the views. common.c
 * is what they share, sums.c is report and latency.
 */
#ifndef KWORK_KWORK_H
#define KWORK_KWORK_H

#include "analyse/works.h"
#include "prof/view.h"

extern const struct prof_kind kwork_report;      /* sonde kwork report */
extern const struct prof_kind kwork_latency;     /* sonde kwork latency */
extern const struct prof_kind kwork_timehist;    /* sonde kwork timehist */
extern const struct prof_kind kwork_top;         /* sonde kwork top */

/* The want of each view begins with it. */
struct kwork_want {
	struct view_want view;
	const char *classes, *name, *time, *sort;
};
extern const struct opt kwork_opts[];

/* Classes by name: "irq, softirq". -EINVAL: there is no such one. */
struct kwork_classes {
	uint8_t v[WORK_CLASSES];         /* in the order in which they were said */
	unsigned n;
};
int kwork_classes_read(struct kwork_classes *c, const char *text, struct err *e);

/* The events of a class, the first NULL behind the last. */
enum { KWORK_EVENTS = 3 };
const char *const *kwork_events(enum work_class class);

/* What a view takes of a class' events: bits of 1 << enum work_step. */
struct kwork {
	struct prof *prof;
	const struct kwork_want *want;
	struct kwork_classes classes;
	struct view_keys keys;
	struct view_span span;
	const struct view_tap *taps;
	struct works works;
	struct names texts;              /* names of works, by number + 1 */
	bool by_task;                    /* interrupts count for the task that they interrupt */
	uint64_t first, last;            /* times of hits that count, ns */
	uint64_t events;
};

/* In prepare: the events of the classes that are steps of `steps`. */
int kwork_add(struct prof *p, struct kwork *k, const char *classes, unsigned steps, struct err *e);
int kwork_begin(struct prof *p, struct kwork *k, struct err *e);
void kwork_close(struct kwork *k);

/* What an event is a step of. */
struct kwork_hit {
	enum work_step step;
	struct work *work;
	bool counts;                     /* within the times, and of the name that is asked for */
};

/* 0; 1: it is none, or there is no room; -ENOMEM. step of a switch: EXIT is of who leaves, ENTRY of who comes. */
int kwork_take(struct kwork *k, const struct hit *h, struct kwork_hit *to);
int kwork_take_switch(struct kwork *k, const struct hit *h, enum work_step step, struct kwork_hit *to);
bool kwork_is_switch(const struct kwork *k, const struct hit *h);

/* Is it the name that is asked for, or is any? */
bool kwork_is_named(const struct kwork *k, const struct work *w);

/* "(s)TIMER:1", as long as columns have room for it; into buf. */
enum { KWORK_NAME = 30 };
const char *kwork_name(const struct kwork *k, const struct work *w, char buf[KWORK_NAME]);
const char *kwork_plain(const struct kwork *k, const struct work *w);      /* "TIMER", "" */
const char *kwork_class(const struct work *w);                             /* "softirq" */

void kwork_tell(const struct kwork *k);

#endif
