/*
 * live.h - a running trace as a source: the events of all CPUs in time order, as they happen.
 *
 *	struct live_want w = { .run = { .sys = sys, .plans = &plan, .n_plans = 1, .argv = argv, .who = RUN_WORKLOAD } };
 *
 *	r = live_begin(&l, &w, e);           all is set up, the workload held, formats are known; nothing is traced yet
 *	if (r)
 *		return r;
 *	r = live_go(&l, e);
 *	while (!r && (what = source_next(&l.source, &rec, e)) != SOURCE_END)
 *		...                          r = what < 0 ? what : ...
 *	ended = live_end(&l, &result, r ? NULL : e);
 *
 * SOURCE_NOTHING: no data now, and the next call will sleep: flush the output. It is also returned now and then during
 * a flood of events.
 *
 * Memory use is one sub-buffer per CPU. Ctrl-C ends the tracing; the remaining data is still returned.
 *
 * A session over it (session_over) works like one over a recording of the same run: event types are registered when
 * they first occur, thread names come from the events and from the kernel's saved ones, and the mappings of a process
 * are looked up at its first user stack.
 *
 * Order: an event is returned once every CPU has been read past it, so with a delay of at least LIVE_SLACK. An event
 * that arrives later than that (its CPU was stopped in the middle of writing) is still returned, and counted in
 * stats.late.
 */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include "live/ringset.h"
#include "live/run.h"
#include "source/source.h"

#define LIVE_SLACK UINT64_C(2000000)   /* ns an event may take from its time stamp to be seen in the buffer */

enum live_rest {
	LIVE_REST_ALL,      /* at the end everything in the buffers is still returned, until a second signal */
	LIVE_REST_DROP,     /* after a signal nothing more is returned; result.unread counts the rest */
};

struct live_want {
	struct run_want run;
	enum live_rest rest;
};

struct live {
	struct source source;          /* first; its trace has the names of threads (kept fresh), printk formats */
	struct perf_head head;         /* without events: what occurs is known when it occurs */
	const struct live_want *want;  /* borrowed */
	struct run run;
	struct ringset set;            /* of run.buffers; its stream: for tstream_peek and tstream_skip */
	/* The rest is its own. */
	struct pollfd *polls;          /* the loop's first, then the rings' */
	enum { LIVE_ROUND_BEGINS, LIVE_IN_ROUND, LIVE_SLEEPS, LIVE_STOPS, LIVE_OVER } phase;
	uint64_t limit;                /* of this round: time of the newest event that may be given */
	uint64_t in_round;             /* events */
	unsigned countdown;            /* events until it is looked at what else happens */
	uint64_t comms_read, idled;
	bool enough;                   /* for who pulls, or the user */
	enum loop_state state;         /* when tracing ended */
	uint64_t traced_ns;
};

struct live_result {
	struct tstream_stats stats;
	uint64_t overrun;      /* events lost because the buffers were full, as the kernel counts them */
	uint64_t dropped;      /* the same with the nooverwrite option */
	uint64_t unread;       /* events left in the buffers: LIVE_REST_DROP, or reading was interrupted */
	uint64_t traced_ns;    /* from tracing on to tracing off */
	enum loop_state state; /* what ended it; LOOP_RUNS: live_enough */
	int status;            /* the workload's exit status (0 without one, or when it was only watched) */
	int signal;            /* the signal that ended it, or 0 */
};

/* On failure all settings are restored; do not call live_end. */
int live_begin(struct live *l, const struct live_want *w, struct err *e);

/* Switches tracing on and starts the workload. From here on a signal only ends the tracing. */
int live_go(struct live *l, struct err *e);

/* Stops early: tracing ends, and data still in the buffers is not read. */
void live_enough(struct live *l);

/* Restores all settings. The result is also filled after an error. */
int live_end(struct live *l, struct live_result *res, struct err *e);

#endif
