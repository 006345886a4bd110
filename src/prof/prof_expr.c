/* prof_expr.c - sonde prof expr: evaluate an expression, by itself or for each event. */
#include "engine/line.h"
#include "prof/prof.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_END,
};

struct tried {
	const struct texpr **of;         /* by tap */
	const char *text;
};

static void put_value(struct out *o, struct tval v)
{
	struct sv s = tval_text(v);

	if (v.kind == TVAL_NUM)
		out_printf(o, v.type.is_unsigned ? "%llu 0x%llx" : "%lld 0x%llx", (long long)v.v,
			   (unsigned long long)v.v);
	else if (s.s)
		out_printf(o, "\"%.*s\"", (int)MIN(s.n, 4096u), s.s);
	else
		out_str(o, "no value");
	out_char(o, '\n');
}

/* Without events: only constants. */
static int prepare(struct prof *p, struct err *e)
{
	struct tried *t = p->own;

	if (p->argc != 1)
		return err_set(e, EINVAL, "expr takes one expression, in quotes");
	t->text = p->argv[0];
	return 0;
}

static int begin(struct prof *p, struct err *e)
{
	struct tried *t = p->own;
	size_t n = p->feed.taps.n;
	int r = 0;

	t->of = arena_alloc(&p->feed.arena, (n + 1) * sizeof(const struct texpr *));
	if (!t->of)
		return err_nomem(e);
	for (size_t i = 0; !r && i < n; i++)
		r = feed_compile(&p->feed, &t->of[i], &p->feed.taps.v[i], t->text, e);
	return r;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct tried *t = p->own;
	struct out *o = p->feed.expr.out;
	struct tval v;

	line_put(&p->feed, h, o);
	out_str(o, "\n  = ");
	v = expr_value(&p->feed.expr, t->of[h->tap->index], h);
	put_value(o, v);
	return 0;
}

static int alone(struct prof *p, struct out *o, struct err *e)
{
	struct tried *t = p->own;
	struct arena a = { 0 };
	struct expr_env env = { .out = o };
	const struct hit none = { .cpu = 0 };
	const struct texpr *x;
	int r = expr_compile(&x, NULL, &a, t->text, e);

	if (!r)
		put_value(o, expr_value(&env, x, &none));
	arena_deinit(&a);
	return r;
}

DEFINE_PROF(expr) = {
	.cmd = {
		.name = "expr", .family = "prof", .brief = "Evaluate an expression, alone or for each event",
		.synopsis = "[-e <events>] [options] EXPRESSION",
		.examples = PACKED(
			"sonde prof expr '1 << 4 | 3'\talone\n"
			"sonde prof expr -e sched:sched_wakeup -N 5 'comm ~ \"*sh\"'\tfor five events\n"
			"sonde prof expr -e sched:sched_wakeup help\tfields that it can use"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct tried), .prepare = prepare, .begin = begin, .hit = hit, .alone = alone,
	.takes_words = true,
};
