/*
 * duty.h - keep the overhead of probes below a share of a core: probe counters are closed and reopened in turns, based
 * on the hits in each period when on; they are closed for good when even that costs too much.
 *
 * The share is that of the busiest CPU, or of the busiest task when tasks are counted. Each hit is assumed to cost as
 * much as one on a function of our own without arguments. Hits that are not counted (other tasks, other CPUs, filtered
 * out) are not included.
 */
#ifndef LIVE_DUTY_H
#define LIVE_DUTY_H

#include "base/fmt.h"
#include "live/pace.h"

struct duty {
	const struct sys *sys;
	const struct event *events;      /* borrowed */
	double limit;                    /* 0..1: share of a core */
	struct pace pace;                /* work done in pauses, and the cost of a hit */
	uint8_t *kinds;                  /* kind of each event */
	struct counters *c;              /* NULL: not counting now */
	uint64_t *spent;                 /* per place: ns since the start; then the same at the start of the window */
	size_t places;
	double share, most;              /* current share, smoothed; the largest so far */
	enum { DUTY_ON, DUTY_PAUSED, DUTY_OFF } state;
	bool has_paused;                 /* counts are estimates */
	uint64_t next;                   /* when duty_step is due, CLOCK_MONOTONIC ns; UINT64_MAX: never */
	uint64_t start;
	uint64_t from;                   /* when opening started */
	uint64_t window, window_ns;      /* start and length of the period in which hits are counted */
	uint64_t on_ns, total_ns;        /* over all runs */
};

/*
 * Determines which events are probes and measures the cost of a hit. -EINVAL: none is a probe. -EOPNOTSUPP and others:
 * it cannot be measured here.
 */
int duty_init(struct duty *d, const struct pace_want *w, double limit, struct err *e);
void duty_deinit(struct duty *d);

/* c was opened with w and stays open until duty_end; it is enabled at duty_begin. */
int duty_start(struct duty *d, struct counters *c, const struct counters_want *w, struct err *e);
void duty_begin(struct duty *d);
void duty_end(struct duty *d);

/* Call at `next` or later. True: the probes are now off for good; `share` is what they would cost. */
bool duty_step(struct duty *d);

/* "43.2 % of a core (1.02 us a hit in the kernel)" */
void duty_put_share(const struct duty *d, double share, struct out *o);

#endif
