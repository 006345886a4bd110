/* funcstat.c - see funcstat.h. */
#include "analyse/funcstat.h"
#include "base/sort.h"

static struct funcstat_row *row_of(struct funcstat *s, const struct funcgraph_call *c)
{
	uint32_t pid = s->by == FUNCSTAT_BY_TASK ? c->pid : 0;
	uint64_t *at = map_add(&s->funcs, c->func, NULL);

	if (at && s->by == FUNCSTAT_BY_TASK) {
		if (!*at)
			*at = s->funcs.n;
		at = map_add(&s->index, *at << 32 | pid, NULL);
	}
	if (!at)
		return NULL;
	if (!*at) {
		struct funcstat_row *row = vec_add(&s->rows);

		if (!row)
			return NULL;
		row->func = c->func;
		row->pid = pid;
		row->min = UINT64_MAX;
		*at = s->rows.n;
	}
	return &s->rows.v[*at - 1];
}

int funcstat_add(struct funcstat *s, const struct funcgraph_call *c)
{
	struct funcstat_row *row = row_of(s, c);

	if (!row)
		return -ENOMEM;
	row->count++;
	row->total += c->total;
	row->self += c->self;
	row->min = MIN(row->min, c->total);
	row->max = MAX(row->max, c->total);
	return loghist_add(&row->times, c->total);
}

void funcstat_deinit(struct funcstat *s)
{
	for (size_t i = 0; i < s->rows.n; i++)
		loghist_deinit(&s->rows.v[i].times);
	vec_free(&s->rows);
	map_deinit(&s->funcs);
	map_deinit(&s->index);
}

struct order {
	const struct funcstat *s;
	enum funcstat_key key;
};

static uint64_t weight(const struct funcstat_row *r, enum funcstat_key key)
{
	switch (key) {
	case FUNCSTAT_AVG:
		return r->total / r->count;
	case FUNCSTAT_MAX:
		return r->max;
	case FUNCSTAT_COUNT:
		return r->count;
	case FUNCSTAT_SELF:
		return r->self;
	case FUNCSTAT_NAME:
		return 0;
	default:
		return r->total;
	}
}

static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct order *o = arg;
	const struct funcstat_row *x = &o->s->rows.v[a], *y = &o->s->rows.v[b];
	uint64_t v = weight(x, o->key), w = weight(y, o->key);
	int names = x->name && y->name ? strcmp(x->name, y->name) : 0;

	if (v != w)
		return v > w ? -1 : 1;
	return names ? names : x->pid < y->pid ? -1 : x->pid > y->pid;
}

uint32_t *funcstat_order(const struct funcstat *s, enum funcstat_key key)
{
	size_t n = s->rows.n;
	uint32_t *v = malloc(n * 2 * sizeof(*v) + 1);
	struct order o = { s, key };

	if (!v)
		return NULL;
	for (size_t i = 0; i < n; i++)
		v[i] = (uint32_t)i;
	sort_u32(v, v + n, n, compare, &o);
	return v;
}
