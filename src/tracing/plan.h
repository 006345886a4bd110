/*
 * plan.h - what is to be traced, and applying it to a buffer: shared by record, start, stream, set, extract, profile
 * and by perf's ftrace. Options are parsed into it by cmd/ftrace/want.
 */
#ifndef TRACING_PLAN_H
#define TRACING_PLAN_H

#include "base/vec.h"
#include "tracing/undo.h"

struct plan_event {
	const char *pattern;      /* "all", "sched", "sched:sched_switch", "sched_switch", globs */
	bool exclude;             /* after -v */
	const char *filter;       /* NULL: none */
	VEC(const char *) triggers;
};

typedef VEC(const char *) plan_words;
typedef VEC(int) plan_pids;

struct plan {
	const char *tracer;            /* NULL: leave it at nop */
	VEC(struct plan_event) events;
	plan_words functions, notrace, graph, nograph;   /* globs, "func:command", "*:mod:x" */
	plan_words options;            /* "sym-addr", "nooverwrite" */
	const char *module;            /* for function patterns that name no module */
	const char *clock;
	const char *cpumask;           /* hex words, or a list "0-3,8" */
	uint64_t buffer_kb;            /* per CPU; 0: unchanged */
	uint64_t subbuf_kb;            /* 0: unchanged */
	uint64_t graph_depth;          /* 0: no limit */
	uint64_t cmdlines;             /* size of saved_cmdlines; 0: unchanged */
	plan_words settings;           /* "osnoise/period_us=1000": settings.h */
	plan_pids pids;                /* only these threads */
	plan_pids not_pids;            /* not these threads */
	bool follow;                   /* also their children */
	bool event_stacks, func_stack; /* -T, --func-stack */
	bool missing_ok;               /* skip events that do not exist (-i) */
	bool no_functions;             /* -d: no function tracing in tracers that do it on the side */
	bool ftrace_off;               /* -D: no function tracing at all, by ftrace_enabled */
	bool add; /* `set`: keep what is not named: lists of functions and pids, tracing_on */
	bool top;                      /* use the top buffer */
	const char *instance;          /* NULL: one of our own, or the top buffer where the tracer needs it */
};

void plan_deinit(struct plan *p);

/*
 * Choose the buffer t: an instance of our own, or the top buffer when it was asked for, or when the tracer or another
 * setting works only there; `why` says in a line why it is the top buffer, else "".
 */
int plan_place(const struct plan *p, struct undo *u, const struct tfs *top, struct tfs *t, char why[160],
	       struct err *e);

/*
 * Apply all settings to t with tracing off, in an order that never lets more events through than were asked for. Pids
 * are set last: plan_add_pid adds the held child's. A buffer that is not of our own making is cleared, unless p->add.
 */
int plan_apply(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

/*
 * Output of BPF programs (bpf_trace_printk) goes to the top buffer, where the kernel enables its event: enable it in
 * this buffer, too, unless the plan excludes it. Kernels before 5.9 have no such event.
 */
int plan_bpf_prints(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

int plan_add_pid(const struct plan *p, struct undo *u, const struct tfs *t, int pid, struct err *e);

/* Exclude a thread, whatever else is traced: our own readers. Kernels before 5.7 cannot do that, which is no error. */
int plan_ignore_pid(struct undo *u, const struct tfs *t, int pid, struct err *e);

/* The text for tracing_cpumask from a mask "f", a list "0-3,8" or "-1" (all CPUs). */
enum { PLAN_MASK = CPUS_MAX / 4 + CPUS_MAX / 32 + 8 };
int plan_cpumask(const struct sys *sys, const char *want, char mask[PLAN_MASK], struct err *e);

/* Set a trace option, "print-parent"; a "no" in front switches it off. */
int plan_option(struct undo *u, const struct tfs *t, const char *word, struct err *e);

/* Does the buffer support the tracer? If not, an error with the nearest name. */
int plan_tracer(const struct tfs *t, const char *tracer, struct err *e);

/* Write tracing_on. */
int plan_start(struct undo *u, const struct tfs *t, struct err *e);
int plan_stop(const struct tfs *t, struct err *e);

#endif
