/*
 * duty.h - keep the cost of probes below a share of a core (--max-overhead): counters of probes are closed and opened
 * again in a duty cycle, which follows from the number of hits in each period on. They are closed for good if even that
 * costs too much.
 *
 * The share is that of the busiest CPU, or, if tasks are watched, of the busiest task. The cost of a hit is that of a
 * probe without arguments, measured on one of sonde's own functions. Hits that are not counted (by other tasks or CPUs,
 * or filtered out) are not noticed.
 */
#ifndef LIVE_DUTY_H
#define LIVE_DUTY_H

#include "base/fmt.h"
#include "live/pace.h"

struct duty {
	const struct sys *sys;
	const struct event *events;      /* borrowed */
	double limit;                    /* 0..1: share of a core */
	struct pace pace;                /* scales values over pauses, and has the cost of a hit */
	uint8_t *kinds;                  /* enum probe_kind of each event */
	struct counters *c;              /* NULL: outside of duty_start and duty_end */
	uint64_t *spent;                 /* ns that hits took since the start, by place; then those of the last step */
	size_t places;
	double share, most;              /* present share of a core, smoothed; the largest one */
	enum { DUTY_ON, DUTY_PAUSED, DUTY_OFF } state;
	bool has_paused;                 /* so counts are estimates */
	uint64_t next;                   /* when duty_step is due, ns of CLOCK_MONOTONIC; UINT64_MAX: never */
	uint64_t start;
	uint64_t from;                   /* when this period on began: opening of the counters included */
	uint64_t window, window_ns;      /* hits are counted since `window`, for window_ns */
	uint64_t on_ns, total_ns;        /* summed up over all runs */
};

/*
 * Find out which events are probes, and measure the cost of a hit. -EINVAL: no event is a probe. -EOPNOTSUPP and
 * others: the cost cannot be measured here.
 */
int duty_init(struct duty *d, const struct pace_want *w, double limit, struct err *e);
void duty_deinit(struct duty *d);

/* The counters were opened with w and must stay until duty_end. duty_begin: they are enabled now. */
int duty_start(struct duty *d, struct counters *c, const struct counters_want *w, struct err *e);
void duty_begin(struct duty *d);
void duty_end(struct duty *d);

/* To be called at `next` or later. True: the probes are now off for good; `share` is what they would have cost. */
bool duty_step(struct duty *d);

/* "43.2 % of a core (1.02 us a hit in the kernel)" */
void duty_put_share(const struct duty *d, double share, struct out *o);

#endif
