/*
 * probe_watch.h - notice that the probes of a run are bad for the machine: their hits are counted after the first tenth
 * of a second and then each second. What a hit takes is measured, as in cost_trial.h, when there are so many that it
 * can matter, so a watch costs nothing where all is well; or before all, by whoever may not be kept waiting then.
 */
#ifndef LIVE_PROBE_WATCH_H
#define LIVE_PROBE_WATCH_H

#include "base/fmt.h"
#include "live/probe_kinds.h"

struct probe_watch {
	const struct sys *sys;
	uint8_t *kinds;                  /* of each event */
	size_t events;
	struct probe_hits {
		uint64_t before[PROBE_KINDS], now[PROBE_KINDS];
	} *places;                       /* CPUs, or tasks where no CPU is known */
	size_t n;
	double hit_ns[PROBE_KINDS];
	uint64_t since, next;            /* ns of CLOCK_MONOTONIC; next UINT64_MAX: nothing to look for, or not now */
	bool told, is_blind;             /* is_blind: what a hit takes cannot be measured */
	double share, rate;              /* of a core, and hits a second, of the busiest place */
	size_t busiest;
};

/* places: one more than the largest number given to probe_watch_add. */
int probe_watch_init(struct probe_watch *w, const struct sys *sys, const struct event_list *l, size_t places,
		     struct err *e);
void probe_watch_deinit(struct probe_watch *w);

/* Takes some 10 ms. False: it cannot be done here, and nothing will be told. */
bool probe_watch_measure(struct probe_watch *w);

/* The events count from now on. */
void probe_watch_begin(struct probe_watch *w);

static inline bool probe_watch_wants(const struct probe_watch *w, size_t event)
{
	return event < w->events && w->kinds[event] != PROBE_NONE;
}

/* At `next` or later: the count so far of each event that it wants at each place, then judge. */
void probe_watch_add(struct probe_watch *w, size_t event, size_t place, uint64_t count);

/* True once, when the probes take more than a twentieth of a core: `share` is then what they take. */
bool probe_watch_judge(struct probe_watch *w);

/*
 * Lines for a narrow terminal; the end of the last one is the caller's:
 * "probes take about 43.2 % of CPU 3 (42,000 hits a second):\n  1.02 us each in the kernel"
 */
void probe_watch_put(const struct probe_watch *w, bool places_are_cpus, struct out *o);

#endif
