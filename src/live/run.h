/*
 * run.h - one ftrace run, without the reading of its data: set up the buffers by their plans, hold the workload before
 * its exec, switch tracing on, wait for the end, restore all settings.
 *
 *   run_begin    sets up the buffers; the workload is forked and held; nothing is traced yet
 *   run_go       switches tracing on and starts the workload
 *   run.loop     to wait with: the run has ended when loop.state is not LOOP_RUNS
 *   run_stop     switches tracing off
 *   run_end      restores settings and waits for the workload
 */
#ifndef LIVE_RUN_H
#define LIVE_RUN_H

#include "tracing/plan.h"
#include "live/loop.h"

enum run_who {
	RUN_EVERYONE,
	RUN_WORKLOAD,     /* -F: only the command; with plan.follow also its children */
};

struct run;

struct run_want {
	const struct sys *sys;
	const struct plan *plans;      /* one per buffer, at least one; borrowed */
	size_t n_plans;
	char **argv;                   /* the workload; NULL: trace until a signal or the end of the plans' pids */
	enum run_who who;
	struct child_how child;        /* how argv is run */
	uint64_t limit_ns;             /* 0: none */
	uint64_t delay_ns;             /* tracing starts this long after the workload */
	bool keep;                     /* do not restore settings at the end (record -k) */
	/*
	 * Called before any buffer is set up, with r->undo and r->top: for what has to outlive the buffers, such as
	 * synthetic events. May be NULL.
	 */
	int (*before)(void *arg, struct run *r, struct err *e);
	void *arg;
};

struct run_buffer {
	const struct plan *plan;
	struct tfs tfs;
	char why[160];                 /* a note: why it is the top buffer, or that others use it, too; "": none */
};

struct run {
	const struct run_want *want;   /* borrowed */
	const struct sys *sys;
	struct tfs top;
	struct undo *undo;
	VEC(struct run_buffer) buffers;
	struct loop loop;              /* loop.child is the workload */
	VEC(int) pids;                 /* the pids (-P) of all plans */
	uint64_t started;              /* ns of CLOCK_MONOTONIC */
	bool on;                       /* tracing is on */
};

/* Makes run_end harmless before run_begin, which calls it itself. */
void run_init(struct run *r, const struct sys *sys);

/*
 * After an error of run_begin everything is restored, and run_end need not be called. That the command cannot be
 * executed is an error of run_go.
 */
int run_begin(struct run *r, const struct run_want *w, struct err *e);
int run_go(struct run *r, struct err *e);

int run_stop(struct run *r, struct err *e);

/* Restore settings and remove the run's buffers, earlier than run_end does it. */
int run_restore(struct run *r, struct err *e);

/* End what is still to be ended. A workload that still runs gets SIGTERM and is waited for. */
int run_end(struct run *r, struct err *e);

#endif
