/* table.c - typed cells, kept or streamed, in three forms. */
#include "show/table.h"
#include "base/vec.h"
#include "show/json.h"
#include "show/text.h"

enum {
	GAP = 2,          /* spaces between columns */
	LEAST_LAST = 8,   /* minimum width of the last column */
	WIDEST = 4096,    /* wider cells push the rest to the right */
};

enum cell_kind {
	CELL_NONE, CELL_STR, CELL_U64, CELL_I64, CELL_GROUPED, CELL_HEX, CELL_FIXED, CELL_PERCENT
};

struct cell {
	enum cell_kind kind;
	uint32_t n;              /* CELL_STR: length; CELL_FIXED: number of decimals */
	union {
		uint64_t u;
		int64_t i;
		double d;
		size_t at;       /* CELL_STR: offset in text */
	};
};

struct table {
	const struct table_col *cols;
	size_t n;
	VEC(struct cell) cell;
	VEC(char) text;
	size_t rows;             /* complete rows that a stream has written */
	int error;
	struct out *o;           /* of a stream, or during printing; else NULL */
	const struct table_want *want;
	size_t last;             /* width available for the last column */
	struct json json;
	unsigned width[];        /* of text, per column */
};

static const char *col_key(const struct table_col *c)
{
	return c->key ? c->key : c->head;
}

/* --- a cell's text ---------------------------------------------------------------------------- */

/* The cell as text or CSV; buf holds formatted numbers. */
static struct sv cell_text(const struct table *t, const struct cell *c, enum table_form form,
			   char buf[64])
{
	switch (c->kind) {
	case CELL_NONE:
		return SV("");
	case CELL_STR:
		return (struct sv){ c->n ? t->text.v + c->at : "", c->n };
	case CELL_GROUPED:
		if (form == TABLE_TEXT)
			return sv_from(fmt_grouped(buf, 64, c->u));
		snprintf(buf, 64, "%llu", (unsigned long long)c->u);
		break;
	case CELL_U64:
		snprintf(buf, 64, "%llu", (unsigned long long)c->u);
		break;
	case CELL_I64:
		snprintf(buf, 64, "%lld", (long long)c->i);
		break;
	case CELL_HEX:
		snprintf(buf, 64, "0x%llx", (unsigned long long)c->u);
		break;
	case CELL_FIXED:
		snprintf(buf, 64, "%.*f", (int)c->n, c->d);
		break;
	case CELL_PERCENT:
		snprintf(buf, 64, form == TABLE_TEXT ? "%.2f%%" : "%.2f", c->d);
		break;
	}
	return sv_from(buf);
}

/* --- one row in each form --------------------------------------------------------------------- */

static void pad(struct out *o, size_t have, size_t want)
{
	if (have < want)
		out_fill(o, ' ', want - have);
}

/* Write the spaces that separate and align a column. */
static void text_before(const struct table *t, size_t col, size_t columns)
{
	if (col)
		out_fill(t->o, ' ', GAP);
	if (t->cols[col].align == TABLE_RIGHT)
		pad(t->o, columns, t->width[col]);
}

static void text_after(const struct table *t, size_t col, size_t columns)
{
	if (col + 1 == t->n)
		out_char(t->o, '\n');
	else if (t->cols[col].align == TABLE_LEFT)
		pad(t->o, columns, t->width[col]);
}

static void text_row(const struct table *t, const struct cell *row)
{
	char buf[64];

	for (size_t i = 0; i < t->n; i++) {
		struct sv s = cell_text(t, &row[i], TABLE_TEXT, buf);
		size_t columns = text_columns(s);

		text_before(t, i, columns);
		if (row[i].kind == CELL_PERCENT)
			text_percent(t->o, row[i].d, 0);
		else
			text_put(t->o, s, i + 1 == t->n ? t->last : TEXT_ALL, TEXT_PLAIN);
		text_after(t, i, columns);
	}
}

static void text_head(const struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct sv s = sv_from(t->cols[i].head);

		text_before(t, i, text_columns(s));
		text_put(t->o, s, i + 1 == t->n ? t->last : TEXT_ALL, TEXT_PLAIN);
		text_after(t, i, text_columns(s));
	}
}

static const char *separator(const struct table *t)
{
	return t->want->sep ? t->want->sep : ",";
}

static bool needs_quotes(struct sv s, const char *sep)
{
	size_t n = strlen(sep);

	for (size_t i = 0; i < s.n; i++)
		if (strchr("\"\r\n", s.s[i]) || (n && n <= s.n - i && !memcmp(s.s + i, sep, n)))
			return true;
	return false;
}

static void csv_cell(const struct table *t, size_t col, struct sv s)
{
	bool quote = needs_quotes(s, separator(t));

	if (col)
		out_str(t->o, separator(t));
	if (quote)
		out_char(t->o, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '"')
			out_char(t->o, '"');
		out_char(t->o, s.s[i]);
	}
	if (quote)
		out_char(t->o, '"');
	if (col + 1 == t->n)
		out_char(t->o, '\n');
}

static void csv_row(const struct table *t, const struct cell *row)
{
	char buf[64];

	for (size_t i = 0; i < t->n; i++)
		csv_cell(t, i, cell_text(t, &row[i], TABLE_CSV, buf));
}

static void json_cell(struct table *t, const struct cell *c)
{
	char buf[64];

	switch (c->kind) {
	case CELL_NONE: json_null(&t->json); break;
	case CELL_U64:
	case CELL_GROUPED: json_u64(&t->json, c->u); break;
	case CELL_I64: json_i64(&t->json, c->i); break;
	case CELL_FIXED: json_fixed(&t->json, c->d, c->n); break;
	case CELL_PERCENT: json_fixed(&t->json, c->d, 2); break;
	case CELL_STR:
	case CELL_HEX: json_str(&t->json, cell_text(t, c, TABLE_JSON, buf)); break;
	}
}

static void json_row(struct table *t, const struct cell *row)
{
	json_line(&t->json);
	json_begin_object(&t->json);
	for (size_t i = 0; i < t->n; i++) {
		json_key(&t->json, col_key(&t->cols[i]));
		json_cell(t, &row[i]);
	}
	json_end(&t->json);
}

/* --- the document ----------------------------------------------------------------------------- */

static void begin(struct table *t)
{
	if (t->want->form == TABLE_JSON) {
		t->json = json_on(t->o);
		json_begin_array(&t->json);
	} else if (t->want->head == TABLE_HEAD && t->want->form == TABLE_TEXT) {
		text_head(t);
	} else if (t->want->head == TABLE_HEAD) {
		for (size_t i = 0; i < t->n; i++)
			csv_cell(t, i, sv_from(col_key(&t->cols[i])));
	}
}

static void put_row(struct table *t, const struct cell *row)
{
	if (t->want->form == TABLE_JSON)
		json_row(t, row);
	else if (t->want->form == TABLE_CSV)
		csv_row(t, row);
	else
		text_row(t, row);
}

static void end(struct table *t)
{
	if (t->want->form != TABLE_JSON)
		return;
	out_char(t->o, '\n');
	json_end(&t->json);
	out_char(t->o, '\n');
}

static void fit_column(struct table *t, size_t col)
{
	size_t max = t->cols[col].width;
	char buf[64];

	if (t->want->head == TABLE_HEAD)
		max = MAX(max, text_columns(sv_from(t->cols[col].head)));

	for (size_t i = col; i < t->cell.n; i += t->n) {
		size_t wide = text_columns(cell_text(t, &t->cell.v[i], TABLE_TEXT, buf));

		max = MAX(max, wide);
	}
	t->width[col] = (unsigned)MIN(max, (size_t)WIDEST);
}

/* On a terminal limit the last column to the remaining width. */
static void fit_last(struct table *t)
{
	size_t used = 0;

	t->last = TEXT_ALL;
	if (!t->o->width || t->cols[t->n - 1].align != TABLE_LEFT)
		return;
	for (size_t i = 0; i + 1 < t->n; i++)
		used += t->width[i] + GAP;
	t->last = t->o->width > used + LEAST_LAST ? t->o->width - used : LEAST_LAST;
}

/* --- cells in --------------------------------------------------------------------------------- */

struct table *table_new(const struct table_col *cols, size_t n)
{
	struct table *t = n ? calloc(1, sizeof(*t) + n * sizeof(t->width[0])) : NULL;

	if (t) {
		t->cols = cols;
		t->n = n;
	}
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	vec_free(&t->cell);
	vec_free(&t->text);
	free(t);
}

struct table *table_new_stream(const struct table_col *cols, size_t n, const struct table_want *w,
			       struct out *o)
{
	struct table *t = table_new(cols, n);

	if (!t)
		return NULL;
	t->o = o;
	t->want = w;
	for (size_t i = 0; i < n; i++)
		fit_column(t, i);
	fit_last(t);
	begin(t);
	return t;
}

/* Write a stream's row when its last cell was added, and drop it. */
static void flush_row(struct table *t)
{
	if (!t->o || t->cell.n < t->n)
		return;
	put_row(t, t->cell.v);
	t->cell.n = t->text.n = 0;
	t->rows++;
}

static void add(struct table *t, struct cell c)
{
	struct cell *p = vec_add(&t->cell);

	if (!p) {
		t->error = -ENOMEM;
		return;
	}
	*p = c;
	flush_row(t);
}

void table_sv(struct table *t, struct sv s)
{
	if (s.n >= UINT32_MAX || vec_reserve(&t->text, s.n)) {
		t->error = -ENOMEM;
		table_none(t);
		return;
	}
	if (s.n)
		memcpy(t->text.v + t->text.n, s.s, s.n);
	t->text.n += s.n;
	add(t, (struct cell){ .kind = CELL_STR, .n = (uint32_t)s.n, .at = t->text.n - s.n });
}

void table_str(struct table *t, const char *s)
{
	if (s)
		table_sv(t, sv_from(s));
	else
		table_none(t);
}

void table_u64(struct table *t, uint64_t v)
{
	add(t, (struct cell){ .kind = CELL_U64, .u = v });
}

void table_i64(struct table *t, int64_t v)
{
	add(t, (struct cell){ .kind = CELL_I64, .i = v });
}

void table_grouped(struct table *t, uint64_t v)
{
	add(t, (struct cell){ .kind = CELL_GROUPED, .u = v });
}

void table_hex(struct table *t, uint64_t v)
{
	add(t, (struct cell){ .kind = CELL_HEX, .u = v });
}

void table_fixed(struct table *t, double v, unsigned prec)
{
	if (__builtin_isfinite(v))
		add(t, (struct cell){ .kind = CELL_FIXED, .n = MIN(prec, 15u), .d = v });
	else
		table_none(t);
}

void table_percent(struct table *t, double v)
{
	if (__builtin_isfinite(v))
		add(t, (struct cell){ .kind = CELL_PERCENT, .d = v });
	else
		table_none(t);
}

void table_none(struct table *t)
{
	add(t, (struct cell){ .kind = CELL_NONE });
}

size_t table_rows(const struct table *t)
{
	return t->rows + t->cell.n / t->n;
}

static void complete_row(struct table *t)
{
	while (t->cell.n % t->n && !t->error)
		table_none(t);
}

/* --- rows out --------------------------------------------------------------------------------- */

int table_print(struct table *t, const struct table_want *w, struct out *o)
{
	complete_row(t);
	t->o = o;
	t->want = w;
	for (size_t i = 0; i < t->n; i++)
		fit_column(t, i);
	fit_last(t);
	begin(t);
	for (size_t i = 0; i + t->n <= t->cell.n; i += t->n)
		put_row(t, &t->cell.v[i]);
	end(t);
	t->o = NULL;
	return t->error;
}

int table_end(struct table *t)
{
	complete_row(t);
	end(t);
	return t->error;
}
