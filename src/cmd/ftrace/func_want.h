/*
 * func_want.h - options that perf's ftrace commands share: targets, functions, options of both function tracers. They
 * are turned into a plan and a run.
 */
#ifndef CMD_FTRACE_FUNC_WANT_H
#define CMD_FTRACE_FUNC_WANT_H

#include "analyse/funcgraph.h"
#include "cmd/cmd.h"
#include "live/live.h"
#include "live/target.h"

struct func_want {
	struct target_want target;
	struct opt_list trace, notrace, graph, nograph;   /* -T -N -G -g */
	uint64_t buffer;               /* size per CPU in bytes; 0: unchanged */
	uint64_t depth, thresh;        /* thresh: us */
	unsigned graph_opts;           /* bit i: graph_words[i] of func_want.c */
	bool call_graph, irq_info, inherit, verbose;
	const char *sep;               /* -x */
	bool json;
};

/* For OPT_SUB(..., struct want, func) of a want whose func is a struct func_want. */
extern const struct opt func_target_opts[];   /* -a -C -p --tid --inherit -m -v */
extern const struct opt func_filter_opts[];   /* -T -N -G -g */
extern const struct opt func_form_opts[];     /* -j -x */

/* For OPT_CALL_WANT; the want must begin with a struct func_want. */
int func_graph_opts(void *want, const char *value, struct err *e);
int func_func_opts(void *want, const char *value, struct err *e);

/* Owned by the caller; filled by func_setup. */
struct func_run {
	struct ctx *c;
	const struct func_want *want;
	struct target target;
	struct plan plan;
	struct live_want how;          /* the caller may set .run.before and .run.arg */
	struct live live;
	bool begun;
	char cpumask[CPUS_MAX / 32 * 9 + 1];
};

/*
 * tracer: "function", "function_graph", or NULL if the caller adds events to the plan. argv: the words after the
 * options. Call func_end() in the end, also after a failure.
 * -EINVAL: wrong usage.
 */
int func_setup(struct func_run *f, struct ctx *c, const struct func_want *w, const char *tracer, char **argv,
	       struct err *e);
void func_end(struct func_run *f);

/* Call live_begin(), then set tracing_thresh. live_go() and reading the records are left to the caller. */
int func_begin(struct func_run *f, struct err *e);

/* Call live_end(), whatever the result r so far, and print what was lost. g may be NULL. Returns the exit code. */
int func_finish(struct func_run *f, struct funcgraph *g, int r, struct err *e);

/* Print ns as us with three decimals, right-aligned. */
void func_put_us(struct out *o, uint64_t ns, unsigned width);

#endif
