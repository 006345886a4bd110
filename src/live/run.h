/*
 * run.h - a tracing run, independent of who reads its data: set up the buffers by their plans, hold the workload before
 * its exec, switch tracing on, wait for the end, and restore all settings.
 *
 *   run_begin    opens the buffers and applies the plans; the workload is forked and held; nothing is traced yet
 *   run_go       tracing on, the workload runs
 *   run.loop     the events of the run: it has ended when loop.state is no longer LOOP_RUNS
 *   run_stop     tracing off
 *   run_end      restores the settings and waits for the workload
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
	const struct plan *plans;      /* one per buffer; at least one, borrowed */
	size_t n_plans;
	char **argv;                   /* the workload; NULL: run until a signal or the exit of the plans' pids */
	enum run_who who;
	struct child_how child;        /* how argv is run */
	uint64_t limit_ns;             /* 0: none */
	uint64_t delay_ns;             /* tracing starts this long after the workload */
	bool keep;                     /* do not restore the settings at the end, like `start` (record -k) */
	/* Called before any buffer is created, to make what must outlive them (synthetic events), with r->undo and
	 * r->top; may be NULL. */
	int (*before)(void *arg, struct run *r, struct err *e);
	void *arg;
};

struct run_buffer {
	const struct plan *plan;
	struct tfs tfs;
	char why[160];                 /* why the top-level buffer is used; "" if it is not */
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
	bool on;                       /* tracing is on */
};

/* Nothing is started yet; run_begin calls it, too. */
void run_init(struct run *r, const struct sys *sys);

/* On failure all settings are restored; do not call run_end. A command that cannot be run is reported by run_go. */
int run_begin(struct run *r, const struct run_want *w, struct err *e);
int run_go(struct run *r, struct err *e);

int run_stop(struct run *r, struct err *e);

/* Settings are put back; the buffers are gone after this. run_end does it otherwise. */
int run_restore(struct run *r, struct err *e);

/* The rest: a workload that still runs gets SIGTERM and is waited for. */
int run_end(struct run *r, struct err *e);

#endif
