/* histo.c - sorts rows, and draws them in three ways. */
#include "show/histo.h"

#include "base/sort.h"
#include "show/text.h"

enum { BAR = 24, GAP_MAX = 8, LABEL = 80 };   /* GAP_MAX: more empty ranges become a line of dots */

struct histo {
	const struct thist *h;
	const struct histo_want *w;
	struct out *o;
	unsigned by;            /* column of the weights */
	uint32_t *order;
	size_t n;
	uint64_t max, sum;      /* of the weights */
};

static uint64_t weight(const struct histo *x, size_t row)
{
	return thist_at(x->h, row, x->by)->v;
}

/* --- order --- */

static int compare_cells(const struct thist_cell *a, const struct thist_cell *b, bool is_signed)
{
	int r;

	if (a->kind == THIST_TEXT || b->kind == THIST_TEXT || a->kind == THIST_STACK) {
		r = memcmp(a->text.s, b->text.s, MIN(a->text.n, b->text.n));
		return r ? r : (a->text.n > b->text.n) - (a->text.n < b->text.n);
	}
	if (is_signed)
		return ((int64_t)a->v > (int64_t)b->v) - ((int64_t)a->v < (int64_t)b->v);
	return (a->v > b->v) - (a->v < b->v);
}

static int compare(const struct histo *x, uint32_t a, uint32_t b, unsigned col)
{
	return compare_cells(thist_at(x->h, a, col), thist_at(x->h, b, col), x->w->is_signed >> col & 1);
}

static int by_keys(const void *arg, uint32_t a, uint32_t b)
{
	const struct histo *x = arg;
	int r = 0;

	for (unsigned i = 0; !r && i < x->h->n_keys; i++)
		r = compare(x, a, b, i);
	return r;
}

static int by_weight(const void *arg, uint32_t a, uint32_t b)
{
	const struct histo *x = arg;
	int r = compare(x, a, b, x->by);

	r = x->w->order == HISTO_LARGEST_FIRST ? -r : r;
	return r ? r : by_keys(arg, a, b);
}

/* Is it a distribution: the last key is a range, and there is a single value? */
static bool is_distribution(const struct thist *h)
{
	uint8_t kind = h->n_keys ? h->cols[h->n_keys - 1].kind : THIST_TEXT;

	return h->n_cols == h->n_keys + 1 && (kind == THIST_LOG2 || kind == THIST_RANGE);
}

static bool has_stack(const struct thist *h)
{
	for (unsigned i = 0; i < h->n_keys; i++)
		if (h->cols[i].kind == THIST_STACK)
			return true;
	return false;
}

static int sort(struct histo *x, struct err *e)
{
	size_t n = x->h->n_rows;
	uint32_t *spare = malloc((n + 1) * sizeof(*spare));

	x->order = malloc((n + 1) * sizeof(*x->order));
	if (!spare || !x->order) {
		free(spare);
		return err_nomem(e);
	}
	for (size_t i = 0; i < n; i++) {
		x->order[i] = (uint32_t)i;
		x->sum += weight(x, i);
		x->max = MAX(x->max, weight(x, i));
	}
	sort_u32(x->order, spare, n, is_distribution(x->h) && !x->w->sort ? by_keys : by_weight, x);
	free(spare);
	x->n = x->w->rows && !is_distribution(x->h) ? MIN(n, x->w->rows) : n;
	return 0;
}

/* --- parts --- */

/* columns of o: at most BAR */
static const char *bar(const struct histo *x, uint64_t v, char buf[BAR * 3 + 1])
{
	const char *block = x->w->bars == HISTO_BLOCKS ? "\u2588" : "#";
	size_t n = strlen(block), filled = x->max ? (size_t)((double)v * BAR / (double)x->max + 0.5) : 0;

	for (size_t i = 0; i < filled; i++)
		memcpy(buf + i * n, block, n);
	buf[filled * n] = '\0';
	return buf;
}

/* Lower and upper end of a range, both inclusive. */
static void ends(const struct thist_cell *c, uint64_t *from, uint64_t *to)
{
	*from = c->v;
	*to = c->to;
	if (c->kind == THIST_LOG2) {
		*to = c->v < 64 ? UINT64_C(1) << c->v : UINT64_MAX;
		*from = !c->v ? 0 : c->v > 64 ? UINT64_MAX : (UINT64_C(1) << (c->v - 1)) + 1;
	}
}

/* Put a stack into one cell. */
static void put_stack(struct table *t, struct sv text)
{
	struct mem_out m;
	struct sv line;

	mem_out_init(&m);
	while (sv_cut(&text, '\n', &line)) {
		out_sv(&m.out, sv_trim(line));
		if (text.s)
			out_char(&m.out, ';');
	}
	table_str(t, mem_out_str(&m));
	mem_out_deinit(&m);
}

static void put_cell(const struct histo *x, struct table *t, unsigned col, const struct thist_cell *c)
{
	uint64_t from, to;
	char text[64];

	switch (c->kind) {
	case THIST_LOG2: case THIST_RANGE:
		ends(c, &from, &to);
		if (x->w->table.form == TABLE_TEXT) {
			snprintf(text, sizeof(text), "%llu - %llu", (unsigned long long)from, (unsigned long long)to);
			table_str(t, text);
			return;
		}
		table_u64(t, from);
		table_u64(t, to);
		return;
	case THIST_HEX:
		table_hex(t, c->v);
		return;
	case THIST_NUMBER:
		if (x->w->is_signed >> col & 1)
			table_i64(t, (int64_t)c->v);
		else
			table_u64(t, c->v);
		return;
	case THIST_STACK:
		put_stack(t, c->text);
		return;
	default:
		table_sv(t, c->text);
	}
}

/* --- a table, CSV, JSON --- */

/* Columns of h as table columns; a range is two columns except in text. NAMED: its number gets a column of its own. */
struct columns {
	struct table_col v[THIST_COLS * 2 + 2];
	char second[THIST_COLS][THIST_NAME + 4];
	size_t n;
};

static bool is_pair(const struct histo *x, unsigned col)
{
	uint8_t kind = x->h->cols[col].kind;

	return kind == THIST_NAMED || (x->w->table.form != TABLE_TEXT && (kind == THIST_LOG2 || kind == THIST_RANGE));
}

static void make_columns(const struct histo *x, struct columns *c)
{
	const struct thist *h = x->h;

	for (unsigned i = 0; i < h->n_cols; i++) {
		uint8_t kind = h->cols[i].kind;
		bool left = kind == THIST_TEXT || kind == THIST_SYMBOL || kind == THIST_NAMED || kind == THIST_STACK;

		c->v[c->n++] = (struct table_col){ .head = h->cols[i].name, .align = left ? TABLE_LEFT : TABLE_RIGHT };
		if (is_pair(x, i)) {
			snprintf(c->second[i], sizeof(c->second[i]), "%s%s", h->cols[i].name,
				 kind == THIST_NAMED ? "_nr" : "_to");
			c->v[c->n++] = (struct table_col){ .head = c->second[i], .align = TABLE_RIGHT };
		}
	}
	if (x->w->table.form == TABLE_TEXT) {
		c->v[c->n++] = (struct table_col){ .head = "", .align = TABLE_RIGHT };
		c->v[c->n++] = (struct table_col){ .head = "" };
	}
}

static int draw_table(const struct histo *x)
{
	struct columns c = { 0 };
	struct table *t;
	char text[BAR * 3 + 1];
	int r;

	make_columns(x, &c);
	t = table_new(c.v, c.n);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < x->n; i++) {
		for (unsigned k = 0; k < x->h->n_cols; k++) {
			const struct thist_cell *cell = thist_at(x->h, x->order[i], k);

			put_cell(x, t, k, cell);
			if (x->h->cols[k].kind == THIST_NAMED)
				table_u64(t, cell->v);
			else if (is_pair(x, k) && cell->kind != THIST_LOG2 && cell->kind != THIST_RANGE)
				table_none(t);
		}
		if (x->w->table.form == TABLE_TEXT) {
			table_percent(t, x->sum ? 100.0 * (double)weight(x, x->order[i]) / (double)x->sum : 0);
			table_str(t, bar(x, weight(x, x->order[i]), text));
		}
	}
	r = table_print(t, &x->w->table, x->o);
	table_free(t);
	return r;
}

/* --- a distribution --- */

static bool same_group(const struct histo *x, uint32_t a, uint32_t b)
{
	for (unsigned i = 0; i + 1 < x->h->n_keys; i++)
		if (compare(x, a, b, i))
			return false;
	return true;
}

static void put_key(const struct histo *x, const struct thist_cell *c, unsigned col)
{
	if (c->kind == THIST_NUMBER && x->w->is_signed >> col & 1)
		out_i64(x->o, (int64_t)c->v);
	else
		text_put(x->o, c->text, TEXT_ALL, TEXT_PLAIN);
	if (c->kind == THIST_NAMED)
		out_printf(x->o, " [%llu]", (unsigned long long)c->v);
}

static void put_range(const struct histo *x, uint64_t from, uint64_t to, uint64_t count, unsigned width)
{
	char text[BAR * 3 + 1];

	out_u64w(x->o, from, width);
	out_str(x->o, " - ");
	snprintf(text, sizeof(text), "%llu", (unsigned long long)to);
	out_left(x->o, text, width);
	out_printf(x->o, " %10llu |", (unsigned long long)count);
	bar(x, count, text);
	text_put(x->o, sv_from(text), TEXT_ALL, TEXT_PLAIN);
	out_fill(x->o, ' ', BAR - text_columns(sv_from(text)));
	out_str(x->o, "|\n");
}

/* Print the empty ranges between prev and c. */
static void put_gap(const struct histo *x, const struct thist_cell *prev, const struct thist_cell *c, unsigned width)
{
	uint64_t from, to, step = prev->to - prev->v + 1, n;
	struct thist_cell one = *prev;

	if (one.kind == THIST_LOG2)
		n = c->v - one.v;
	else
		n = step ? (c->v - one.v) / step : 0;
	if (one.kind != THIST_LOG2 && n > GAP_MAX) {
		out_str(x->o, "...\n");
		return;
	}
	while (n-- > 1) {
		one.v += one.kind == THIST_LOG2 ? 1 : step;
		one.to += step;
		ends(&one, &from, &to);
		put_range(x, from, to, 0, width);
	}
}

static unsigned digits(uint64_t v)
{
	unsigned n = 1;

	while (v /= 10)
		n++;
	return n;
}

static void draw_distribution(const struct histo *x)
{
	unsigned last = x->h->n_keys - 1, width = 0;
	const struct thist_cell *prev = NULL, *c;
	uint64_t from, to;

	for (size_t i = 0; i < x->n; i++) {
		ends(thist_at(x->h, i, last), &from, &to);
		width = MAX(width, digits(to));
	}
	for (size_t i = 0; i < x->n; i++) {
		if (last && (!prev || !same_group(x, x->order[i - 1], x->order[i]))) {
			out_str(x->o, prev ? "\n" : "");
			for (unsigned k = 0; k < last; k++) {
				out_printf(x->o, "%s%s: ", k ? ", " : "", x->h->cols[k].name);
				put_key(x, thist_at(x->h, x->order[i], k), k);
			}
			out_char(x->o, '\n');
			prev = NULL;
		}
		if (!prev && (!last || i == 0))
			out_printf(x->o, "%*s %10s\n", (int)(width * 2 + 3), x->h->cols[last].name,
				   x->h->cols[x->by].name);
		c = thist_at(x->h, x->order[i], last);
		if (prev)
			put_gap(x, prev, c, width);
		ends(c, &from, &to);
		put_range(x, from, to, weight(x, x->order[i]), width);
		prev = c;
	}
}

/* --- stacks --- */

static void draw_stacks(const struct histo *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct sv stack = { 0 }, line;

		text_percent(x->o, x->sum ? 100.0 * (double)weight(x, x->order[i]) / (double)x->sum : 0, 7);
		for (unsigned k = 0; k < x->h->n_cols; k++) {
			const struct thist_cell *c = thist_at(x->h, x->order[i], k);

			if (c->kind == THIST_STACK) {
				stack = c->text;
				continue;
			}
			out_printf(x->o, "  %s: ", x->h->cols[k].name);
			put_key(x, c, k);
		}
		out_char(x->o, '\n');
		while (sv_cut(&stack, '\n', &line)) {
			out_fill(x->o, ' ', 12);
			text_put(x->o, sv_trim(line), TEXT_ALL, TEXT_PLAIN);
			out_char(x->o, '\n');
		}
		out_char(x->o, '\n');
	}
}

static int choose(struct histo *x, struct err *e)
{
	const char *name = x->w->sort;
	int col = name ? thist_col(x->h, name) : (int)x->h->n_keys;
	struct nearest near;
	char text[LABEL * 2];

	if (col >= 0) {
		x->by = MIN((unsigned)col, x->h->n_cols - 1);
		return 0;
	}
	nearest_init(&near, sv_from(name));
	for (unsigned i = 0; i < x->h->n_cols; i++)
		nearest_feed(&near, x->h->cols[i].name);
	return err_set(e, EINVAL, "the histogram has no column '%s'%s", name, nearest_text(&near, text, sizeof(text)));
}

int histo_print(const struct thist *h, const struct histo_want *w, struct out *o, struct err *e)
{
	struct histo x = { .h = h, .w = w, .o = o };
	int r = h->n_rows ? choose(&x, e) : 0;

	if (!r && h->n_rows)
		r = sort(&x, e);
	if (!r && h->n_rows) {
		if (w->table.form != TABLE_TEXT || (!is_distribution(h) && !has_stack(h)))
			r = draw_table(&x) ? err_nomem(e) : 0;
		else if (has_stack(h))
			draw_stacks(&x);
		else
			draw_distribution(&x);
	}
	if (!r && w->table.form == TABLE_TEXT)
		out_printf(o, "%s%llu hits, %llu entries%s\n", h->n_rows && !has_stack(h) ? "\n" : "",
			   (unsigned long long)h->hits, (unsigned long long)h->entries,
			   x.n < h->n_rows ? ", not all shown" : "");
	else if (!r && !h->n_rows && w->table.form == TABLE_JSON)
		out_str(o, "[]\n");
	free(x.order);
	return r;
}
