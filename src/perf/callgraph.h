/*
 * callgraph.h - ways to get call chains: "fp", by the frame records of user code; or "dwarf[,SIZE][,keep]", by its
 * registers and a copy of its stack, which become a plain chain while it is recorded, or are kept for who reads it.
 */
#ifndef PERF_CALLGRAPH_H
#define PERF_CALLGRAPH_H

#include "perf/event.h"

struct sampling_want;

struct callgraph {
	bool on;
	bool keep;           /* samples stay as the kernel made them */
	uint32_t stack;      /* bytes of the stack that are copied; 0: none, frame records are followed */
};

/* Does this build have "dwarf"? */
bool callgraph_can(void);

/* As --call-graph has it; "no" is off. -EINVAL. */
int callgraph_parse(struct callgraph *c, const char *text, struct err *e);

/* A size as the kernel takes it, in words of 8 bytes; 0: there is none such. */
uint32_t callgraph_stack(uint64_t bytes);

/* To an attr that samples call chains: registers and stack, when they are wanted for the event. False: they are not. */
bool callgraph_copies(struct perf_attr *a, const struct event *ev, const struct sampling_want *w);

/* The attr of what such samples become. False: it has no copies of stacks, and stays as it is. */
bool callgraph_plain(struct perf_attr *a);

#endif
