/* data.c - the tables as CSV and JSON: columns are named by their keys, texts are not cut. */
#include "c2c/cells.h"
#include "show/json.h"

static void csv_text(struct out *o, const char *s, const char *sep)
{
	if (!strpbrk(s, "\"\n") && !strstr(s, sep)) {
		out_str(o, s);
		return;
	}
	out_char(o, '"');
	for (; *s; s++) {
		if (*s == '"')
			out_char(o, '"');
		out_char(o, *s);
	}
	out_char(o, '"');
}

static void csv_heads(const struct c2c_cells *c, const char *sep, struct out *o)
{
	for (size_t i = 0, n = 0; i < c->n; i++) {
		if (!c->v[i].key)
			continue;
		out_str(o, n++ ? sep : "");
		out_str(o, c->v[i].key);
	}
	out_char(o, '\n');
}

static int csv_row(struct c2c_cells *c, const char *sep, struct out *o)
{
	for (size_t i = 0, n = 0; i < c->n; i++) {
		const char *text = c->v[i].key ? c2c_cell(c, &c->v[i], C2C_FOR_PROGRAMS) : "";

		if (!text)
			return -ENOMEM;
		if (!c->v[i].key)
			continue;
		out_str(o, n++ ? sep : "");
		csv_text(o, text, sep);
	}
	out_char(o, '\n');
	return 0;
}

static int csv_table(struct c2c_cells *c, size_t n, void (*at)(struct c2c_cells *c, size_t i), const char *sep,
		     struct out *o)
{
	int r = 0;

	csv_heads(c, sep, o);
	for (size_t i = 0; i < n && !r; i++) {
		at(c, i);
		r = csv_row(c, sep, o);
	}
	return r;
}

int c2c_csv(struct c2c_lines *lines, const struct c2c_view *w, const char *sep, struct out *o)
{
	struct c2c_cells c;
	int r;

	c2c_cells_init(&c, lines, w, C2C_LINES);
	r = csv_table(&c, lines->shown.n, c2c_at_line, sep, o);
	c2c_cells_deinit(&c);
	if (r)
		return r;
	out_char(o, '\n');
	c2c_cells_init(&c, lines, w, C2C_ROWS);
	r = csv_table(&c, lines->shown_rows.n, c2c_at_row, sep, o);
	c2c_cells_deinit(&c);
	return r;
}

static void json_counts(struct json *j, const char *name, const struct c2c_counts *c)
{
	json_key(j, name);
	json_begin_object(j);
	for (size_t i = 0; i < C2C_COUNTS; i++)
		json_member_u64(j, c2c_count_key(i), c->n[i]);
	json_end(j);
}

/* Write all cells as members of the JSON object that is open. */
static int json_cells(struct json *j, struct c2c_cells *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct c2c_col *col = &c->v[i];
		const char *text = col->key ? c2c_cell(c, col, C2C_FOR_PROGRAMS) : "";

		if (!text)
			return -ENOMEM;
		if (!col->key)
			continue;
		json_key(j, col->key);
		if (c2c_is_number(col))
			json_word(j, text);
		else
			json_str(j, sv_from(text));
	}
	return 0;
}

static int put_line(struct json *j, struct c2c_cells *lines, struct c2c_cells *rows, size_t line)
{
	const struct c2c_shown *s = &lines->lines->shown.v[line];
	int r;

	json_line(j);
	json_begin_object(j);
	c2c_at_line(lines, line);
	r = json_cells(j, lines);
	json_key(j, "rows");
	json_begin_array(j);
	for (size_t i = 0; i < s->n_rows && !r; i++) {
		json_line(j);
		json_begin_object(j);
		c2c_at_row(rows, s->first + i);
		r = json_cells(j, rows);
		json_end(j);
	}
	json_end(j);
	json_end(j);
	return r;
}

int c2c_json(struct c2c_lines *lines, const struct c2c_view *w, struct out *o)
{
	struct c2c_cells of_lines, of_rows;
	struct json j = json_on(o);
	int r = 0;

	c2c_cells_init(&of_lines, lines, w, C2C_LINES);
	c2c_cells_init(&of_rows, lines, w, C2C_ROWS);
	json_begin_object(&j);
	json_counts(&j, "totals", &lines->total);
	json_member_u64(&j, "shared_lines", lines->n_shared);
	json_counts(&j, "shared", &lines->shared);
	json_key(&j, "lines");
	json_begin_array(&j);
	for (size_t i = 0; i < lines->shown.n && !r; i++)
		r = put_line(&j, &of_lines, &of_rows, i);
	json_end(&j);
	json_end(&j);
	out_char(o, '\n');
	c2c_cells_deinit(&of_lines);
	c2c_cells_deinit(&of_rows);
	return r;
}
