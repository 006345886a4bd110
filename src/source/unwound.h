/*
 * unwound.h - a sample with registers and a copy of the user's stack, as the sample with a plain call chain that it
 * stands for: the kernel's part as it was sampled, then the user's frames. Nothing else of it changes, so readers see
 * the same whether stacks are followed while recording or later.
 */
#ifndef SOURCE_UNWOUND_H
#define SOURCE_UNWOUND_H

#include "perf/ring.h"
#include "source/stacks.h"

/* Are samples of this layout such? */
bool unwound_is_for(const struct sample_layout *l);

/*
 * The whole record that r becomes, in this machine's byte order, as r is, with so many frames at most (0: all). How
 * many bytes; -EBADMSG: r cannot be decoded; -ENOMEM.
 */
int unwound_sample(struct stacks *s, const struct sample_layout *l, const struct perf_record *r, size_t max,
		   uint8_t to[static RING_BOUNCE]);

#endif
