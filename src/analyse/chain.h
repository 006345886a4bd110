/* chain.h - a sample's call chain as plain frames: context markers resolved to the mode of each address. */
#ifndef ANALYSE_CHAIN_H
#define ANALYSE_CHAIN_H

#include "perf/sample.h"

enum { CHAIN_MAX = 1100 };   /* kernel.perf_event_max_stack is at most 1024, plus markers */

struct chain_frame {
	uint64_t ip;
	uint8_t cpumode;    /* PERF_MISC_KERNEL, PERF_MISC_USER ... */
	bool returns;       /* a return address: the call stands before it. False for the place that was interrupted */
};

/* Is it an address in the kernel's space? */
static inline bool chain_in_kernel(const struct chain_frame *f)
{
	return f->cpumode == PERF_MISC_KERNEL || (!f->cpumode && f->ip >> 63);
}

/*
 * Frames of a sample, innermost first as recorded. The first one is always the sampled address, whether the chain
 * begins with it or not. Returns how many; more than max are cut at the outer end.
 */
size_t chain_frames(const struct sample_layout *l, const struct sample *s, struct chain_frame *f, size_t max);

#endif
