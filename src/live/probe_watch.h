/*
 * probe_watch.h - detect probes that slow the machine down too much: their hits are counted after the first 0.1 s and
 * then every second. The cost of a hit is measured (as in cost_trial.h) only once there are enough hits to matter, so
 * normally the watch costs nothing; a caller that cannot wait at that point measures it beforehand.
 */
#ifndef LIVE_PROBE_WATCH_H
#define LIVE_PROBE_WATCH_H

#include "base/fmt.h"
#include "live/probe_kinds.h"

struct probe_watch {
	const struct sys *sys;
	uint8_t *kinds;                  /* kind of each event */
	size_t events;
	struct probe_hits {
		uint64_t before[PROBE_KINDS], now[PROBE_KINDS];
	} *places;                       /* CPUs, or tasks if there is no CPU */
	size_t n;
	double hit_ns[PROBE_KINDS];
	uint64_t since, next;            /* CLOCK_MONOTONIC ns; next UINT64_MAX: nothing to watch, or not now */
	bool told, is_blind;             /* is_blind: the cost of a hit cannot be measured */
	double share, rate;              /* of the busiest place: share of a core, and hits per second */
	size_t busiest;
};

/* places: one more than the largest number given to probe_watch_add. */
int probe_watch_init(struct probe_watch *w, const struct sys *sys, const struct event_list *l, size_t places,
		     struct err *e);
void probe_watch_deinit(struct probe_watch *w);

/* Takes about 10 ms. False: it cannot be measured here, and nothing will be reported. */
bool probe_watch_measure(struct probe_watch *w);

/* The events have just started to count: start the watch. */
void probe_watch_begin(struct probe_watch *w);

static inline bool probe_watch_wants(const struct probe_watch *w, size_t event)
{
	return event < w->events && w->kinds[event] != PROBE_NONE;
}

/* At `next` or later: add the current count of each wanted event at each place, then call probe_watch_judge. */
void probe_watch_add(struct probe_watch *w, size_t event, size_t place, uint64_t count);

/* Returns true once, when the probes take more than 5 % of a core; `share` is then what they take. */
bool probe_watch_judge(struct probe_watch *w);

/*
 * Lines for a narrow terminal; the caller adds the last newline:
 * "probes take about 43.2 % of CPU 3 (42,000 hits a second):\n  1.02 us each in the kernel"
 */
void probe_watch_put(const struct probe_watch *w, bool places_are_cpus, struct out *o);

#endif
