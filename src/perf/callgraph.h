/*
 * callgraph.h - ways to get call chains: "fp", by the frame records of user code; "dwarf[,SIZE][,keep]", by its
 * registers and a copy of its stack; or "lr", two frames, by the link register of where it hit. The latter two become
 * plain chains while they are recorded, or are kept for who reads them.
 */
#ifndef PERF_CALLGRAPH_H
#define PERF_CALLGRAPH_H

#include "perf/event.h"

struct sampling_want;

struct callgraph {
	bool on;
	bool keep;           /* samples stay as the kernel made them */
	bool lr;             /* only who called, by the link register */
	uint32_t stack;      /* bytes of the stack that are copied; 0: none, frame records are followed */
};

/* Does this build have "dwarf" and "lr"? */
bool callgraph_can(void);

/* As --call-graph has it; "no" is off. -EINVAL. */
int callgraph_parse(struct callgraph *c, const char *text, struct err *e);

/* A size as the kernel takes it, in words of 8 bytes; 0: there is none such. */
uint32_t callgraph_stack(uint64_t bytes);

/*
 * To an attr that samples call chains: registers and stack, or the link register, when they are wanted for the event.
 * False: they are not.
 */
bool callgraph_copies(struct perf_attr *a, const struct event *ev, const struct sampling_want *w);

/* The attr of what such samples become. False: they are none, and it stays as it is. */
bool callgraph_plain(struct perf_attr *a);

/* The attr of the sums that EVENT_OFF_CPU becomes, as perf's BPF program has them. False: ev is none such. */
bool callgraph_off_cpu(struct perf_attr *a, const struct event *ev);

/*
 * "lr": chains are asked for and both their parts left out; one register, that in `lr`, makes up for them. Of events
 * that leave out the kernel it is the user's side's, which any user may see.
 */
static inline bool callgraph_is_lr(const struct perf_attr *a, uint64_t lr)
{
	const uint64_t none = PERF_ATTR_EXCLUDE_CALLCHAIN_USER | PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;
	uint64_t regs = (a->sample_type & PERF_SAMPLE_REGS_INTR ? a->sample_regs_intr : 0) |
			(a->sample_type & PERF_SAMPLE_REGS_USER ? a->sample_regs_user : 0);

	return a->sample_type & PERF_SAMPLE_CALLCHAIN && (a->flags & none) == none && regs & lr &&
	       !(a->sample_type & PERF_SAMPLE_STACK_USER);
}

#endif
