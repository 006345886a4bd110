/*
 * unwound.h - rewrite a sample that has user registers and a copy of the user stack into one with a plain call chain:
 * the kernel's part as it was sampled, then the user frames. Nothing else changes, so a report is the same whether
 * stacks are unwound while recording or later.
 */
#ifndef SOURCE_UNWOUND_H
#define SOURCE_UNWOUND_H

#include "perf/ring.h"
#include "source/stacks.h"

/* Do samples of this layout need it? */
bool unwound_is_for(const struct sample_layout *l);

/*
 * Write the whole rewritten record of r, which is in the host's byte order, to `to`, with at most max frames (0: all).
 * Returns its size in bytes; -EBADMSG: r cannot be decoded; -ENOMEM.
 */
int unwound_sample(struct stacks *s, const struct sample_layout *l, const struct perf_record *r, size_t max,
		   uint8_t to[static RING_BOUNCE]);

#endif
