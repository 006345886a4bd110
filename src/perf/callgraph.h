/*
 * callgraph.h - ways to get call chains: "fp", the kernel follows the frame records of user code;
 * "dwarf[,SIZE][,keep]", from the user registers and a copy of the user stack; or "lr", two frames, from the link
 * register at the sampled place. The recorder turns the latter two into plain call chains, or keeps registers and
 * stack for the reader of the recording.
 */
#ifndef PERF_CALLGRAPH_H
#define PERF_CALLGRAPH_H

#include "perf/event.h"

struct sampling_want;

struct callgraph {
	bool on;
	bool keep;           /* the recorder does not unwind: samples stay as the kernel wrote them */
	bool lr;             /* the caller only, from the link register */
	uint32_t stack;      /* bytes of the user stack to copy; 0: none, the kernel follows frame records */
};

/* Does this build have "dwarf" and "lr"? */
bool callgraph_can(void);

/* Parse an argument of --call-graph; "no" clears `on`. 0 or -EINVAL. */
int callgraph_parse(struct callgraph *c, const char *text, struct err *e);

/* The size rounded up to a multiple of 8, as sample_stack_user must be; 0: more than a record can hold. */
uint32_t callgraph_stack(uint64_t bytes);

/*
 * Add user registers and stack, or the link register, to an attr that samples call chains, if the event or the command
 * line asks for them. False: neither does.
 */
bool callgraph_copies(struct perf_attr *a, const struct event *ev, const struct sampling_want *w);

/* Make it the attr of the plain call chains that samples with stacks or LR become. False: a has neither; unchanged. */
bool callgraph_plain(struct perf_attr *a);

/* The attr of the off-CPU sums that an EVENT_OFF_CPU event becomes, the same as of perf's. False: ev is another. */
bool callgraph_off_cpu(struct perf_attr *a, const struct event *ev);

/*
 * Is it an attr of --call-graph lr? It asks for call chains, excludes both their user and their kernel part, and
 * samples a register of the mask `lr` instead: of the interrupted code, or, if the event excludes the kernel, of user
 * mode, which needs no privilege.
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
