/* func_want.c - see func_want.h. */
#include "cmd/ftrace/func_want.h"

const struct opt func_target_opts[] = {
	OPT_HEAD("Target (default without a command: the whole system)"),
	OPT_FLAG('a', "all-cpus", struct func_want, target.all, "the whole system; the command says how long"),
	OPT_STR('C', "cpu", struct func_want, target.cpus, "<list>", "the whole system, on these CPUs: 0,2-5"),
	OPT_STR('p', "pid", struct func_want, target.pids, "<pids>", "processes with all their threads: 12,34"),
	OPT_STR(0, "tid", struct func_want, target.tids, "<tids>", "only these threads, by TID: 12,34"),
	OPT_FLAG(0, "inherit", struct func_want, inherit, "follow child processes, too"),
	OPT_SIZE('m', "buffer-size", struct func_want, buffer, "<size>", "trace buffer size per CPU: 512K, 8M"),
	OPT_FLAG('v', "verbose", struct func_want, verbose, "print which trace buffer is used"),
	OPT_END,
};

const struct opt func_filter_opts[] = {
	OPT_HEAD("Functions (repeatable; globs: 'vfs_*')"),
	OPT_LIST('T', "trace-funcs", struct func_want, trace, "<func>", "trace only these functions"),
	OPT_LIST('N', "notrace-funcs", struct func_want, notrace, "<func>", "do not trace these functions"),
	OPT_LIST('G', "graph-funcs", struct func_want, graph, "<func>", "trace these functions and their callees"),
	OPT_LIST('g', "nograph-funcs", struct func_want, nograph, "<func>",
		"do not trace these functions and their callees"),
	OPT_END,
};

const struct opt func_form_opts[] = {
	OPT_FLAG('j', "json", struct func_want, json, "print as JSON, times in ns"),
	OPT_STR('x', "field-separator", struct func_want, sep, "<sep>",
		"print as CSV with this separator, times in ns"),
	OPT_END,
};

/*
 * Options of the graph tracer: perf's name, the kernel's trace option for it, and the one that is perf's default. An
 * option of perf may set several of the kernel's.
 */
static const struct {
	const char *name, *on, *off;
} graph_words[] = {
	{ "nosleep-time", "nosleep-time", "sleep-time" },
	{ "noirqs", "nofuncgraph-irqs", "funcgraph-irqs" },
	{ "tail", "funcgraph-tail", "nofuncgraph-tail" },
	{ "args", "funcgraph-args", "nofuncgraph-args" },             /* 6.15 */
	{ "retval", "funcgraph-retval", "nofuncgraph-retval" },       /* 6.5, if configured */
	{ "retval-hex", "funcgraph-retval-hex", "nofuncgraph-retval-hex" },
	{ "retaddr", "funcgraph-retaddr", "nofuncgraph-retaddr" },    /* 6.13, if configured */
	{ "verbose", "funcgraph-proc", "nofuncgraph-proc" },
	{ "verbose", "funcgraph-abstime", "nofuncgraph-abstime" },
	{ "verbose", "latency-format", "nolatency-format" },
};

static bool number_of(struct sv value, uint64_t *v)
{
	return value.s && str_u64(value, 10, v) && *v <= INT_MAX;
}

static int graph_opt(struct func_want *w, struct sv name, struct sv value, struct err *e)
{
	unsigned found = 0;

	if (sv_eq(name, "depth") || sv_eq(name, "thresh")) {
		if (number_of(value, sv_eq(name, "depth") ? &w->depth : &w->thresh))
			return 0;
		return err_set(e, EINVAL, "%.*s wants a number", (int)MIN(name.n, 20u), name.s);
	}
	for (size_t i = 0; i < ARRAY_SIZE(graph_words); i++)
		if (sv_eq(name, graph_words[i].name))
			found |= 1u << i;
	w->graph_opts |= found;
	if (found && !value.s)
		return 0;
	err_set(e, EINVAL, "unknown option '%.*s'", (int)MIN(name.n, 40u), name.s);
	return err_hint(e, "there are nosleep-time, noirqs, verbose, thresh=<us>, depth=<n>, tail, args, retval, "
			"retval-hex, retaddr");
}

int func_graph_opts(void *want, const char *value, struct err *e)
{
	struct sv rest = sv_from(value ? value : ""), one, name;
	int r = 0;

	while (!r && sv_cut(&rest, ',', &one)) {
		sv_cut(&one, '=', &name);
		r = name.n ? graph_opt(want, name, one, e) : 0;
	}
	return r;
}

int func_func_opts(void *want, const char *value, struct err *e)
{
	struct func_want *w = want;
	struct sv rest = sv_from(value ? value : ""), one;

	while (sv_cut(&rest, ',', &one)) {
		if (sv_eq(one, "call-graph"))
			w->call_graph = true;
		else if (sv_eq(one, "irq-info"))
			w->irq_info = true;
		else
			return err_set(e, EINVAL, "'%.*s' is neither call-graph nor irq-info",
				       (int)MIN(one.n, 40u), one.s);
	}
	return 0;
}

static int add_word(plan_words *words, const char *word, struct err *e)
{
	const char **slot = vec_add(words);

	if (!slot)
		return err_nomem(e);
	*slot = word;
	return 0;
}

static int add_words(plan_words *words, const struct opt_list *list, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < list->n; i++)
		r = add_word(words, list->v[i], e);
	return r;
}

/* Set each option explicitly, for another user may have left it on; old kernels lack some. */
static int plan_graph(struct plan *p, const struct func_want *w, const struct tfs *top, struct err *e)
{
	char file[64];
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(graph_words); i++) {
		bool on = w->graph_opts >> i & 1;
		const char *word = graph_words[i].on;

		snprintf(file, sizeof(file), "options/%s", strncmp(word, "no", 2) ? word : word + 2);
		if (tfs_has(top, file))
			r = add_word(&p->options, on ? word : graph_words[i].off, e);
		else if (on)
			r = err_set(e, EOPNOTSUPP, "--graph-opts: this kernel has no '%s'", word);
	}
	p->graph_depth = w->depth;
	return r;
}

static int plan_function(struct plan *p, const struct func_want *w, struct err *e)
{
	p->func_stack = w->call_graph;
	return add_word(&p->options, "nolatency-format", e);
}

/* A CPU mask for tracing_cpumask, "3,00000001": 32-bit words in hex, the highest first. */
static void hex_mask(const struct cpus *cpus, char *buf, size_t size)
{
	size_t word = CPUS_MAX / 32, n = 0;

	while (word > 1 && !(uint32_t)(cpus->w[(word - 1) / 2] >> (word - 1) % 2 * 32))
		word--;
	while (word-- && n < size) {
		uint32_t bits = (uint32_t)(cpus->w[word / 2] >> word % 2 * 32);

		n += (size_t)snprintf(buf + n, size - n, word ? "%08x," : "%08x", bits);
	}
}

static int plan_target(struct func_run *f, const struct func_want *w, struct err *e)
{
	const struct target *t = &f->target;
	struct plan *p = &f->plan;

	if (t->kind == TARGET_CPUS && t->cpus_chosen) {
		hex_mask(&t->cpus, f->cpumask, sizeof(f->cpumask));
		p->cpumask = f->cpumask;
	}
	for (size_t i = 0; t->kind == TARGET_TASKS && i < t->tids.n; i++) {
		int *pid = vec_add(&p->pids);

		if (!pid)
			return err_nomem(e);
		*pid = t->tids.v[i];
	}
	p->follow = w->inherit;
	return 0;
}

static int make_plan(struct func_run *f, struct ctx *c, const struct func_want *w, struct err *e)
{
	struct plan *p = &f->plan;
	struct tfs top;
	int r = tfs_open(&top, c->sys, e);

	if (!r && p->tracer && !strcmp(p->tracer, "function_graph"))
		r = plan_graph(p, w, &top, e);
	else if (!r)
		r = plan_function(p, w, e);
	if (!r)
		r = add_word(&p->options, w->irq_info ? "irq-info" : "noirq-info", e);
	if (!r)
		r = plan_target(f, w, e);
	if (!r)
		r = add_words(&p->functions, &w->trace, e);
	if (!r)
		r = add_words(&p->notrace, &w->notrace, e);
	if (!r)
		r = add_words(&p->graph, &w->graph, e);
	return r ? r : add_words(&p->nograph, &w->nograph, e);
}

static int check(const struct func_want *w, struct err *e)
{
	if (w->buffer && w->buffer < 1024)
		return err_set(e, EINVAL, "-m: a buffer of less than 1K");
	if (w->json && w->sep)
		return err_set(e, EINVAL, "-j and -x are two different forms: choose one");
	return 0;
}

int func_setup(struct func_run *f, struct ctx *c, const struct func_want *w, const char *tracer, char **argv,
	       struct err *e)
{
	int argc = 0, r = check(w, e);

	*f = (struct func_run){ .c = c, .want = w };
	f->plan.tracer = tracer;
	f->plan.buffer_kb = w->buffer / 1024;
	/* tracing_thresh exists only in the top buffer; and in old kernels instances record no stacks (seen: 5.10). */
	f->plan.top = w->thresh > 0 || w->call_graph;
	while (argv[argc])
		argc++;
	if (!r)
		r = target_init(&f->target, &w->target, c->sys, argc, argv, e);
	if (r)
		return r;
	f->how.run = (struct run_want){
		.sys = c->sys,
		.plans = &f->plan,
		.n_plans = 1,
		.argv = f->target.argv,
		.who = f->target.kind == TARGET_COMMAND ? RUN_WORKLOAD : RUN_EVERYONE,
		.delay_ns = f->target.delay_ms > 0 ? (uint64_t)f->target.delay_ms * 1000000 : 0,
	};
	return make_plan(f, c, w, e);
}

void func_end(struct func_run *f)
{
	plan_deinit(&f->plan);
	target_deinit(&f->target, f->c->sys);
}

int func_begin(struct func_run *f, struct err *e)
{
	const struct run_buffer *b;
	char text[24];
	int r = live_begin(&f->live, &f->how, e);

	f->begun = !r;
	if (r)
		return r;
	b = &f->live.run.buffers.v[0];
	if (f->want->verbose)
		cmd_note(f->c, "%s, tracer %s%s%s", b->tfs.dir, f->plan.tracer ? f->plan.tracer : "nop",
			 b->why[0] ? ": " : "", b->why);
	if (!f->want->thresh)
		return 0;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)f->want->thresh);
	return undo_put(f->live.run.undo, &f->live.run.top, "tracing_thresh", text, e);
}

static void tell_losses(struct ctx *c, const struct live_result *res, const struct funcgraph *g)
{
	uint64_t lost = MAX(res->overrun + res->dropped, res->stats.lost);

	if (lost || res->stats.gaps)
		cmd_note(c, "%llu events were lost: a larger buffer (-m) or fewer functions would keep them",
			 (unsigned long long)lost);
	if (res->unread)
		cmd_note(c, "%llu events were not read any more", (unsigned long long)res->unread);
	if (g && g->stats.discarded)
		cmd_note(c, "%llu calls were open while events were lost: not counted",
			 (unsigned long long)g->stats.discarded);
}

int func_finish(struct func_run *f, struct funcgraph *g, int r, struct err *e)
{
	struct live_result res = { 0 };
	int ended = f->begun ? live_end(&f->live, &res, r ? NULL : e) : 0;

	if (g)
		funcgraph_end(g);
	tell_losses(f->c, &res, g);
	return r || ended ? cmd_fail(f->c, e) : res.status;
}

void func_put_us(struct out *o, uint64_t ns, unsigned width)
{
	out_u64w(o, ns / 1000, width - 4);
	out_char(o, '.');
	out_zero(o, ns % 1000, 3);
}
