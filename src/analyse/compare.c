/* compare.c - see compare.h. Differences and their order are those of perf diff. */
#include "analyse/compare.h"

#include "base/sort.h"

void compare_init(struct compare *c, size_t n, const struct compare_want *w)
{
	*c = (struct compare){ .want = *w, .n = n };
}

void compare_deinit(struct compare *c)
{
	names_deinit(&c->keys);
	vec_free(&c->cells);
	vec_free(&c->marks);
}

static int add_row(struct compare *c, char mark)
{
	char *m;

	if (vec_reserve(&c->cells, c->n) || !(m = vec_add(&c->marks)))
		return -ENOMEM;
	*m = mark;
	memset(c->cells.v + c->cells.n, 0, c->n * sizeof(*c->cells.v));
	c->cells.n += c->n;
	return 0;
}

int compare_add(struct compare *c, size_t of, struct sv key, struct compare_cell cell, char mark)
{
	uint32_t row = names_add(&c->keys, key.s, key.n);
	struct compare_cell *at;

	if (row == NAMES_NONE || (row == c->marks.n && add_row(c, mark)))
		return -ENOMEM;
	at = &c->cells.v[row * c->n + of];
	at->weight += cell.weight;
	at->samples += cell.samples;
	return 0;
}

const char *compare_text(const struct compare *c, uint32_t row, size_t key)
{
	const char *text = names_str(&c->keys, row);

	while (key--)
		text += strlen(text) + 1;
	return text;
}

/* --- differences to the baseline --- */

double compare_percent(const struct compare *c, uint32_t row, size_t of)
{
	return c->total[of] ? (double)compare_cell(c, row, of)->weight * 100 / (double)c->total[of] : 0;
}

double compare_delta(const struct compare *c, uint32_t row, size_t of)
{
	return compare_percent(c, row, of) - compare_percent(c, row, 0);
}

double compare_ratio(const struct compare *c, uint32_t row, size_t of)
{
	uint64_t old = compare_cell(c, row, 0)->weight;

	return (double)compare_cell(c, row, of)->weight / (double)(old ? old : 1);
}

static int64_t limit(bool below)
{
	return below ? INT64_MIN : INT64_MAX;
}

static int64_t times(uint64_t weight, int64_t by)
{
	int64_t v;

	return __builtin_mul_overflow(weight, by, &v) ? limit(by < 0) : v;
}

int64_t compare_wdiff(const struct compare *c, uint32_t row, size_t of)
{
	int64_t new = times(compare_cell(c, row, of)->weight, c->want.w_new);
	int64_t old = times(compare_cell(c, row, 0)->weight, c->want.w_old), v;

	return __builtin_sub_overflow(new, old, &v) ? limit(new < old) : v;
}

/* --- order --- */

static int larger(double a, double b)
{
	return a > b ? -1 : a < b;
}

static double size_of(double v)
{
	return v < 0 ? -v : v;
}

static int by_difference(const struct compare *c, uint32_t a, uint32_t b, size_t of)
{
	int64_t wa, wb;

	switch (c->want.how) {
	case COMPARE_DELTA:
		return larger(compare_delta(c, a, of), compare_delta(c, b, of));
	case COMPARE_DELTA_ABS:
		return larger(size_of(compare_delta(c, a, of)), size_of(compare_delta(c, b, of)));
	case COMPARE_RATIO:
		return larger(compare_ratio(c, a, of), compare_ratio(c, b, of));
	case COMPARE_WDIFF:
		wa = compare_wdiff(c, a, of);
		wb = compare_wdiff(c, b, of);
		return wa > wb ? -1 : wa < wb;
	}
	return 0;
}

static bool has(const struct compare *c, uint32_t row, size_t of)
{
	return compare_cell(c, row, of)->samples;
}

/* Does a recording other than the baseline have the row? */
static bool has_pair(const struct compare *c, uint32_t row)
{
	size_t of = 1;

	while (of < c->n && !has(c, row, of))
		of++;
	return of < c->n;
}

static int by_having(bool a, bool b)
{
	return (int)b - (int)a;
}

/* By the differences of the chosen recording; rows that cannot be compared come last. */
static int by_chosen(const struct compare *c, uint32_t a, uint32_t b)
{
	bool delta = c->want.how == COMPARE_DELTA || c->want.how == COMPARE_DELTA_ABS;
	size_t of = c->want.by;
	int r = of ? by_having(has(c, a, of), has(c, b, of)) : 0;

	if (!of || r || !has(c, a, of))
		return r;
	if (!delta && !(has(c, a, 0) && has(c, b, 0)))
		return by_having(has(c, a, 0), has(c, b, 0));
	return by_difference(c, a, b, of);
}

static int by_columns(const struct compare *c, uint32_t a, uint32_t b)
{
	uint64_t wa = compare_cell(c, a, 0)->weight, wb = compare_cell(c, b, 0)->weight;
	int r = wa != wb ? (wa > wb ? -1 : 1) : by_having(has_pair(c, a), has_pair(c, b));

	for (size_t of = 1; !r && of < c->n; of++) {
		r = by_having(has(c, a, of), has(c, b, of));
		if (!r && has(c, a, of))
			r = by_difference(c, a, b, of);
	}
	return r;
}

/* By the texts of the keys; unknown ones come last. */
static int by_key(const struct compare *c, uint32_t a, uint32_t b)
{
	const struct name *ka = &c->keys.list.v[a], *kb = &c->keys.list.v[b];
	const char *x = ka->s, *y = kb->s;
	int r = 0;

	while (!r && x < ka->s + ka->len && y < kb->s + kb->len) {
		r = !*x || !*y ? by_having(*x, *y) : strcmp(x, y);
		x += strlen(x) + 1;
		y += strlen(y) + 1;
	}
	return r;
}

static int by_row(const void *arg, uint32_t a, uint32_t b)
{
	const struct compare *c = arg;
	int r = by_chosen(c, a, b);

	r = r ? r : by_columns(c, a, b);
	return r ? r : by_key(c, a, b);
}

uint32_t *compare_order(const struct compare *c, size_t *n)
{
	uint32_t *v = malloc((c->marks.n + 1) * 2 * sizeof(*v));

	*n = 0;
	if (!v)
		return NULL;
	for (uint32_t i = 0; i < c->marks.n; i++)
		if (!c->want.common || (has(c, i, 0) && has_pair(c, i)))
			v[(*n)++] = i;
	sort_u32(v, v + *n, *n, by_row, c);
	return v;
}
