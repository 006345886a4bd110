#include "show/export_sum.h"

int export_sums_add(struct export_sums *s, const struct export_sample *x)
{
	bool is_new;
	uint64_t *at = map_add(&s->of, (uint64_t)x->lane << 32 | x->stack, &is_new);
	struct export_total *t;

	if (!at)
		return -ENOMEM;
	if (is_new) {
		t = vec_add(&s->v);
		if (!t)
			return -ENOMEM;
		*at = s->v.n - 1;
		t->lane = x->lane;
		t->stack = x->stack;
	}
	t = &s->v.v[*at];
	t->samples++;
	t->weight += x->weight;
	return 0;
}

void export_sums_deinit(struct export_sums *s)
{
	vec_free(&s->v);
	map_deinit(&s->of);
}
