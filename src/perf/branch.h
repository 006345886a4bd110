/* branch.h - an entry of a sample's branch stack: struct perf_branch_entry of linux/perf_event.h (up to 6.18). */
#ifndef PERF_BRANCH_H
#define PERF_BRANCH_H

#include "perf/sample.h"

struct branch {
	uint64_t from, to;
	uint16_t cycles;
	bool missed, predicted, in_tx, abort;
	uint32_t reserved;           /* the bits that have no meaning yet: bit 33 and up of the flags word */
	const char *type, *spec;     /* e.g. "COND", "SPEC_WRONG_PATH"; "": unknown */
};

/* The i-th entry of the branch stack, newest first; false: i is beyond the last one. */
bool branch_at(const struct sample_layout *l, const struct sample *s, uint64_t i, struct branch *b);

#endif
