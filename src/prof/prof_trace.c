/* prof_trace.c - sonde prof trace: prints events, a line each. */
#include "engine/line.h"
#include "engine/tallied_stacks.h"
#include "prof/stacks.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_SUB(prof_filter_opts, struct want, prof),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_SUB(prof_bpf_opts, struct want, prof),
	OPT_END,
};

struct trace {
	struct prof_stacks stacks;
	struct tallied_stacks counted;
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
	/* The flame graph replaces the lines. */
	if (t->stacks.flame)
		return prof_stacks_draw(&t->stacks, p, stack, h->tid, 1);
	line_put(&p->feed, h, t->out);
	out_char(t->out, '\n');
	if (stack)
		callers_put(&t->stacks.callers, stack, t->out);
	return 0;
}

/* --- flame graphs of stacks that BPF programs have counted --- */

static int ask(struct prof *p, struct tally_event *asks, struct err *why)
{
	const struct trace *t = p->own;

	if (!t->stacks.flame || !prof_want(p)->chains.graph.on)
		return -EOPNOTSUPP;
	/* Mmap records may arrive after the end of the interval to which they belong. */
	if (t->stacks.interval)
		return err_set(why, EOPNOTSUPP, "stacks of an interval have no names yet when it ends");
	for (size_t i = 0; i < p->feed.taps.n; i++)
		asks[i].is_by_stack = true;
	return 0;
}

static int record(struct prof *p, const struct session_item *item UNUSED)
{
	struct trace *t = p->own;

	/* Without memory some names remain unknown. */
	tallied_stacks_note(&t->counted, &p->feed);
	return 0;
}

static int stacked(struct prof *p, const struct tally_stack *s)
{
	struct trace *t = p->own;
	uint32_t stack = tallied_callers(&t->counted, &t->stacks.callers, s);

	/* The idle task is called swapper/N by its CPU: use one name for all. */
	return stack == CALLTREE_NONE ? -ENOMEM
				      : prof_stacks_add(&t->stacks, stack, s->pid ? s->comm : "swapper", s->n);
}

static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e)
{
	struct trace *t = p->own;

	return prof_stacks_show(&t->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct trace *t = p->own;

	tallied_stacks_deinit(&t->counted);
	prof_stacks_close(&t->stacks);
}

DEFINE_PROF(trace) = {
	.cmd = {
		.name = "trace", .family = "prof", .brief = "Print events as they occur",
		.synopsis = "-e <events> [options] [-- command [arguments]]",
		.details = PACKED(
			"With --flame-graph no lines are printed, and a BPF program counts the call chains if it can "
			"(the first line says so; --no-bpf counts in user space)."),
		.examples = PACKED(
			"sonde prof trace -e sched:sched_wakeup -C 0 -g\twakeups on CPU 0, with call chains\n"
			"sonde prof trace -e 'sched:sched_wakeup/comm~\"java\"/' -N 20\ttwenty events\n"
			"sonde prof trace -e skb:kfree_skb -g --flame-graph drops\tflame graph of dropped packets\n"
			"sonde prof trace -e sched:sched_switch help\tthe event's fields and attributes\n"
			"sonde prof trace -e sched:sched_wakeup,sched:sched_switch -- ls\ta command"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct trace), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
	.ask = ask, .stacked = stacked, .record = record, .lines = true,
};
