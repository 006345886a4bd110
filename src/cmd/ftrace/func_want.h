/*
 * func_want.h - what perf's ftrace commands are told: targets, functions, options of the two function tracers; turned
 * into a plan and a run.
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
	uint64_t buffer;               /* bytes of each CPU's; 0: as it is */
	uint64_t depth, thresh;        /* thresh: us */
	unsigned graph_opts;           /* bits: index in the table of func_want.c */
	bool call_graph, irq_info, inherit, verbose;
	const char *sep;               /* -x */
	bool json;
};

/* For OPT_SUB(..., struct want, func) of a want whose func is a struct func_want. */
extern const struct opt func_target_opts[];   /* -a -C -p --tid --inherit -m -v */
extern const struct opt func_filter_opts[];   /* -T -N -G -g */
extern const struct opt func_form_opts[];     /* -j -x */

/* OPT_CALL_WANT for a want that begins with a struct func_want. */
int func_graph_opts(void *want, const char *value, struct err *e);
int func_func_opts(void *want, const char *value, struct err *e);

/* Owned by the caller; filled by func_setup. */
struct func_run {
	struct ctx *c;
	const struct func_want *want;
	struct target target;
	struct plan plan;
	struct live_want how;          /* .run.before and .run.arg are the caller's */
	struct live live;
	bool begun;
	char cpumask[CPUS_MAX / 32 * 9 + 1];
};

/*
 * tracer: "function", "function_graph" or NULL (the caller adds events to the plan). argv: the words behind the
 * options. Ends with func_end, also when it failed.
 * -EINVAL: wrong usage.
 */
int func_setup(struct func_run *f, struct ctx *c, const struct func_want *w, const char *tracer, char **argv,
	       struct err *e);
void func_end(struct func_run *f);

/* live_begin, and what is set then; live_go and live_next are the caller's. */
int func_begin(struct func_run *f, struct err *e);

/* live_end, whatever r the run had so far, and what it had to say; g may be NULL. The exit code. */
int func_finish(struct func_run *f, struct funcgraph *g, int r, struct err *e);

/* ns as us with three digits behind the point, right-aligned. */
void func_put_us(struct out *o, uint64_t ns, unsigned width);

#endif
