/* shown.c - which lines and rows are shown, in which order: as in perf 6.1 to 6.12. */
#include "c2c/parts.h"

#include "base/sort.h"

/* A line is shown if it has at least 1 / SHOWN_PER of the loads that c2c_want.by names. */
enum { SHOWN_PER = 1000 };

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compare arrays of n numbers lexicographically. */
static int compare_all(const uint64_t *a, const uint64_t *b, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = compare(a[i], b[i]);
	return r;
}

/* Lines with the most such loads first; ties by kind of memory, pid and address. */
static int by_snoops(const void *a, const void *b)
{
	const struct c2c_shown *x = a, *y = b;
	const struct c2c_line *m = x->line, *n = y->line;
	uint64_t of_x[] = { y->snoops, n->kernel, n->mapped, m->pid, m->addr, (uintptr_t)m };
	uint64_t of_y[] = { x->snoops, m->kernel, m->mapped, n->pid, n->addr, (uintptr_t)n };

	return compare_all(of_x, of_y, ARRAY_SIZE(of_x));
}

static void add_shared(struct c2c_lines *c)
{
	for (size_t i = 0; i < c->lines.n; i++) {
		const struct c2c_counts *n = &c->lines.v[i].counts;

		if (!c2c_sum(n, C2C_HITM | C2C_PEER))
			continue;
		c->n_shared++;
		for (size_t k = 0; k < C2C_COUNTS; k++)
			c->shared.n[k] += n->n[k];
	}
}

static int choose_lines(struct c2c_lines *c)
{
	uint32_t set = c2c_by_set(c->want.by);
	uint64_t all = c2c_sum(&c->shared, set);

	for (size_t i = 0; i < c->lines.n; i++) {
		uint64_t snoops = c2c_sum(&c->lines.v[i].counts, set);
		struct c2c_shown *s;

		if (!c->want.all && (!all || snoops * SHOWN_PER < all))
			continue;
		s = vec_add(&c->shown);
		if (!s)
			return -ENOMEM;
		*s = (struct c2c_shown){ .line = &c->lines.v[i], .snoops = snoops };
	}
	if (c->shown.n)
		qsort(c->shown.v, c->shown.n, sizeof(*c->shown.v), by_snoops);
	return 0;
}

/* A row with neither stores nor such loads is no part of the contention, so it is not shown. */
static int choose_rows(struct c2c_lines *c)
{
	uint32_t set = c2c_by_set(c->want.by);

	for (size_t i = 0; i < c->rows.n; i++) {
		const struct c2c_row *row = &c->rows.v[i];
		uint32_t shown = c->lines.v[row->line].shown, *n;

		if (!shown || !c2c_row_sum(&row->counts, set | C2C_SET(STORES)))
			continue;
		n = vec_add(&c->shown_rows);
		if (!n)
			return -ENOMEM;
		*n = (uint32_t)i;
		c->shown.v[shown - 1].n_rows++;
	}
	return 0;
}

/* The keys by which rows are sorted, most significant first. */
enum order { BY_LINE, BY_OFFSET, BY_SNOOPS, BY_HITM, BY_PID, BY_CODE, BY_TID, ORDERS };

static uint64_t number_of(const struct c2c_lines *c, const struct c2c_row *row, enum order by)
{
	switch (by) {
	case BY_LINE:
		return c->lines.v[row->line].shown;
	case BY_OFFSET:
		return row->offset;
	case BY_SNOOPS:
		return ~c2c_row_sum(&row->counts, c2c_by_set(c->want.by));
	case BY_HITM:
		return ~c2c_row_sum(&row->counts, C2C_HITM);
	case BY_PID:
		return row->pid;
	case BY_CODE:
		return row->ip;
	default:
		return row->tid;
	}
}

/* Stable sorts, from the least significant key to the most significant. */
static int sort_rows(struct c2c_lines *c)
{
	uint32_t *v = c->shown_rows.v, *spare = malloc((c->shown_rows.n + 1) * sizeof(*spare));
	uint64_t *number = malloc((c->rows.n + 1) * sizeof(*number));
	int r = spare && number ? 0 : -ENOMEM;

	for (int by = ORDERS - 1; by >= 0 && !r; by--) {
		for (size_t i = 0; i < c->shown_rows.n; i++)
			number[v[i]] = number_of(c, &c->rows.v[v[i]], (enum order)by);
		sort_by_key(v, spare, c->shown_rows.n, number);
	}
	free(number);
	free(spare);
	return r;
}

/* Look up the kernel symbols of the rows that are shown. */
static int find_late(struct c2c_lines *c)
{
	struct resolver *r = c->session->resolver;

	for (size_t i = 0; i < c->shown_rows.n; i++) {
		struct c2c_row *row = &c->rows.v[c->shown_rows.v[i]];
		struct resolver_spaces in = { 0 };

		if (!row->is_late)
			continue;
		in.kernel = c->kernels.v[row->space];
		row->is_late = false;
		row->loc = resolver_find_in(r, &in, PERF_MISC_KERNEL, row->ip);
		if (!row->loc)
			return -ENOMEM;
	}
	return 0;
}

int c2c_lines_sort(struct c2c_lines *c)
{
	size_t first = 0;
	int r;

	for (size_t i = 0; i < C2C_WORDS; i++)
		c2c_settle_word(c, &c->words[i]);
	/* No sample follows, so the hash tables can be freed. */
	slots_deinit(&c->of_line);
	slots_deinit(&c->of_row);
	add_shared(c);
	r = choose_lines(c);
	for (size_t i = 0; i < c->shown.n && !r; i++)
		c->lines.v[c->shown.v[i].line - c->lines.v].shown = (uint32_t)i + 1;
	r = r ? r : choose_rows(c);
	r = r ? r : sort_rows(c);
	r = r ? r : find_late(c);
	for (size_t i = 0; i < c->shown.n; i++) {
		c->shown.v[i].first = first;
		first += c->shown.v[i].n_rows;
	}
	return r;
}
