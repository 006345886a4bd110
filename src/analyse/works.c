/* works.c - a row for each work on each CPU, with its pending steps. */
#include "analyse/works.h"

static_assert(sizeof(struct work_key) == 16, "keys are compared as bytes");

void works_deinit(struct works *w)
{
	names_deinit(&w->ids);
	vec_free(&w->v);
}

int works_find(const struct works *w, const struct work_key *key, uint32_t *i)
{
	*i = names_find(&w->ids, (const char *)key, sizeof(*key));
	return *i == NAMES_NONE;
}

int works_add(struct works *w, const struct work_key *key, uint32_t *i)
{
	struct work *to;

	if (!works_find(w, key, i))
		return 0;
	if (w->v.n >= WORKS_MAX) {
		w->dropped++;
		return 1;
	}
	to = vec_add(&w->v);
	*i = to ? names_add(&w->ids, (const char *)key, sizeof(*key)) : NAMES_NONE;
	if (*i == NAMES_NONE)
		return -ENOMEM;
	to->key = *key;
	return 0;
}

void works_push(struct works *w, struct work *of, enum work_step step, uint64_t time)
{
	struct work_atom *a = &of->pending[step];

	w->skipped[step] += a->is;
	*a = (struct work_atom){ .time = time, .is = true };
}

bool works_pop(struct work *of, enum work_step from, enum work_step step, struct work_atom *was)
{
	struct work_atom *a = &of->pending[from];

	*was = *a;
	if (step < WORK_STEPS)
		of->lone[step] += !a->is;
	a->is = false;
	return was->is;
}

void works_count(struct work *of, uint64_t from, uint64_t to)
{
	uint64_t ns = to - from;

	if (!from || to < from)
		return;
	if (ns > of->max || !of->max) {
		of->max = ns;
		of->max_from = from;
		of->max_to = to;
	}
	of->total += ns;
	of->n++;
}

void works_lose(struct works *w, uint32_t cpu)
{
	for (size_t i = 0; i < w->v.n; i++)
		for (int step = 0; step < WORK_STEPS; step++) {
			struct work_atom *a = &w->v.v[i].pending[step];

			if (cpu != UINT32_MAX && w->v.v[i].key.cpu != cpu)
				continue;
			w->discarded += a->is;
			a->is = false;
		}
}

void works_skipped(const struct works *w, uint64_t sum[WORK_STEPS])
{
	memcpy(sum, w->skipped, sizeof(w->skipped));
	for (size_t i = 0; i < w->v.n; i++)
		for (int step = 0; step < WORK_STEPS; step++)
			sum[step] += w->v.v[i].lone[step] + w->v.v[i].pending[step].is;
}

void works_forget(struct works *w)
{
	memset(w->skipped, 0, sizeof(w->skipped));
	for (size_t i = 0; i < w->v.n; i++) {
		struct work *of = &w->v.v[i];

		memset(of->lone, 0, sizeof(of->lone));
		of->n = of->total = of->max = of->max_from = of->max_to = 0;
	}
}
