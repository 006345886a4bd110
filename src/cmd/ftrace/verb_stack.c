/* verb_stack.c - sonde ftrace stack: the deepest kernel stack seen. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/loglevel.h"
#include "cmd/ftrace/verbs.h"
#include "tracing/undo.h"

#define SWITCH "/proc/sys/kernel/stack_tracer_enabled"

struct stack_want {
	bool start, stop, reset;
	struct opt_list functions;
	enum loglevel loglevel;
};

static const struct opt opts[] = {
	OPT_FLAG(0, "start", struct stack_want, start, "start the stack tracer"),
	OPT_LIST('l', NULL, struct stack_want, functions, "<func>",
		"with --start: check only at calls of these functions"),
	OPT_FLAG(0, "stop", struct stack_want, stop, "stop the stack tracer"),
	OPT_FLAG(0, "reset", struct stack_want, reset, "reset the maximum"),
	OPT_LOGLEVEL(0, struct stack_want, loglevel),
	OPT_END,
};

static int show(struct ctx *c, const struct tfs *t, struct err *e)
{
	char on[16], *text;
	struct sv rest, line;
	size_t n;
	int r = tfs_read_all(t, "stack_trace", &text, &n, e);

	if (r)
		return r;
	tfs_get(t, SWITCH, on, sizeof(on));
	out_printf(c->out, "(stack tracer %srunning)\n", *on == '1' ? "" : "not ");
	rest = (struct sv){ text, n };
	while (sv_cut(&rest, '\n', &line)) {
		if (!line.n || *line.s == '#')
			continue;
		out_sv(c->out, line);
		out_char(c->out, '\n');
	}
	free(text);
	return 0;
}

/* The stack tracer stays on until --stop, or `reset --ours`, which also restores the list of functions. */
static int begin(const struct ctx *c, const struct stack_want *w, const struct tfs *t, struct err *e)
{
	struct undo *u = undo_new(c->sys, e);
	struct mem_out m;
	struct err ignored;
	int r = u ? 0 : -e->code;

	mem_out_init(&m);
	for (size_t i = 0; i < w->functions.n; i++)
		out_printf(&m.out, "%s\n", w->functions.v[i]);
	if (!r && w->functions.n)
		r = undo_put(u, t, "stack_trace_filter", mem_out_str(&m), e);
	if (r == -EINVAL)
		err_hint(e, "'list -f' shows the functions there are");
	r = r ? r : undo_put(u, t, SWITCH, "1", e);
	mem_out_deinit(&m);
	if (u && r)
		undo_finish(u, &ignored);
	return r ? r : undo_keep(u, e);
}

static int stack_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct stack_want *w = want;
	struct err e = { 0 };
	struct tfs t;
	int r = w->functions.n && !w->start ? err_set(&e, EINVAL, "-l goes with --start")
		: w->start && w->stop	    ? err_set(&e, EINVAL, "--start and --stop exclude each other")
						    : 0;

	loglevel_apply(c, w->loglevel);
	r = r ? r : buffers_one(c, NULL, &t, &e);
	if (!r && !tfs_has(&t, "stack_trace")) {
		r = err_set(&e, ENOENT, "this kernel has no stack tracer");
		err_hint(&e, "it needs CONFIG_STACK_TRACER");
	}
	if (!r && w->reset)
		r = tfs_put(&t, "stack_max_size", "0", &e);
	if (!r && w->start)
		r = begin(c, w, &t, &e);
	else if (!r && w->stop)
		r = tfs_put(&t, SWITCH, "0", &e);
	if (!r && !w->reset && !w->start && !w->stop)
		r = show(c, &t, &e);
	return buffers_done(c, r, &e);
}

DEFINE_VERB(
	stack, "stack", .brief = "Show the deepest kernel stack (stack tracer)",
	.examples = PACKED(
		"sonde ftrace stack --start\tcheck at every function call (slow)\n"
		"sonde ftrace stack --start -l 'ext4_*'\tonly at calls of ext4 functions\n"
		"sonde ftrace stack\tprint the deepest stack\n"),
	.opts = opts, .want_size = sizeof(struct stack_want), .run = stack_run);
