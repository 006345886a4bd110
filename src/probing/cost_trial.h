/*
 * cost_trial.h - counts a probe's hits for a tenth of a second before the probe is added: with perf's kprobe and uprobe
 * PMUs, which leave nothing behind. The time of one hit is measured once, on a function of our own.
 */
#ifndef PROBING_COST_TRIAL_H
#define PROBING_COST_TRIAL_H

#include "base/fmt.h"
#include "perf/event.h"
#include "probe/cost.h"
#include "probing/define.h"

struct cost_report {
	uint64_t hits, window_ns;        /* on all CPUs */
	uint64_t busiest_hits;
	int busiest_cpu;
	size_t places, all_places;       /* places counted; places of the probe */
	double hit_ns;
	double share;                    /* of the busiest CPU's time, as cost_share */
};

/* -EOPNOTSUPP: this kernel has no such PMU. */
int cost_trial(struct cost_report *r, const struct sys *sys, const struct subject *s, const struct definer *d,
	       struct err *e);

/*
 * Print "4,120 hits in 100 ms, most of them on CPU 3 (4,002):
 *   about 4.0 % of it at 1.0 us a hit", two lines.
 */
void cost_report_put(const struct cost_report *r, struct out *o);

/*
 * The kind of a uprobe: how the kernel handles a hit depends on the instruction, here of the file, and for the running
 * machine. An unreadable instruction counts as PROBE_OF_PROGRAM.
 */
enum probe_kind cost_kind_at(const struct sys *sys, const char *path, uint64_t file_offset, bool is_return);

/* Events that are counted together, to measure how many of them a hit causes. */
struct cost_meter {
	const struct event *events;
	size_t n;
};

/* Can the events be opened here, and do they count? */
bool cost_meter_counts(const struct sys *sys, const struct cost_meter *m);

/* The cost of one hit of such a probe here, measured on code of our own: time, and the count of the meter. */
struct hit_cost {
	double ns, metered;
};
int cost_of_hit(const struct sys *sys, enum probe_kind kind, const struct cost_meter *m, struct hit_cost *cost,
		struct err *e);

#endif
