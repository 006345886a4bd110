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
	const char *filter;       /* NULL none */
	VEC(const char *) triggers;
};

typedef VEC(const char *) plan_words;
typedef VEC(int) plan_pids;

struct plan {
	const char *tracer;            /* NULL: leave nop */
	VEC(struct plan_event) events;
	plan_words functions, notrace, graph, nograph;   /* globs, "func:command", "*:mod:x" */
	plan_words options;            /* "sym-addr", "nooverwrite" */
	const char *module;            /* for function patterns without one of their own */
	const char *clock;
	const char *cpumask;           /* hex words, or a list "0-3,8" */
	uint64_t buffer_kb;            /* of each CPU; 0 leave */
	uint64_t subbuf_kb;            /* 0 leave */
	uint64_t graph_depth;          /* 0 no limit */
	uint64_t cmdlines;             /* names of threads the kernel remembers; 0 leave */
	plan_words settings;           /* "osnoise/period_us=1000": settings.h */
	plan_pids pids;                /* only these threads */
	plan_pids not_pids;            /* not these threads */
	bool follow;                   /* and their children */
	bool event_stacks, func_stack; /* -T, --func-stack */
	bool missing_ok;               /* an event that is not there is passed over (-i) */
	bool no_functions;             /* -d: tracers that also trace functions do not */
	bool ftrace_off;               /* -D: nobody does, by ftrace_enabled */
	bool add; /* `set`: what is not named stays as it is: lists of functions and pids, tracing_on */
	bool top;                      /* the top buffer is wanted */
	const char *instance;          /* NULL: one of our own, or the top one where the tracer needs it */
};

void plan_deinit(struct plan *p);

/*
 * Choose the buffer (an instance of its own; the top one when asked for, or when the tracer, or what only the top
 * buffer can do, needs it) into t; `why` tells in a line why it is the top one, else "".
 */
int plan_place(const struct plan *p, struct undo *u, const struct tfs *top, struct tfs *t, char why[160],
	       struct err *e);

/*
 * Set everything up in t with tracing off, in an order that never lets more through than was asked for. Pids are
 * set last: plan_add_pid adds that of a held child. What a buffer that is not of our own making held is gone then,
 * unless p->add.
 */
int plan_apply(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

/*
 * What BPF programs print (bpf_trace_printk) goes to the top buffer, where the kernel switches its event on: switch it
 * on in this one, too, unless the plan leaves it out. Kernels before 5.9 have no such event.
 */
int plan_bpf_prints(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

int plan_add_pid(const struct plan *p, struct undo *u, const struct tfs *t, int pid, struct err *e);

/* Not this thread, whatever else is traced: our own readers. Kernels before 5.7 cannot, which is no error. */
int plan_ignore_pid(struct undo *u, const struct tfs *t, int pid, struct err *e);

/* Text for tracing_cpumask of a mask "f", a list "0-3,8" or "-1", which are all CPUs. */
enum { PLAN_MASK = CPUS_MAX / 4 + CPUS_MAX / 32 + 8 };
int plan_cpumask(const struct sys *sys, const char *want, char mask[PLAN_MASK], struct err *e);

/* A trace option, "print-parent"; behind "no" it is switched off. */
int plan_option(struct undo *u, const struct tfs *t, const char *word, struct err *e);

/* An error with the nearest name when the buffer cannot have it. */
int plan_tracer(const struct tfs *t, const char *tracer, struct err *e);

/* tracing_on. */
int plan_start(struct undo *u, const struct tfs *t, struct err *e);
int plan_stop(const struct tfs *t, struct err *e);

#endif
