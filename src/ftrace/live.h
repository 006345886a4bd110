/*
 * live.h - a running trace: the events of every CPU given to a callback in order of time while they happen.
 *
 *   struct live_want w = { .run = { .sys = sys, .plans = &plan, .n_plans = 1, .argv = argv, .who = RUN_WORKLOAD },
 *			    .begin = on_begin, .record = on_record, .idle = flush, .arg = &mine };
 *   r = live_run(&w, &result, e);
 *
 * live_run does everything: buffers by their plans, workload held, tracing on, loop, Ctrl-C, tracing off, the rest of
 * the data, settings put back. Memory is one sub-buffer for each CPU.
 *
 * Order: an event is given when every CPU has been read after it: late by LIVE_SLACK at the least. What comes later
 * than that (a CPU that was stopped in the middle of writing) is given nevertheless and counted in stats.late.
 */
#ifndef FTRACE_LIVE_H
#define FTRACE_LIVE_H

#include "ftrace/run.h"
#include "tracefs/events.h"
#include "tracefs/stream.h"

#define LIVE_SLACK UINT64_C(2000000)   /* ns an event may take from its time stamp to be seen in the buffer */

enum live_rest {
	LIVE_REST_ALL,      /* at the end everything in the buffers is still given; a second signal breaks that off */
	LIVE_REST_DROP,     /* after a signal nothing more is given; result.unread counts it */
};

struct live {
	struct run run;
	struct tevents events;         /* formats of this kernel, names of threads (kept fresh), printk formats */
	struct tstream_ring *rings;    /* rings[rec->ring]: cpu, buffer (index of run.buffers) */
	size_t n_rings;
	struct tstream *stream;        /* of the records: for tstream_peek and tstream_skip in `record` */
	struct live_parts *parts;
};

struct live_want {
	struct run_want run;
	enum live_rest rest;
	/* All set up, not yet tracing: make what the formats are needed for. May be NULL. */
	int (*begin)(void *arg, struct live *l, struct err *e);
	/* Tracing is on, a signal only ends it, and a workload runs. May be NULL. */
	void (*tracing)(void *arg);
	/* 0: go on; 1: it is enough, tracing ends; -errno. rec is valid during the call. */
	int (*record)(void *arg, const struct tstream_rec *rec, struct err *e);
	/* Nothing is there for now, before it sleeps: flush the output; also every 200 ms in a flood. */
	void (*idle)(void *arg);
	void *arg;
};

struct live_result {
	struct tstream_stats stats;
	uint64_t overrun;      /* events lost because the buffers were full, as the kernel counts them */
	uint64_t dropped;      /* the same with the nooverwrite option */
	uint64_t unread;       /* events left in the buffers: LIVE_REST_DROP, or it was broken off */
	uint64_t traced_ns;    /* from tracing on to tracing off */
	enum run_state state;  /* what ended it; RUN_GOES: the callback */
	int status;            /* the workload's exit status (0 without one, or when it was only watched) */
	int signal;            /* the one that ended it, 0 */
};

/* 0, or -errno; the result is filled in both cases, and everything has been put back. */
int live_run(const struct live_want *w, struct live_result *res, struct err *e);

#endif
