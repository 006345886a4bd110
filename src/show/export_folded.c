/* export_folded.c - "command;outermost;...;innermost 12", for flamegraph.pl and many others. */
#include "show/export_sum.h"
#include "show/flame.h"

struct own {
	struct export_sums sums;
};

static int take(struct export *x, const struct export_sample *s)
{
	struct own *own = x->own;

	return export_sums_add(&own->sums, s);
}

static int add(struct export *x, struct flame *f, const struct export_total *total)
{
	const struct export_lane *lane = &x->t.lanes[total->lane];
	uint32_t chain[EXPORT_DEPTH];
	struct flame_frame frames[EXPORT_DEPTH + 1];
	size_t n = export_chain(&x->t, total->stack, chain, EXPORT_DEPTH);

	frames[0] = (struct flame_frame){ x->t.threads[lane->thread].comm, FLAME_PLAIN };
	for (size_t i = 0; i < n; i++) {
		const struct export_func *func = &x->t.funcs[x->t.func_of[chain[i]]];
		const struct hist_frame *frame = &x->t.frames[chain[i]];

		frames[i + 1] = (struct flame_frame){
			frame->inlined ? frame->label : func->name,
			x->t.modules[func->module].kernel ? FLAME_KERNEL : FLAME_USER
		};
	}
	return flame_add(f, frames, n + 1, export_weighs(x) ? total->weight : total->samples);
}

static int end(struct export *x, struct err *e)
{
	struct own *own = x->own;
	struct flame *f = flame_new();
	int r = f ? 0 : -ENOMEM;

	export_choose(x);
	for (size_t i = 0; i < own->sums.v.n && !r; i++)
		if (x->t.lanes[own->sums.v.v[i].lane].event == x->event)
			r = add(x, f, &own->sums.v.v[i]);
	if (!r)
		flame_folded(f, x->out);
	flame_free(f);
	return r ? err_nomem(e) : 0;
}

static void forget(struct export *x)
{
	struct own *own = x->own;

	export_sums_deinit(&own->sums);
}

const struct export_format export_folded = {
	.name = "folded", .ending = ".folded .txt", .brief = "FlameGraph's folded stacks, a line for each chain",
	.needs = EXPORT_ONE_EVENT | EXPORT_WEIGHS, .own = sizeof(struct own), .sample = take, .end = end,
	.close = forget,
};
