/* bars.c - see bars.h. */
#include "analyse/bars.h"

/* STEPS: the first gap is 1/4096 of the time, a pixel of a wide screen; BACK: bars searched for one with equal `of`. */
enum { STEPS = 4096, BACK = 16 };

void bars_init(struct bars *b, size_t most)
{
	*b = (struct bars){ .limit = most };
}

void bars_deinit(struct bars *b)
{
	for (size_t i = 0; i < b->rows.n; i++)
		vec_free(&b->rows.v[i].v);
	vec_free(&b->rows);
}

static bool is_near(const struct bar *to, const struct bar *from, uint64_t gap)
{
	return from->start <= to->end || from->start - to->end <= gap;
}

static bool is_short(const struct bar *b, uint64_t gap)
{
	return b->end - b->start <= gap;
}

/* The bar among the first `kept` with which *from is joined; NULL: none. */
static struct bar *host_of(const struct bars *b, struct bar *v, size_t kept, const struct bar *from)
{
	struct bar *other = NULL;

	for (size_t i = kept; i-- && kept - i <= BACK;) {
		if (v[i].kind != from->kind || !is_near(&v[i], from, b->gap))
			continue;
		if (v[i].of == from->of)
			return &v[i];
		if (!other && (is_short(from, b->gap) || v[i].of == BARS_SEVERAL))
			other = &v[i];
	}
	return other;
}

static void join(struct bar *to, const struct bar *from)
{
	to->start = MIN(to->start, from->start);
	to->end = MAX(to->end, from->end);
	to->sum += from->sum;
	to->n += from->n;
	if (to->of != from->of)
		to->of = BARS_SEVERAL;
}

static void squeeze_row(struct bars *b, struct bars_row *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->v.n; i++) {
		struct bar *to = host_of(b, r->v.v, kept, &r->v.v[i]);

		if (to)
			join(to, &r->v.v[i]);
		else
			r->v.v[kept++] = r->v.v[i];
	}
	b->n -= r->v.n - kept;
	r->v.n = kept;
}

static void squeeze(struct bars *b)
{
	uint64_t length = b->last - b->first;
	size_t most = b->limit;

	b->gap = MAX(b->gap, length / STEPS + 1);
	for (;;) {
		for (size_t i = 0; i < b->rows.n; i++)
			squeeze_row(b, &b->rows.v[i]);
		if (b->n <= most / 2 || b->gap > length)
			break;
		b->gap *= 2;
	}
	/* If joining left many, since there are many rows, raise the limit: do not try again with every bar. */
	b->limit = MAX(most, 2 * b->n);
}

int bars_add(struct bars *b, uint32_t row, const struct bar *bar)
{
	struct bar *to;

	while (b->rows.n <= row)
		if (!vec_add(&b->rows))
			return -ENOMEM;
	if (b->n >= b->limit)
		squeeze(b);
	to = vec_add(&b->rows.v[row].v);
	if (!to)
		return -ENOMEM;
	*to = *bar;
	to->start = MIN(bar->start, bar->end);
	b->first = b->begun ? MIN(b->first, to->start) : to->start;
	b->last = b->begun ? MAX(b->last, to->end) : to->end;
	b->begun = true;
	b->n++;
	return 0;
}

struct bar *bars_last(const struct bars *b, uint32_t row)
{
	const struct bars_row *r = row < b->rows.n ? &b->rows.v[row] : NULL;

	return r && r->v.n ? &r->v.v[r->v.n - 1] : NULL;
}
