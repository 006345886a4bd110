/*
 * acts.h - turn one recording's samples into items of the page. It is an export format (show/export.h) and gets its
 * samples from the same walk (report/exporter.h); its destination, about.to, is the roll of all recordings.
 */
#ifndef TIMELINE_ACTS_H
#define TIMELINE_ACTS_H

#include "show/export.h"
#include "timeline/roll.h"

/* A field of an event, shown as a counter; if `by` is not empty, a counter for each value of that field. */
struct acts_counter {
	struct sv event, field, by;   /* "power:cpu_frequency" "state" "cpu_id" */
};

struct acts_to {
	struct roll *roll;
	uint32_t host;
	int64_t offset;               /* ns to add to the recording's times */
	const struct acts_counter *counters;
	size_t n_counters;
	uint64_t broken;              /* ends of interrupts and calls without a beginning */
};

extern const struct export_format acts_format;

/* The default counters: CPU frequencies and other clocks. */
extern const struct acts_counter acts_counters[];
extern const size_t acts_n_counters;

#endif
