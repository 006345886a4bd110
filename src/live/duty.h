/*
 * duty.h - keep what probes cost below a share of a core: counters of probes are closed and opened again in turns, by
 * the hits that each of their times on has had; for good when even that costs too much.
 *
 * A share is that of the busiest CPU, or of the busiest task where tasks are watched. A hit counts as much as one on a
 * function of our own takes, without arguments. What is not counted (other tasks, other CPUs, a filter) is not seen.
 */
#ifndef LIVE_DUTY_H
#define LIVE_DUTY_H

#include "base/fmt.h"
#include "live/pace.h"

struct duty {
	const struct sys *sys;
	const struct event *events;      /* borrowed */
	double limit;                    /* 0..1: share of a core */
	struct pace pace;                /* what is missed in pauses, and what a hit takes */
	uint8_t *kinds;                  /* of each event */
	struct counters *c;              /* NULL: nothing is counted now */
	uint64_t *spent;                 /* ns since the start for each place, then those at the window's begin */
	size_t places;
	double share, most;              /* now, smoothed; the largest */
	enum { DUTY_ON, DUTY_PAUSED, DUTY_OFF } state;
	bool has_paused;                 /* counts are estimates */
	uint64_t next;                   /* when duty_step is due, ns of CLOCK_MONOTONIC; UINT64_MAX: never */
	uint64_t start;
	uint64_t from;                   /* when opening began */
	uint64_t window, window_ns;      /* hits are counted since then, for so long */
	uint64_t on_ns, total_ns;        /* of all runs */
};

/*
 * Look which events are probes and measure what a hit takes. -EINVAL: none is one. -EOPNOTSUPP and others: it cannot
 * be measured here.
 */
int duty_init(struct duty *d, const struct pace_want *w, double limit, struct err *e);
void duty_deinit(struct duty *d);

/* Of counters that were opened with w and stay until duty_end; they are enabled at _begin. */
int duty_start(struct duty *d, struct counters *c, const struct counters_want *w, struct err *e);
void duty_begin(struct duty *d);
void duty_end(struct duty *d);

/* At `next` or later. True: the probes are off for good now; `share` is what they would take. */
bool duty_step(struct duty *d);

/* "43.2 % of a core (1.02 us a hit in the kernel)" */
void duty_put_share(const struct duty *d, double share, struct out *o);

#endif
