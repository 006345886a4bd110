/* data.c - compared recordings as CSV and JSON. */
#include "cmd/diff/view.h"

#include "show/table.h"

enum { COLS_MAX = 2 + 2 * COMPARE_MAX + REPORT_COLS_MAX };

const char *const diff_hows[] = { "delta", "delta-abs", "ratio", "wdiff" };

const char *diff_text_of(const struct diff_event *ev, uint32_t row, size_t key)
{
	const char *text = compare_text(&ev->rows, row, key);

	return *text ? text : "[unknown]";
}

/* Can the difference be computed? Ratios and weighted differences need samples in the first recording, too. */
static bool is_told(const struct compare *c, uint32_t row, size_t of)
{
	return compare_cell(c, row, of)->samples &&
	       (c->want.how <= COMPARE_DELTA_ABS || compare_cell(c, row, 0)->samples);
}

static bool is_number(enum report_col c)
{
	return c == COL_PID || c == COL_TID || c == COL_THREAD || c == COL_CPU || c == COL_SOCKET ||
	       c == COL_PARALLELISM;
}

/* "12:name": the number, and the text behind the colon, NULL if there is no colon. False: it begins with no number. */
static bool number_of(const char *text, uint64_t *number, const char **rest)
{
	const char *colon = strchr(text, ':');

	*rest = colon ? colon + 1 : NULL;
	return str_u64(sv_trim((struct sv){ text, colon ? (size_t)(colon - text) : strlen(text) }), 10, number);
}

static void csv_difference(const struct compare *c, uint32_t row, size_t of, struct table *t)
{
	if (!is_told(c, row, of))
		table_none(t);
	else if (c->want.how == COMPARE_WDIFF)
		table_i64(t, compare_wdiff(c, row, of));
	else
		table_fixed(t, c->want.how == COMPARE_RATIO ? compare_ratio(c, row, of) : compare_delta(c, row, of),
			    c->want.how == COMPARE_RATIO ? 6 : 2);
}

static void csv_period(const struct compare_cell *cell, struct table *t)
{
	if (cell->samples)
		table_u64(t, cell->weight);
	else
		table_none(t);
}

static void csv_key(enum report_col c, const char *text, struct table *t)
{
	const char *rest;
	uint64_t number;

	if (!is_number(c))
		table_str(t, text);
	else if (number_of(text, &number, &rest))
		table_u64(t, number);
	else
		table_none(t);
}

static void csv_row(const struct diff_show *s, const struct diff_event *ev, uint32_t row, struct table *t)
{
	const struct compare *c = &ev->rows;

	if (compare_cell(c, row, 0)->samples)
		table_fixed(t, compare_percent(c, row, 0), 2);
	else
		table_none(t);
	if (s->periods)
		csv_period(compare_cell(c, row, 0), t);
	for (size_t of = 1; of < s->n_paths; of++) {
		csv_difference(c, row, of, t);
		if (s->periods)
			csv_period(compare_cell(c, row, of), t);
	}
	for (size_t k = 0; k < ev->keys.n; k++)
		csv_key(ev->keys.v[k], diff_text_of(ev, row, k), t);
}

static const char *named(struct arena *a, const struct diff_show *s, const char *name, size_t of)
{
	char text[40];
	size_t n = (size_t)snprintf(text, sizeof(text), s->n_paths > 2 ? "%s/%zu" : "%s", name, of);

	return arena_dup(a, text, n);
}

static size_t csv_cols(const struct diff_show *s, const struct diff_event *ev, struct arena *a,
		       struct table_col cols[COLS_MAX])
{
	enum compare_how how = ev->rows.want.how;
	size_t n = 0;

	cols[n++].head = named(a, s, "baseline", 0);
	if (s->periods)
		cols[n++].head = named(a, s, "base_period", 0);
	for (size_t of = 1; of < s->n_paths; of++) {
		cols[n++].head = named(a, s, diff_hows[how], of);
		if (s->periods)
			cols[n++].head = named(a, s, "period", of);
	}
	for (size_t k = 0; k < ev->keys.n; k++)
		cols[n++].head = ev->key[k].name;
	return n;
}

int diff_csv(const struct diff_show *s, const struct diff_event *ev, struct out *o)
{
	struct table_want w = { .form = TABLE_CSV, .sep = s->sep, .head = s->quiet ? TABLE_NO_HEAD : TABLE_HEAD };
	struct table_col cols[COLS_MAX] = { { 0 } };
	struct arena names = { 0 };
	size_t n, n_cols = csv_cols(s, ev, &names, cols);
	uint32_t *order = compare_order(&ev->rows, &n);
	struct table *t = NULL;
	int r = -ENOMEM;

	for (size_t i = 0; order && i < n_cols; i++)
		if (!cols[i].head)
			goto out;
	t = order ? table_new_stream(cols, n_cols, &w, o) : NULL;
	if (!t)
		goto out;
	for (size_t i = 0; i < n; i++)
		csv_row(s, ev, order[i], t);
	r = table_end(t);
out:
	table_free(t);
	free(order);
	arena_deinit(&names);
	return r;
}

/* A text in a column of numbers may still be none: print a number only if it is one. */
static void json_value(const char *name, const char *text, bool number, struct json *j)
{
	int64_t v;

	if (number && str_i64(sv_from(text), 10, &v))
		json_member_i64(j, name, v);
	else
		json_member_str(j, name, text);
}

static void json_keys(const struct diff_event *ev, uint32_t row, struct json *j)
{
	for (size_t k = 0; k < ev->keys.n; k++) {
		const char *text = diff_text_of(ev, row, k), *rest;
		enum report_col c = ev->keys.v[k];
		uint64_t number;

		if (!is_number(c)) {
			json_value(ev->key[k].name, text, ev->key[k].number, j);
			continue;
		}
		if (number_of(text, &number, &rest))
			json_member_u64(j, report_col_key(c), number);
		json_member_if(j, "comm", rest);
	}
}

static void json_cell(const struct compare *c, uint32_t row, size_t of, struct json *j)
{
	const struct compare_cell *cell = compare_cell(c, row, of);

	if (!cell->samples) {
		json_null(j);
		return;
	}
	json_begin_object(j);
	json_member_u64(j, "samples", cell->samples);
	json_member_u64(j, "period", cell->weight);
	json_key(j, "percent");
	json_fixed(j, compare_percent(c, row, of), 4);
	if (of && is_told(c, row, of)) {
		json_key(j, diff_hows[c->want.how]);
		if (c->want.how == COMPARE_WDIFF)
			json_i64(j, compare_wdiff(c, row, of));
		else
			json_fixed(j, c->want.how == COMPARE_RATIO ? compare_ratio(c, row, of) :
							     compare_delta(c, row, of), 6);
	}
	json_end(j);
}

int diff_json(const struct diff_show *s, const struct diff_event *ev, struct json *j)
{
	size_t n;
	uint32_t *order = compare_order(&ev->rows, &n);

	if (!order)
		return -ENOMEM;
	json_line(j);
	json_begin_object(j);
	json_member_str(j, "event", ev->label);
	json_key(j, "files");
	json_begin_array(j);
	for (size_t of = 0; of < s->n_paths; of++) {
		json_begin_object(j);
		json_member_str(j, "path", s->paths[of]);
		json_member_u64(j, "samples", ev->samples[of]);
		json_member_u64(j, "period", ev->weight[of]);
		json_end(j);
	}
	json_end(j);
	json_key(j, "rows");
	json_begin_array(j);
	for (size_t i = 0; i < n; i++) {
		json_line(j);
		json_begin_object(j);
		json_keys(ev, order[i], j);
		json_key(j, "of");
		json_begin_array(j);
		for (size_t of = 0; of < s->n_paths; of++)
			json_cell(&ev->rows, order[i], of, j);
		json_end(j);
		json_end(j);
	}
	json_end(j);
	json_end(j);
	free(order);
	return 0;
}
