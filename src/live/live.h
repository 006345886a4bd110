/*
 * live.h - a running ftrace trace as a source: the events of all CPUs, in order of time, while they happen.
 *
 *	struct live_want w = { .run = { .sys = sys, .plans = &plan, .n_plans = 1, .argv = argv, .who = RUN_WORKLOAD } };
 *
 *	r = live_begin(&l, &w, e);           set up, workload held, formats read; nothing is traced yet
 *	if (r)
 *		return r;
 *	r = live_go(&l, e);
 *	while (!r && (what = source_next(&l.source, &rec, e)) != SOURCE_END)
 *		...                          r = what < 0 ? what : ...
 *	ended = live_end(&l, &result, r ? NULL : e);
 *
 * SOURCE_NOTHING: no event is available, and the next call will sleep, so flush the output. Under a constant load of
 * events it is returned now and then for the same purpose.
 *
 * Memory is one sub-buffer for each CPU. Ctrl-C ends the tracing; the rest of the data follows.
 *
 * A session over it (session_over) behaves as one over the recording of the same run: event types are added when they
 * occur, thread names come from events and from the kernel's saved_cmdlines, and the maps of a process are read when
 * its first user stack comes.
 *
 * Order: an event is returned when every CPU has been read after its time, at least LIVE_SLACK later. One that becomes
 * visible even later (its CPU was stopped while writing it) is still returned, and counted in stats.late.
 */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include "live/ringset.h"
#include "live/run.h"
#include "source/source.h"

#define LIVE_SLACK UINT64_C(2000000)   /* ns that may pass between an event's time stamp and its being readable */

enum live_rest {
	LIVE_REST_ALL,      /* after the end return everything that is in the buffers, or until a second signal */
	LIVE_REST_DROP,     /* after a signal return nothing more; result.unread counts the rest */
};

struct live_want {
	struct run_want run;
	enum live_rest rest;
};

struct live {
	struct source source;          /* must be first; its trace has thread names (updated) and printk formats */
	struct perf_head head;         /* without events: they are added when they occur */
	const struct live_want *want;  /* borrowed */
	struct run run;
	struct ringset set;            /* the rings of run.buffers; its stream is for tstream_peek and tstream_skip */
	/* The rest is private to live.c. */
	struct pollfd *polls;          /* the loop's descriptor, then the rings' */
	enum { LIVE_ROUND_BEGINS, LIVE_IN_ROUND, LIVE_SLEEPS, LIVE_STOPS, LIVE_OVER } phase;
	uint64_t limit;                /* newest time stamp that may be returned in this round */
	uint64_t in_round;             /* events returned in this round */
	unsigned countdown;            /* events until the next look_around() */
	uint64_t comms_read, idled;    /* times of the last such actions, ns of CLOCK_MONOTONIC */
	bool enough;                   /* return no more events */
	enum loop_state state;         /* loop.state when tracing ended */
	uint64_t traced_ns;
};

struct live_result {
	struct tstream_stats stats;
	uint64_t overrun;      /* events lost because the buffers were full, as the kernel counts them */
	uint64_t dropped;      /* the same, with the option nooverwrite */
	uint64_t unread;       /* events left in the buffers: by LIVE_REST_DROP, live_enough or a second signal */
	uint64_t traced_ns;    /* from tracing on to tracing off */
	enum loop_state state; /* what ended it; LOOP_RUNS: live_enough */
	int status;            /* the workload's exit status; 0: there was none, or it was only watched */
	int signal;            /* the signal that ended the run, 0: none */
};

/* Set up. After an error all settings are restored, and live_end must not be called. */
int live_begin(struct live *l, const struct live_want *w, struct err *e);

/* Switch tracing on and start the workload. */
int live_go(struct live *l, struct err *e);

/* End the tracing, and return no more events, even of those in the buffers. */
void live_enough(struct live *l);

/* Restore all settings and free everything. The result is filled even after an error. */
int live_end(struct live *l, struct live_result *res, struct err *e);

#endif
