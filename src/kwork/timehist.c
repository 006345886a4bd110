/* timehist.c - sonde kwork timehist: a line for each run of each work. */
#include "kwork/kwork.h"

#include "engine/callers.h"

enum { MAX_STACK = 5, SOFTIRQ_FRAMES = 2, TIME_WIDTH = 17, NAME_WIDTH = 30, MS_WIDTH = 10 };

struct want {
	struct kwork_want kwork;
	uint64_t max_stack;
};

static const struct opt opts[] = {
	OPT_HEAD("What is shown"),
	OPT_FLAG('g', "call-graph", struct want, kwork.view.prof.chains.graph.on,
		 "print the call chain of its entry, if recorded, or live"),
	OPT_U64(0, "max-stack", struct want, max_stack, "<n>", "print at most <n> innermost functions (default 5)"),
	OPT_STR(0, "kwork", struct want, kwork.classes, "<classes>",
		"comma-separated: irq, softirq, workqueue (default all)"),
	OPT_HEAD("Input"),
	OPT_STR('i', "input", struct want, kwork.view.prof.from.input, "<file>",
		"recording to read (default perf.data)"),
	OPT_STR('k', "vmlinux", struct want, kwork.view.prof.session.vmlinux, "<file>",
		"vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct want, kwork.view.prof.session.kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_STR(0, "symfs", struct want, kwork.view.prof.session.symfs, "<dir>",
		"folder with the recorded machine's files"),
	OPT_SUB(kwork_opts, struct want, kwork),
	OPT_END,
};

static void defaults(void *want)
{
	((struct want *)want)->max_stack = MAX_STACK;
}

struct timehist {
	struct kwork kwork;
	const struct want *want;
	struct callers callers;
	struct table *table;             /* JSON, CSV; NULL: text */
	struct table_want form;          /* of the table */
	struct out *out;
};

static bool has_chains(const struct timehist *t)
{
	return t->want->kwork.view.prof.chains.graph.on;
}

static int prepare(struct prof *p, struct err *e)
{
	struct timehist *t = p->own;

	t->want = p->want;
	return kwork_add(p, &t->kwork, "irq,softirq,workqueue", 1 << WORK_RAISE | 1 << WORK_ENTRY | 1 << WORK_EXIT, e);
}

static void put_heads(struct out *o)
{
	out_printf(o, " %-17s  %-17s  %-6s  %-30s  %-10s  %-10s\n", "Runtime start", "Runtime end", "Cpu", "Kwork name",
		   "Runtime", "Delaytime");
	out_printf(o, " %-17s  %-17s  %-6s  %-30s  %-10s  %-10s\n", "", "", "", "(TYPE)NAME:NUM", "(msec)", "(msec)");
	out_str(o, " -----------------  -----------------  ------  ------------------------------  ----------  "
		   "----------\n");
}

static int begin_rows(struct timehist *t)
{
	static const struct table_col cols[] = {
		{ "start", NULL, TABLE_RIGHT, 0 }, { "end", NULL, TABLE_RIGHT, 0 }, { "cpu", NULL, TABLE_RIGHT, 0 },
		{ "class", NULL, TABLE_LEFT, 0 }, { "name", NULL, TABLE_LEFT, 0 }, { "id", NULL, TABLE_RIGHT, 0 },
		{ "runtime_ms", NULL, TABLE_RIGHT, 0 }, { "delay_ms", NULL, TABLE_RIGHT, 0 },
	};

	t->form = prof_table(t->kwork.prof);
	if (t->form.form == TABLE_TEXT) {
		put_heads(t->out);
		return 0;
	}
	t->table = table_new_stream(cols, ARRAY_SIZE(cols), &t->form, t->out);
	return t->table ? 0 : -ENOMEM;
}

static int begin(struct prof *p, struct err *e)
{
	struct timehist *t = p->own;
	int r = kwork_begin(p, &t->kwork, e);

	if (r)
		return r;
	t->out = p->feed.expr.out;
	r = has_chains(t) ? callers_open(&t->callers, &p->feed) : 0;
	t->callers.most = (size_t)MIN(t->want->max_stack, (uint64_t)CHAIN_MAX) + SOFTIRQ_FRAMES;
	r = r ? r : begin_rows(t);
	return r ? err_nomem(e) : 0;
}

/* --- rows --- */

static bool is_softirq_entry(const struct hist_frame *f)
{
	return f->sym && (!strcmp(f->sym, "__softirqentry_text_start") || !strcmp(f->sym, "__do_softirq"));
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static void put_row(struct timehist *t, const struct work *w, const struct work_atom *was, uint64_t end)
{
	struct out *o = t->out;
	char name[KWORK_NAME];

	out_char(o, ' ');
	view_time(o, was->time, TIME_WIDTH);
	out_str(o, "  ");
	view_time(o, end, TIME_WIDTH);
	out_str(o, "  [");
	out_zero(o, w->key.cpu, 4);
	out_str(o, "]  ");
	out_left(o, kwork_name(&t->kwork, w, name), NAME_WIDTH);
	out_str(o, "  ");
	out_fixed(o, ms(end - was->time), MS_WIDTH, 3);
	out_str(o, "  ");
	if (was->raised)
		out_fixed(o, ms(was->time - was->raised), MS_WIDTH, 3);
	else
		out_fill(o, ' ', MS_WIDTH);
	out_char(o, ' ');
	if (has_chains(t)) {
		out_str(o, "  ");
		callers_put_arrows(&t->callers, was->chain, t->callers.most, is_softirq_entry, o);
	}
	out_char(o, '\n');
}

static void put_cells(struct timehist *t, const struct work *w, const struct work_atom *was, uint64_t end)
{
	struct table *to = t->table;

	table_fixed(to, (double)was->time / 1e9, 9);
	table_fixed(to, (double)end / 1e9, 9);
	table_u64(to, w->key.cpu);
	table_str(to, kwork_class(w));
	table_str(to, kwork_plain(&t->kwork, w));
	table_u64(to, w->key.id);
	table_fixed(to, ms(end - was->time), 6);
	if (was->raised)
		table_fixed(to, ms(was->time - was->raised), 6);
	else
		table_none(to);
}

/* --- hits --- */

static int enter(struct timehist *t, struct work *w, const struct hit *h)
{
	struct work_atom raised;
	bool was_raised = works_pop(w, WORK_RAISE, WORK_STEPS, &raised);
	uint32_t chain = has_chains(t) ? callers_of(&t->callers, h) : 0;

	works_push(&t->kwork.works, w, WORK_ENTRY, h->time);
	w->pending[WORK_ENTRY].raised = was_raised ? MIN(raised.time, h->time) : 0;
	w->pending[WORK_ENTRY].chain = chain;
	return chain == CALLTREE_NONE ? -ENOMEM : 0;
}

static void leave(struct timehist *t, struct work *w, const struct hit *h)
{
	struct work_atom was;

	if (!works_pop(w, WORK_ENTRY, WORK_EXIT, &was) || h->time < was.time)
		return;
	if (t->table)
		put_cells(t, w, &was, h->time);
	else
		put_row(t, w, &was, h->time);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct timehist *t = p->own;
	struct kwork_hit to;
	int r = kwork_take(&t->kwork, h, &to);

	if (r || !to.counts)
		return MIN(r, 0);
	if (to.step == WORK_RAISE)
		works_push(&t->kwork.works, to.work, WORK_RAISE, h->time);
	else if (to.step == WORK_ENTRY)
		return enter(t, to.work, h);
	else
		leave(t, to.work, h);
	return 0;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct timehist *t = p->own;

	works_lose(&t->kwork.works, cpu);
	return 0;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct timehist *t = p->own;
	int r = last && t->table ? table_end(t->table) : 0;

	if (last) {
		out_flush(o);
		kwork_tell(&t->kwork);
	}
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct timehist *t = p->own;

	table_free(t->table);
	callers_close(&t->callers);
	kwork_close(&t->kwork);
}

const struct prof_kind kwork_timehist = {
	.cmd = {
		.name = "timehist", .family = "kwork",
		.brief = "Print each run of each IRQ, softirq and work item",
		.synopsis = "[options] [-i <file>] | -a | [--] command",
		.details = PACKED(
			"A line is printed at the end of a run: start and end time, run time, and delay since it was "
			"raised. -g shows the call chain of its entry."),
		.examples = PACKED(
			"sonde kwork record -- make && sonde kwork timehist\tas with perf\n"
			"sonde kwork timehist --kwork softirq -n NET_RX --time 12.5,13\tone softirq, during half a "
				"second\n"
			"sonde kwork record -g sleep 1 && sonde kwork timehist -g\twith the interrupted call chain\n"
			"sonde kwork timehist -a\tlive, until Ctrl-C"),
		.opts = opts, .want_size = sizeof(struct want), .defaults = defaults,
	},
	.own = sizeof(struct timehist), .first = view_first, .prepare = prepare, .begin = begin, .hit = hit,
	.lost = lost, .show = show, .close = close, .kernel_only = true,
};
