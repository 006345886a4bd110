/* board.c - a table of counters per interval. */
#include "prof/board.h"

enum { NS_PER_S = 1000000000 };

bool board_value(const struct counted *c, size_t spec, size_t place, bool sum, struct counter_value *v)
{
	bool is_there = false;

	if (!sum)
		return counted_value(c, spec, place, v);
	*v = (struct counter_value){ 0 };
	for (size_t i = 0; i < counted_places(c); i++) {
		struct counter_value one;

		if (!counted_value(c, spec, i, &one))
			continue;
		v->value += one.value;
		v->enabled += one.enabled;
		v->running += one.running;
		is_there = true;
	}
	return is_there;
}

static bool is_place(const struct prof *p, const struct counted *c, size_t place)
{
	struct counter_value v;

	for (size_t i = 0; i < p->specs.v.n; i++)
		if (counted_value(c, i, place, &v))
			return true;
	return false;
}

static const struct board *board_of(const struct prof *p)
{
	return *(const struct board *const *)p->own;
}

/* place UINT64_MAX: the sum. */
static void put_place(struct table *t, uint64_t place, bool is_text)
{
	char text[32];

	snprintf(text, sizeof(text), "[%03llu]", (unsigned long long)place);
	if (is_text)
		table_str(t, place == UINT64_MAX ? "[ALL]" : text);
	else if (place == UINT64_MAX)
		table_none(t);
	else
		table_u64(t, place);
}

static int look(struct prof *p, struct counted *c, bool last, struct err *e)
{
	const struct board *b = board_of(p);
	struct table_want form = prof_table(p);
	bool by_cpu = c->target.kind == TARGET_CPUS;
	struct table_col cols[BOARD_COLS + 1] = { { by_cpu ? "[CPU]" : "[TID]", by_cpu ? "cpu" : "tid",
						    TABLE_LEFT, 0 } };
	struct table *t;
	size_t rows = 0;
	int r;

	/* Without a command the last read covers only a part of an interval. */
	if (last && !c->target.argv)
		return 0;
	for (size_t i = 0; i < b->n_cols; i++)
		cols[i + 1] = b->cols[i];
	t = table_new(cols, b->n_cols + 1);
	for (size_t i = 0; t && i < counted_places(c); i++) {
		if (!is_place(p, c, i))
			continue;
		put_place(t, counted_place(c, i), form.form == TABLE_TEXT);
		b->put(p, c, i, false, t);
		rows++;
	}
	if (t && rows > 1) {
		put_place(t, UINT64_MAX, form.form == TABLE_TEXT);
		b->put(p, c, 0, true, t);
	}
	if (form.form == TABLE_TEXT)
		prof_stamp(p, p->how->out);
	r = t ? table_print(t, &form, p->how->out) : -ENOMEM;
	table_free(t);
	return r ? err_nomem(e) : 0;
}

int board_run(struct prof *p, const struct board *b, struct err *e)
{
	uint64_t interval = prof_want(p)->from.interval_ns;
	struct counted_want w = { .period_ns = interval ? interval : NS_PER_S, .look = look, .cpus = true };

	*(const struct board **)p->own = b;
	return counted_run(p, &w, e);
}

/* --- pairs ----------------------------------------------------------------------------------------------------- */

struct pairs {
	const struct board *board;       /* must be first, see board_of */
	const struct board_pair *v;
	size_t n;
};

int board_pairs_add(struct prof *p, const struct board_pair *v, size_t n, struct err *e)
{
	int r = 0;

	if (p->specs.v.n)
		return err_set(e, EINVAL, "%s has its own events: no -e", p->kind->cmd.name);
	for (size_t i = 0; !r && i < 2 * n; i++) {
		r = specs_add_event(&p->specs, i % 2 ? v[i / 2].some : v[i / 2].all, e);
		if (!r)
			p->specs.v.v[i].optional = true;
	}
	return r;
}

static void put_pair(const struct prof *p, const struct counted *c, size_t place, bool sum, struct table *t)
{
	const struct pairs *own = p->own;

	for (size_t i = 0; i < own->n; i++) {
		struct counter_value all, some;

		if (!board_value(c, 2 * i, place, sum, &all) || !board_value(c, 2 * i + 1, place, sum, &some))
			continue;
		table_str(t, own->v[i].level);
		table_u64(t, all.value);
		table_u64(t, some.value);
		if (all.value)
			table_fixed(t, 100 - 100.0 * (double)MIN(some.value, all.value) / (double)all.value, 2);
		else
			table_none(t);
		table_fixed(t, all.enabled ? 100.0 * (double)all.running / (double)all.enabled : 0, 2);
		return;
	}
	for (unsigned i = 0; i < 5; i++)
		table_none(t);
}

int board_pairs_run(struct prof *p, const struct board_pair *v, size_t n, struct err *e)
{
	static const struct table_col cols[] = {
		{ "LEVEL", "level", TABLE_LEFT, 0 }, { "REFERENCES", "references", TABLE_RIGHT, 0 },
		{ "MISSES", "misses", TABLE_RIGHT, 0 }, { "HIT%", "hit_percent", TABLE_RIGHT, 0 },
		{ "RUN%", "run_percent", TABLE_RIGHT, 0 },
	};
	static const struct board b = { cols, ARRAY_SIZE(cols), put_pair };
	struct pairs *own = p->own;

	own->v = v;
	own->n = n;
	return board_run(p, &b, e);
}
