/* prof_trace.c - sonde prof trace: events as they come, a line each. */
#include "engine/line.h"
#include "prof/stacks.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_SUB(prof_filter_opts, struct want, prof),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct trace {
	struct prof_stacks stacks;
	struct out *out;
};

static int prepare(struct prof *p, struct err *e)
{
	bool keyed = prof_want(p)->key;

	for (size_t i = 0; i < p->specs.v.n; i++)
		keyed |= p->specs.v.v[i].key != NULL;
	return keyed ? err_set(e, EINVAL, "-k, key=: trace shows events one by one; multi-trace and top have keys") : 0;
}

static int begin(struct prof *p, struct err *e)
{
	struct trace *t = p->own;

	t->out = p->feed.expr.out;
	return prof_stacks_open(&t->stacks, p, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct trace *t = p->own;
	uint32_t stack = callers_of(&t->stacks.callers, h);

	if (stack == CALLTREE_NONE)
		return -ENOMEM;
	/* A graph stands for the lines. */
	if (t->stacks.flame)
		return prof_stacks_draw(&t->stacks, p, stack, h->tid, 1);
	line_put(&p->feed, h, t->out);
	out_char(t->out, '\n');
	if (stack)
		callers_put(&t->stacks.callers, stack, t->out);
	return 0;
}

static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e)
{
	struct trace *t = p->own;

	return prof_stacks_show(&t->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct trace *t = p->own;

	prof_stacks_close(&t->stacks);
}

DEFINE_PROF(trace) = {
	.cmd = {
		.name = "trace", .family = "prof", .brief = "Print events as they come",
		.synopsis = "-e <events> [options] [-- command [arguments]]",
		.examples =
			"sonde prof trace -e sched:sched_wakeup -C 0 -g\twho wakes whom on CPU 0, with stacks\n"
			"sonde prof trace -e 'sched:sched_wakeup/comm~\"java\"/' -N 20\ttwenty of them\n"
			"sonde prof trace -e skb:kfree_skb -g --flame-graph drops\tdropped packets as a picture\n"
			"sonde prof trace -e sched:sched_switch help\tthe event's fields and what can be said of them\n"
			"sonde prof trace -e sched:sched_wakeup,sched:sched_switch -- ls\tof a command",
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct trace), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
	.lines = true,
};
