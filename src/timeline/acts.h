/*
 * acts.h - what one recording's samples become on the page. It is a format as those of show/export.h are, and gets its
 * samples from the same walk (report/exporter.h); what it writes to, about.to, is the roll of all recordings.
 */
#ifndef TIMELINE_ACTS_H
#define TIMELINE_ACTS_H

#include "show/export.h"
#include "timeline/roll.h"

/* A number that an event tells, as a row: of each value of the field `by` one of its own, if that is not empty. */
struct acts_counter {
	struct sv event, field, by;   /* "power:cpu_frequency" "state" "cpu_id" */
};

struct acts_to {
	struct roll *roll;
	uint32_t host;
	int64_t offset;               /* ns, to be added to its times */
	const struct acts_counter *counters;
	size_t n_counters;
	uint64_t broken;              /* ends without a beginning, of interrupts and calls */
};

extern const struct export_format acts_format;

/* Without an option: what kernels tell of clocks. */
extern const struct acts_counter acts_counters[];
extern const size_t acts_n_counters;

#endif
