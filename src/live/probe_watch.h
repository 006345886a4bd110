/*
 * probe_watch.h - notices that the probes of a run take too much of the machine: their hits are counted after the first
 * 100 ms and then each second. The cost of a hit is measured (cost_trial.h) only when there are so many hits that it
 * matters, so a watch is cheap otherwise. Callers that cannot wait for it then measure it before the run.
 */
#ifndef LIVE_PROBE_WATCH_H
#define LIVE_PROBE_WATCH_H

#include "base/fmt.h"
#include "live/probe_kinds.h"

struct probe_watch {
	const struct sys *sys;
	uint8_t *kinds;                  /* enum probe_kind of each event */
	size_t events;
	struct probe_hits {
		uint64_t before[PROBE_KINDS], now[PROBE_KINDS];
	} *places;                       /* CPUs, or tasks if there is no CPU */
	size_t n;
	double hit_ns[PROBE_KINDS];      /* cost of a hit; 0: not measured */
	uint64_t since, next;            /* ns of CLOCK_MONOTONIC; next UINT64_MAX: nothing to watch, or not now */
	bool told, is_blind;             /* is_blind: the cost of a hit cannot be measured */
	double share, rate;              /* of the busiest place: share of a core, and hits per second */
	size_t busiest;
};

/* places: number of places, whose numbers in probe_watch_add are below it. */
int probe_watch_init(struct probe_watch *w, const struct sys *sys, const struct event_list *l, size_t places,
		     struct err *e);
void probe_watch_deinit(struct probe_watch *w);

/* Measure the cost of a hit, in some 10 ms. False: impossible here, so the watch will report nothing. */
bool probe_watch_measure(struct probe_watch *w);

/* To be called when the events are enabled. */
void probe_watch_begin(struct probe_watch *w);

static inline bool probe_watch_wants(const struct probe_watch *w, size_t event)
{
	return event < w->events && w->kinds[event] != PROBE_NONE;
}

/* At `next` or later, call it with the present count of each wanted event at each place, then probe_watch_judge. */
void probe_watch_add(struct probe_watch *w, size_t event, size_t place, uint64_t count);

/* True once, if the probes take more than a twentieth of a core; `share` is what they take. */
bool probe_watch_judge(struct probe_watch *w);

/*
 * Print the warning in short lines, without the last newline:
 * "probes take about 43.2 % of CPU 3 (42,000 hits a second):\n  1.02 us each in the kernel"
 */
void probe_watch_put(const struct probe_watch *w, bool places_are_cpus, struct out *o);

#endif
