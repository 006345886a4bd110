/*
 * stacks.h - complete the call chain of a sample: unwind it from the sample's registers and copy of the stack (perf's
 * --call-graph dwarf); or, for a chain by frame records with the link register, insert the caller that such a chain
 * misses on aarch64, in user code and in the kernel at a function's first instruction (probes); or make a chain of two
 * frames if only the link register was sampled (--call-graph lr).
 *
 * After this all code sees plain chains, whatever was recorded.
 */
#ifndef SOURCE_STACKS_H
#define SOURCE_STACKS_H

#include "perf/sample.h"
#include "sym/resolver.h"
#include "unwind/unwind.h"

enum { STACKS_CHAIN = 1200 };   /* entries: frames of both modes and context markers, not counting SAMPLE_SCANNED */

struct stacks_stats {
	uint64_t unwound;              /* samples whose stack was unwound */
	uint64_t ends[UNWIND_ENDS];    /* of these, by the reason why unwinding stopped */
	uint64_t frames;
	uint64_t scanned;              /* of the frames: found by reading a function's instructions only */
	uint64_t repaired;             /* chains into which the missing caller was inserted */
	uint64_t foreign;              /* stacks of 32-bit tasks, which are not unwound */
};

struct stacks {
	struct unwind *unwind;         /* made for the first sample that needs it; NULL before */
	struct resolver *resolver;     /* borrowed */
	const struct arch *arch;       /* of the recorded machine */
	struct stacks_stats stats;
	bool marks;                    /* put SAMPLE_SCANNED before such frames, for commands that show it */
	uint64_t chain[STACKS_CHAIN + STACKS_CHAIN / 2];
};

void stacks_init(struct stacks *s, struct resolver *r, const struct arch *arch);
void stacks_deinit(struct stacks *s);

/* Complete the sample's chain, which may then point into s, until the next call. 0 or -ENOMEM. */
int stacks_complete(struct stacks *s, const struct sample_layout *l, struct sample *sample);
/* The same, with the given address spaces instead of the current ones. */
int stacks_complete_in(struct stacks *s, const struct sample_layout *l, struct sample *sample,
		       const struct resolver_spaces *in);

/* Say a line for each reason why stacks were unwound only in part or not at all. */
void stacks_tell(const struct stacks_stats *s, void (*say)(void *arg, const char *line), void *arg);

#endif
