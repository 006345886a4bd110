/*
 * funcgraph.h - calls out of the function_graph tracer's records: entries and returns of each task paired by depth and
 * function, with the time of what they called taken off.
 *
 * A return carries both of its times in all kernels up to 6.18, so that its duration is right even where its entry was
 * lost; where it has none (CALLTIME missing in the format), the entry's own time stamp counts. A call that spans lost
 * events has no known own time, and without the kernel's times it is not counted.
 */
#ifndef ANALYSE_FUNCGRAPH_H
#define ANALYSE_FUNCGRAPH_H

#include "analyse/spans.h"
#include "tracefs/format/events.h"

/* ns of the trace clock. */
struct funcgraph_call {
	uint64_t func;           /* address in the function, as the tracer has it */
	uint64_t start, total, self;
	uint32_t pid, cpu;       /* thread; where it returned */
	uint32_t depth;
	bool self_known;         /* else self is 0 */
};

struct funcgraph_stats {
	uint64_t calls;          /* given to the callback */
	uint64_t unfinished;     /* entries without a return: the trace ended, or they never do */
	uint64_t headless;       /* returns whose entry is not there; those with times are counted as calls too */
	uint64_t spanned;        /* calls across lost events whose own time is not known */
	uint64_t discarded;      /* calls across lost events that were not counted */
};

struct funcgraph_want {
	const struct tevents *events;   /* borrowed until deinit */
	/* Each finished call, in order of its return; not 0 ends funcgraph_add with it. */
	int (*call)(void *arg, const struct funcgraph_call *c);
	void *arg;
	/*
	 * The records begin where tracing began: returns of calls from before, of which a tracer that was on already
	 * knows, are not of this trace, and only counted as headless.
	 */
	bool fresh;
};

enum { FUNCGRAPH_DEPTH = 512, FUNCGRAPH_TASKS = 16384 };

struct funcgraph {
	struct funcgraph_want want;
	struct spans open;       /* calls, by pid, or for idle tasks 2^32 + cpu */
	uint64_t first;          /* time of the first return by the tracer's clock, 0 none */
	struct funcgraph_stats stats;
};

/* -ENOENT: the kernel has no function_graph events. */
int funcgraph_init(struct funcgraph *g, const struct funcgraph_want *w, struct err *e);
void funcgraph_deinit(struct funcgraph *g);

/* The next record in order of time, of any event: others only tell of losses. 0, -ENOMEM, or the callback's result. */
int funcgraph_add(struct funcgraph *g, const struct tstream_rec *rec);

/* Functions that a thread is in, innermost first, at most max; cpu tells the idle threads apart. Returns how many. */
size_t funcgraph_open(const struct funcgraph *g, uint32_t pid, uint32_t cpu, uint64_t *func, size_t max);

/* No more records: what is still open is counted as unfinished. */
void funcgraph_end(struct funcgraph *g);

#endif
