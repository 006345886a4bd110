/*
 * timer.h - for profilers that take each period of a timer in the kernel (cpu-clock) on CPUs, with the counts of other
 * events (engine/counts.h). The timer is the first tap.
 */
#ifndef PROF_TIMER_H
#define PROF_TIMER_H

#include "engine/counts.h"
#include "prof/stacks.h"

enum { TIMER_LEAST_NS = 10000 };   /* minimum of perf_swevent_start_hrtimer */

enum timer_events { TIMER_ALONE, TIMER_WITH_EVENTS, TIMER_EITHER };

/* Add the timer as the first event. -EINVAL: the period is too short. */
int timer_add(struct prof *p, uint64_t period_ns, struct err *e);

/* After -e: are events given, as needed, and CPUs as targets? -EINVAL. */
int timer_check(const struct prof *p, enum timer_events need, struct err *e);

/* --- hrtimer and irq-off: print the periods that an expression selects --- */

struct timer_want {
	const char *period;
	uint64_t freq;
};

struct timer {
	struct prof_stacks stacks;
	struct counts counts;
	const struct texpr *expr;        /* NULL: select by `than` */
	uint64_t period_ns, than;
	uint64_t looked, shown, longest;
	const char *what;                /* text behind the time of a period selected by `than` */
};

/* -F and --period; 0: neither was given. -EINVAL: both, or not a time. */
int timer_period(const struct timer_want *w, uint64_t *period_ns, struct err *e);

/* p->own is a struct timer. expr NULL: select by `than`. The others are callbacks of struct prof_kind. */
int timer_begin(struct prof *p, const char *expr, struct err *e);
int timer_hit(struct prof *p, const struct hit *h, struct err *e);
int timer_lost(struct prof *p, uint32_t cpu);
int timer_show(struct prof *p, bool last, struct out *o, struct err *e);
void timer_close(struct prof *p);

#endif
