/*
 * stacks.h - the call chain of a sample, made whole: from the registers and the stack that the sample has a copy of
 * (perf's --call-graph dwarf), or, where it has a chain of frame records and the link register, with the caller that
 * such a chain misses on aarch64: of user code, and of the kernel at a function's first instruction (its probes). Or
 * two frames, where only the link register was asked for.
 *
 * What follows sees plain chains, whatever was recorded.
 */
#ifndef SOURCE_STACKS_H
#define SOURCE_STACKS_H

#include "perf/sample.h"
#include "sym/resolver.h"
#include "unwind/unwind.h"

enum { STACKS_CHAIN = 1200 };   /* entries: frames of both modes and their markers, but for those of `marks` */

struct stacks_stats {
	uint64_t unwound;              /* samples whose stack was followed */
	uint64_t ends[UNWIND_ENDS];    /* of these: why there were no more frames */
	uint64_t frames;
	uint64_t scanned;              /* of these: found by a function's code alone */
	uint64_t repaired;             /* chains that got the caller back */
	uint64_t foreign;              /* stacks that were not followed: of 32-bit tasks */
};

struct stacks {
	struct unwind *unwind;         /* NULL: no sample has needed it yet */
	struct resolver *resolver;     /* borrowed */
	const struct arch *arch;       /* of the recorded machine */
	struct stacks_stats stats;
	bool marks;                    /* chains have a SAMPLE_SCANNED in front of such frames, for who shows them */
	uint64_t chain[STACKS_CHAIN + STACKS_CHAIN / 2];
};

void stacks_init(struct stacks *s, struct resolver *r, const struct arch *arch);
void stacks_deinit(struct stacks *s);

/* Sample's chain may be s's own from here on, until the next call. 0 or -ENOMEM. */
int stacks_complete(struct stacks *s, const struct sample_layout *l, struct sample *sample);
/* The same of spaces as they were. */
int stacks_complete_in(struct stacks *s, const struct sample_layout *l, struct sample *sample,
		       const struct resolver_spaces *in);

/* A line for each reason for which stacks were followed no further than they were, or not at all. */
void stacks_tell(const struct stacks_stats *s, void (*say)(void *arg, const char *line), void *arg);

#endif
