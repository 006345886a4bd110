/*
 * run.h - one tracing run, whoever reads its data: buffers set up by their plans, the workload held before its exec,
 * tracing switched on, the wait for the end, and everything put back.
 *
 *   run_begin    opens, places and applies; the workload is forked and held; nothing is traced yet
 *   run_go       tracing on, the workload runs
 *   run.loop     what happens: it has ended when loop.state is not LOOP_RUNS any more
 *   run_stop     tracing off
 *   run_end      settings are put back, the workload is waited for
 */
#ifndef LIVE_RUN_H
#define LIVE_RUN_H

#include "tracing/plan.h"
#include "live/loop.h"

enum run_who {
	RUN_EVERYONE,
	RUN_WORKLOAD,     /* -F: only the command; with plan.follow also what it starts */
};

struct run;

struct run_want {
	const struct sys *sys;
	const struct plan *plans;      /* one for each buffer; at least one, borrowed */
	size_t n_plans;
	char **argv;                   /* the workload or NULL: until a signal, or the end of the plans' pids */
	enum run_who who;
	struct child_how child;        /* how argv is run */
	uint64_t limit_ns;             /* 0: none */
	uint64_t delay_ns;             /* tracing starts this long after the workload */
	bool keep;                     /* settings stay as they are at the end, as those of `start` do (record -k) */
	/* Before any buffer is made: what has to outlive them, as synthetic events do. r->undo, r->top. Or NULL. */
	int (*before)(void *arg, struct run *r, struct err *e);
	void *arg;
};

struct run_buffer {
	const struct plan *plan;
	struct tfs tfs;
	char why[160];                 /* why it is the top one; "" */
};

struct run {
	const struct run_want *want;   /* borrowed */
	const struct sys *sys;
	struct tfs top;
	struct undo *undo;
	VEC(struct run_buffer) buffers;
	struct loop loop;              /* with the workload */
	VEC(int) pids;                 /* of all plans */
	uint64_t started;              /* CLOCK_MONOTONIC ns */
	bool on;                       /* tracing */
};

/* Nothing to be ended yet; run_begin does it, too. */
void run_init(struct run *r, const struct sys *sys);

/* Failed: everything is put back, run_end is not to be called. A command that cannot be run is told by run_go. */
int run_begin(struct run *r, const struct run_want *w, struct err *e);
int run_go(struct run *r, struct err *e);

int run_stop(struct run *r, struct err *e);

/* Settings are put back; the buffers are gone after this. run_end does it otherwise. */
int run_restore(struct run *r, struct err *e);

/* The rest: a workload that still runs gets SIGTERM and is waited for. */
int run_end(struct run *r, struct err *e);

#endif
