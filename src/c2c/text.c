/* text.c - two tables in perf's layout: columns have headings, and groups of columns have one above these. */
#include "c2c/cells.h"
#include "c2c/parts.h"

/* A table that is being printed: its columns and their widths. */
struct table_out {
	struct c2c_cells cells;
	size_t width[C2C_COLS_MAX];
	struct out *o;
};

/* Columns whose width depends on their cells; the others have a fixed one. */
static bool is_wide(const struct c2c_col *col)
{
	return col->kind >= CELL_NODES && col->kind != CELL_CODE;
}

static int measure_row(struct table_out *t)
{
	for (size_t i = 0; i < t->cells.n; i++) {
		const struct c2c_col *col = &t->cells.v[i];

		/* The last column is not padded, so its width does not matter. */
		if (!col->head || !is_wide(col) || i + 1 == t->cells.n)
			continue;
		if (!c2c_cell(&t->cells, col, C2C_FOR_PEOPLE))
			return -ENOMEM;
		t->width[i] = MAX(t->width[i], t->cells.length);
	}
	return 0;
}

static void least_widths(struct table_out *t)
{
	for (size_t i = 0; i < t->cells.n; i++)
		t->width[i] = t->cells.v[i].width;
}

static void put_padded(struct out *o, const char *text, size_t n, size_t width, bool left)
{
	size_t room = width > n ? width - n : 0;

	out_fill(o, ' ', left ? 0 : room);
	out_bytes(o, text, n);
	out_fill(o, ' ', left ? room : 0);
}

/* "----- Cacheline ----" */
static void put_group(struct out *o, const char *text, size_t width)
{
	size_t n = strlen(text), left = width / 2 - n / 2;

	out_fill(o, '-', left - 1);
	out_char(o, ' ');
	out_str(o, text);
	out_char(o, ' ');
	out_fill(o, '-', width - left - n - 1);
}

static size_t span_width(const struct table_out *t, size_t from)
{
	size_t width = t->width[from];

	for (size_t i = 1; i <= t->cells.v[from].span; i++)
		width += 2 + t->width[from + i];
	return width;
}

static bool is_shown(const struct c2c_col *col)
{
	return col->head;
}

static void put_groups(struct table_out *t)
{
	for (size_t i = 0; i < t->cells.n; i += 1 + t->cells.v[i].span) {
		const struct c2c_col *col = &t->cells.v[i];
		size_t width = span_width(t, i);

		if (!is_shown(col))
			continue;
		out_str(t->o, i ? "  " : "# ");
		if (col->kind == CELL_ADDRESS)
			put_group(t->o, col->group, width);
		else
			out_right(t->o, col->group ? col->group : "", width);
	}
	out_char(t->o, '\n');
}

static void put_heads(struct table_out *t)
{
	put_groups(t);
	for (size_t i = 0; i < t->cells.n; i++) {
		if (!is_shown(&t->cells.v[i]))
			continue;
		out_str(t->o, i ? "  " : "# ");
		out_right(t->o, t->cells.v[i].head, t->width[i]);
	}
	out_str(t->o, "\n");
	for (size_t i = 0; i < t->cells.n; i++) {
		if (!is_shown(&t->cells.v[i]))
			continue;
		out_str(t->o, i ? "  " : "# ");
		out_fill(t->o, '.', t->width[i]);
	}
	out_str(t->o, "\n#\n");
}

static int put_row(struct table_out *t)
{
	for (size_t i = 0; i < t->cells.n; i++) {
		const struct c2c_col *col = &t->cells.v[i];
		const char *text = is_shown(col) ? c2c_cell(&t->cells, col, C2C_FOR_PEOPLE) : "";
		bool last = i + 1 == t->cells.n;

		if (!text)
			return -ENOMEM;
		if (!is_shown(col))
			continue;
		out_str(t->o, "  ");
		put_padded(t->o, text, t->cells.length, last && c2c_is_text(col) ? 0 : t->width[i], c2c_is_text(col));
	}
	out_char(t->o, '\n');
	return 0;
}

static int put_lines(struct table_out *t)
{
	struct c2c_cells *c = &t->cells;
	int r = 0;

	for (size_t i = 0; i < c->lines->shown.n && !r; i++) {
		c2c_at_line(c, i);
		r = measure_row(t);
	}
	if (!r)
		put_heads(t);
	for (size_t i = 0; i < c->lines->shown.n && !r; i++) {
		c2c_at_line(c, i);
		r = put_row(t);
	}
	return r;
}

static void put_rule(struct out *o)
{
	out_str(o, "  ----------------------------------------------------------------------\n");
}

/* The totals of a line, printed above its rows. */
static int put_sums(struct table_out *t, size_t line)
{
	struct table_out sums = { .o = t->o };
	int r;

	c2c_cells_init(&sums.cells, t->cells.lines, t->cells.view, C2C_SUMS);
	least_widths(&sums);
	c2c_at_line(&sums.cells, line);
	put_rule(t->o);
	r = put_row(&sums);
	put_rule(t->o);
	c2c_cells_deinit(&sums.cells);
	return r;
}

static int put_line_rows(struct table_out *t, size_t line)
{
	const struct c2c_shown *s = &t->cells.lines->shown.v[line];
	int r = put_sums(t, line);

	for (size_t i = 0; i < s->n_rows && !r; i++) {
		c2c_at_row(&t->cells, s->first + i);
		r = put_row(t);
	}
	return r;
}

static int put_pareto(struct table_out *t)
{
	const struct c2c_lines *c = t->cells.lines;
	int r = 0;

	for (size_t i = 0; i < c->shown_rows.n && !r; i++) {
		c2c_at_row(&t->cells, i);
		r = measure_row(t);
	}
	if (!r && c->shown.n)
		put_heads(t);
	for (size_t i = 0; i < c->shown.n && !r; i++) {
		if (i)
			out_char(t->o, '\n');
		r = put_line_rows(t, i);
	}
	return r;
}

static int with_table(struct c2c_lines *c, const struct c2c_view *w, enum c2c_table table, struct out *o)
{
	struct table_out t = { .o = o };
	int r;

	c2c_cells_init(&t.cells, c, w, table);
	least_widths(&t);
	r = table == C2C_LINES ? put_lines(&t) : put_pareto(&t);
	c2c_cells_deinit(&t.cells);
	return r;
}

int c2c_text(struct c2c_lines *c, const struct c2c_view *w, struct out *o)
{
	int r;

	c2c_totals(c, o);
	if (w->totals_only)
		return 0;
	out_char(o, '\n');
	c2c_title("Shared Data Cache Line Table", o);
	out_str(o, "#\n");
	r = with_table(c, w, C2C_LINES, o);
	if (r)
		return r;
	out_char(o, '\n');
	c2c_title("Shared Cache Line Distribution Pareto", o);
	out_str(o, "#\n");
	return with_table(c, w, C2C_ROWS, o);
}
