/*
 * funcgraph.h - calls from the function_graph tracer's records: entries and returns of each task are paired by depth
 * and function; self time is without the calls inside.
 *
 * A return has both call time and return time in all kernels up to 6.18, so its duration is right even if its entry was
 * lost; if the format lacks calltime, the time stamp of the entry counts. A call across lost events has no known self
 * time, and without the kernel's calltime it is not counted.
 */
#ifndef ANALYSE_FUNCGRAPH_H
#define ANALYSE_FUNCGRAPH_H

#include "analyse/spans.h"
#include "tracefs/format/events.h"

/* ns of the trace clock. */
struct funcgraph_call {
	uint64_t func;           /* address in the function, as the tracer has it */
	uint64_t start, total, self;
	uint32_t pid, cpu;       /* tid; the CPU on which it returned */
	uint32_t depth;
	bool self_known;         /* false: self is 0 */
};

struct funcgraph_stats {
	uint64_t calls;          /* calls passed to the callback */
	uint64_t unfinished;     /* entries without a return: the trace ended, or the function never returns */
	uint64_t headless;       /* returns without an entry; those with times are counted as calls, too */
	uint64_t spanned;        /* calls across lost events, with unknown self time */
	uint64_t discarded;      /* calls across lost events that were not counted */
};

struct funcgraph_want {
	const struct tevents *events;   /* borrowed until deinit */
	/* Called for each finished call, in order of returns; non-zero is returned by funcgraph_add(). */
	int (*call)(void *arg, const struct funcgraph_call *c);
	void *arg;
	/*
	 * The records start when tracing started: calls that were entered earlier, while the tracer was on for another
	 * user, do not belong to this trace; their returns only count as headless.
	 */
	bool fresh;
};

enum { FUNCGRAPH_DEPTH = 512, FUNCGRAPH_TASKS = 16384 };

struct funcgraph {
	struct funcgraph_want want;
	struct spans open;       /* open calls, by tid, or for idle tasks by 2^32 + cpu */
	uint64_t first;          /* rettime of the first return, 0: none */
	struct funcgraph_stats stats;
};

/* -ENOENT: the kernel has no function_graph events. */
int funcgraph_init(struct funcgraph *g, const struct funcgraph_want *w, struct err *e);
void funcgraph_deinit(struct funcgraph *g);

/* The next record in order of time, of any event, since all tell of losses. 0, -ENOMEM, or the callback's result. */
int funcgraph_add(struct funcgraph *g, const struct tstream_rec *rec);

/* The functions that a thread is in, innermost first, at most max; cpu is for idle threads. Returns their number. */
size_t funcgraph_open(const struct funcgraph *g, uint32_t pid, uint32_t cpu, uint64_t *func, size_t max);

/* No more records: open calls count as unfinished. */
void funcgraph_end(struct funcgraph *g);

#endif
