/* text.c - recordings side by side in the layout of `perf diff`. */
#include "cmd/diff/view.h"

#include "show/text.h"

enum { NUMBER = 14, FORMULA = 70, COLS_MAX = 2 + 3 * COMPARE_MAX, VALUE_MAX = 160 };

enum diff_col { DIFF_BASELINE, DIFF_BASE_PERIOD, DIFF_VALUE, DIFF_FORMULA, DIFF_PERIOD };

static const struct {
	const char *head;
	unsigned width;
} cols_of[] = {
	[DIFF_BASELINE] = { "Baseline", 0 },
	[DIFF_BASE_PERIOD] = { "Base period", NUMBER },
	[DIFF_FORMULA] = { "Formula", FORMULA },
	[DIFF_PERIOD] = { "Period", NUMBER },
}, values[] = {
	[COMPARE_DELTA] = { "Delta", 7 },
	[COMPARE_DELTA_ABS] = { "Delta Abs", 7 },
	[COMPARE_RATIO] = { "Ratio", NUMBER },
	[COMPARE_WDIFF] = { "Weighted diff", NUMBER },
};

struct layout {
	struct { enum diff_col what; size_t of; unsigned width; char head[40]; } col[COLS_MAX];
	size_t n;
	unsigned keys[REPORT_COLS_MAX];
};

static void add_col(struct layout *l, const struct diff_show *s, const struct compare *c, enum diff_col what, size_t of)
{
	const char *head = what == DIFF_VALUE ? values[c->want.how].head : cols_of[what].head;
	unsigned width = what == DIFF_VALUE ? values[c->want.how].width : cols_of[what].width;
	size_t i = l->n++;

	snprintf(l->col[i].head, sizeof(l->col[i].head), s->n_paths > 2 ? "%s/%zu" : "%s", head, of);
	l->col[i].what = what;
	l->col[i].of = of;
	l->col[i].width = MAX(width, (unsigned)strlen(l->col[i].head));
}

static void add_cols(struct layout *l, const struct diff_show *s, const struct compare *c)
{
	add_col(l, s, c, DIFF_BASELINE, 0);
	if (s->periods)
		add_col(l, s, c, DIFF_BASE_PERIOD, 0);
	for (size_t of = 1; of < s->n_paths; of++) {
		add_col(l, s, c, DIFF_VALUE, of);
		if (s->formula)
			add_col(l, s, c, DIFF_FORMULA, of);
		if (s->periods)
			add_col(l, s, c, DIFF_PERIOD, of);
	}
}

/* Make each column of a key as wide as its widest text. */
static void fit_keys(struct layout *l, const struct diff_event *ev, const uint32_t *order, size_t n)
{
	for (size_t k = 0; k < ev->keys.n; k++) {
		unsigned mark = ev->keys.v[k] == COL_SYM ? 4 : 0;

		l->keys[k] = (unsigned)strlen(ev->key[k].head);
		for (size_t i = 0; i < n; i++) {
			unsigned w = (unsigned)text_columns(sv_from(diff_text_of(ev, order[i], k)));

			l->keys[k] = MAX(l->keys[k], w + mark);
		}
	}
}

static void put_files(const struct diff_show *s, struct out *o)
{
	out_str(o, "# Data files:\n");
	for (size_t i = 0; i < s->n_paths; i++) {
		out_printf(o, "#  [%zu] ", i);
		text_put(o, sv_from(s->paths[i]), TEXT_ALL, TEXT_PLAIN);
		out_str(o, i ? " \n" : " (Baseline)\n");
	}
	out_str(o, "#\n");
}

static void put_heads(const struct diff_event *ev, const struct layout *l, struct out *o)
{
	out_char(o, '#');
	for (size_t i = 0; i < l->n; i++) {
		out_fill(o, ' ', i ? 2 : 1);
		out_right(o, l->col[i].head, l->col[i].width);
	}
	for (size_t k = 0; k < ev->keys.n; k++) {
		out_str(o, "  ");
		out_left(o, ev->key[k].head, l->keys[k]);
	}
	out_str(o, "\n#");
	for (size_t i = 0; i < l->n + ev->keys.n; i++) {
		out_fill(o, ' ', i ? 2 : 1);
		out_fill(o, '.', i < l->n ? l->col[i].width : l->keys[i - l->n]);
	}
	out_str(o, "\n#\n");
}

static void formula(const struct compare *c, uint32_t row, size_t of, char buf[VALUE_MAX])
{
	unsigned long long old = compare_cell(c, row, 0)->weight, new = compare_cell(c, row, of)->weight;

	if (c->want.how == COMPARE_RATIO)
		snprintf(buf, VALUE_MAX, "%llu / %llu", new, old);
	else if (c->want.how == COMPARE_WDIFF)
		snprintf(buf, VALUE_MAX, "(%llu * %lld) - (%llu * %lld)", new, (long long)c->want.w_new, old,
			 (long long)c->want.w_old);
	else
		snprintf(buf, VALUE_MAX, "(%llu * 100 / %llu) - (%llu * 100 / %llu)", new,
			 (unsigned long long)c->total[of], old, (unsigned long long)c->total[0]);
}

static void difference(const struct compare *c, uint32_t row, size_t of, char buf[VALUE_MAX])
{
	bool delta = c->want.how == COMPARE_DELTA || c->want.how == COMPARE_DELTA_ABS;

	if (delta)
		snprintf(buf, VALUE_MAX, "%+.2f%%", compare_delta(c, row, of));
	else if (!compare_cell(c, row, 0)->samples)
		str_copy(buf, VALUE_MAX, sv_from("N/A"));
	else if (c->want.how == COMPARE_RATIO)
		snprintf(buf, VALUE_MAX, "%.6f", compare_ratio(c, row, of));
	else
		snprintf(buf, VALUE_MAX, "%lld", (long long)compare_wdiff(c, row, of));
}

static void value_text(const struct compare *c, uint32_t row, enum diff_col what, size_t of, char buf[VALUE_MAX])
{
	const struct compare_cell *cell = compare_cell(c, row, of);

	*buf = '\0';
	if (what == DIFF_BASE_PERIOD || (what == DIFF_PERIOD && cell->samples))
		snprintf(buf, VALUE_MAX, "%llu", (unsigned long long)cell->weight);
	else if (what == DIFF_VALUE && cell->samples)
		difference(c, row, of, buf);
	else if (what == DIFF_FORMULA && cell->samples)
		formula(c, row, of, buf);
}

static const char *color_of(const struct compare *c, uint32_t row, size_t of)
{
	double delta = compare_delta(c, row, of), size = delta < 0 ? -delta : delta;

	if (c->want.how > COMPARE_DELTA_ABS || !compare_cell(c, row, of)->samples)
		return "";
	return size >= 5 ? "\x1b[31m" : size > 0.5 ? "\x1b[32m" : "";
}

static void put_value(const struct layout *l, size_t i, const struct compare *c, uint32_t row, struct out *o)
{
	enum diff_col what = l->col[i].what;
	size_t of = l->col[i].of;
	const char *color = o->color && what == DIFF_VALUE ? color_of(c, row, of) : "";
	char buf[VALUE_MAX];

	if (what == DIFF_BASELINE && compare_cell(c, row, 0)->samples) {
		text_percent(o, compare_percent(c, row, 0), l->col[i].width);
		return;
	}
	value_text(c, row, what, of, buf);
	if (*color)
		out_control(o, color);
	out_right(o, buf, l->col[i].width);
	if (*color)
		out_control(o, "\x1b[m");
}

static void put_key(const struct layout *l, const struct diff_event *ev, uint32_t row, size_t k, struct out *o)
{
	struct sv text = sv_from(diff_text_of(ev, row, k));

	out_str(o, "  ");
	if (ev->keys.v[k] == COL_SYM)
		out_printf(o, "[%c] ", ev->rows.marks.v[row]);
	text_put(o, text, TEXT_ALL, TEXT_PLAIN);
	/* As in perf: every key is padded, but not a symbol in the last column. */
	if (ev->keys.v[k] != COL_SYM)
		out_fill(o, ' ', l->keys[k] - text_columns(text));
	else if (k + 1 < ev->keys.n)
		out_fill(o, ' ', l->keys[k] - 4 - text_columns(text));
}

int diff_text(const struct diff_show *s, const struct diff_event *ev, struct out *o)
{
	struct layout l = { .n = 0 };
	size_t n;
	uint32_t *order = compare_order(&ev->rows, &n);

	if (!order)
		return -ENOMEM;
	add_cols(&l, s, &ev->rows);
	fit_keys(&l, ev, order, n);
	if (!s->quiet) {
		out_str(o, "# Event '");
		text_put(o, sv_from(ev->label), TEXT_ALL, TEXT_PLAIN);
		out_str(o, "'\n#\n");
		if (s->verbose || s->n_paths > 2)
			put_files(s, o);
		put_heads(ev, &l, o);
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < l.n; k++) {
			out_str(o, "  ");
			put_value(&l, k, &ev->rows, order[i], o);
		}
		for (size_t k = 0; k < ev->keys.n; k++)
			put_key(&l, ev, order[i], k, o);
		out_char(o, '\n');
	}
	free(order);
	return 0;
}
