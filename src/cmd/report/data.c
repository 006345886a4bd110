/* data.c - a report for programs: CSV and JSON. */
#include "cmd/report/view.h"

#include "show/table.h"

enum { LABEL_MAX = 700 };

static void csv_cell(const struct report_view *v, uint32_t row, size_t col, struct table *t)
{
	const struct hist_row *r = &v->hist->rows.v[row];
	const struct hist_group *g = &v->profile->groups.v[r->group];
	char label[LABEL_MAX];

	switch (v->cols->v[col]) {
	case COL_CHILDREN:
		table_fixed(t, report_percent(v, r->total), 2);
		break;
	case COL_OVERHEAD:
		table_fixed(t, report_percent(v, r->self), 2);
		break;
	case COL_SYS: case COL_US: case COL_GUEST_SYS: case COL_GUEST_US:
		table_fixed(t, report_percent(v, r->in_space[v->cols->v[col] - COL_SYS]), 2);
		break;
	case COL_LATENCY:
		table_fixed(t, report_latency(v, r->latency), 2);
		break;
	case COL_PARALLELISM:
		table_u64(t, g->parallelism);
		break;
	case COL_SAMPLES:
		table_u64(t, r->samples);
		break;
	case COL_PERIOD:
		table_u64(t, r->self);
		break;
	case COL_PID:
		table_u64(t, g->pid);
		break;
	case COL_TID:
	case COL_THREAD:
		table_u64(t, g->tid);
		break;
	case COL_CPU:
		if (g->cpu == UINT32_MAX)
			table_none(t);
		else
			table_u64(t, g->cpu);
		break;
	case COL_SOCKET:
		if (g->socket < 0)
			table_none(t);
		else
			table_u64(t, (uint64_t)g->socket);
		break;
	case COL_SYM:
		table_str(t, frames_label_text(&v->profile->frames, r->frame, label, sizeof(label)));
		break;
	default:
		table_str(t, report_cell(v, row, col, NULL, 0));
	}
}

int report_csv(struct report_view *v, struct out *o)
{
	struct table_want w = {
		.form = TABLE_CSV, .sep = v->want->sep, .head = v->want->quiet ? TABLE_NO_HEAD : TABLE_HEAD,
	};
	struct table_col cols[REPORT_COLS_MAX];
	struct table *t;

	for (size_t i = 0; i < v->cols->n; i++) {
		enum report_col c = v->cols->v[i];

		cols[i] = (struct table_col){ .head = c == COL_VALUE ? report_field(v, i)->name : report_col_key(c) };
	}
	t = table_new_stream(cols, v->cols->n, &w, o);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < v->hist->rows.n; i++)
		for (size_t c = 0; c < v->cols->n && report_shown(v, v->order[i]); c++)
			csv_cell(v, v->order[i], c, t);

	int r = table_end(t);

	table_free(t);
	return r;
}

static void json_percent(const struct report_view *v, struct json *j, const char *key, uint64_t weight)
{
	json_key(j, key);
	json_fixed(j, report_percent(v, weight), 4);
}

static void json_spaces(const struct report_view *v, const struct hist_row *r, struct json *j)
{
	for (size_t i = 0; i < v->cols->n; i++)
		if (report_is_space(v->cols->v[i]))
			json_percent(v, j, report_col_key(v->cols->v[i]), r->in_space[v->cols->v[i] - COL_SYS]);
}

static void json_value(const char *value, struct json *j)
{
	struct sv text = sv_from(value + 1);
	int64_t n;

	if (*value == HIST_NUMBER && str_i64(text, 10, &n))
		json_i64(j, n);
	else
		json_str(j, text);
}

static void json_values(const struct report_view *v, uint32_t row, struct json *j)
{
	bool fields = false;

	for (size_t i = 0; i < v->cols->n; i++) {
		if (v->cols->v[i] != COL_VALUE || value_is_text(report_field(v, i)))
			continue;
		if (!fields) {
			json_key(j, "fields");
			json_begin_object(j);
			fields = true;
		}
		json_key(j, report_field(v, i)->name);
		json_value(report_value(v, row, i), j);
	}
	if (fields)
		json_end(j);
	for (size_t i = 0; i < v->cols->n; i++)
		if (v->cols->v[i] == COL_VALUE && value_is_text(report_field(v, i)))
			json_member_str(j, "trace", report_cell(v, row, i, NULL, 0));
}

static void json_keys(const struct report_view *v, const struct hist_row *r, unsigned keys, struct json *j)
{
	const struct hist_group *g = &v->profile->groups.v[r->group];
	const struct hist_frame *f = &v->profile->frames.v.v[r->frame];
	char label[LABEL_MAX];

	if (keys & HIST_PID)
		json_member_u64(j, "pid", g->pid);
	if (keys & HIST_TID)
		json_member_u64(j, "tid", g->tid);
	if (keys & HIST_COMM)
		json_member_str(j, "comm", g->comm);
	if (keys & HIST_CPU && g->cpu != UINT32_MAX)
		json_member_u64(j, "cpu", g->cpu);
	if (keys & HIST_SOCKET && g->socket >= 0)
		json_member_u64(j, "socket", (uint64_t)g->socket);
	if (keys & HIST_PARALLELISM)
		json_member_u64(j, "parallelism", g->parallelism);
	if (keys & HIST_PARENT)
		json_member_str(j, "parent", g->parent ? g->parent : "[other]");
	if (keys & HIST_DSO) {
		json_member_str(j, "dso", f->dso_short);
		json_member_str(j, "path", f->dso);
	}
	if (keys & HIST_LINE)
		json_member_str(j, "srcline", f->line ? f->line : "[unknown]");
	if (keys & HIST_FILE)
		json_member_str(j, "srcfile", f->file ? f->file : "[unknown]");
	for (unsigned i = 0; i < HIST_TOUCH_TEXTS; i++) {
		const char *text = hist_touched(f, i);

		if (keys & HIST_TYPE << i)
			json_member_str(j, report_col_key(COL_TYPE + i), text ? text : "[unknown]");
	}
	if (keys & HIST_SYM) {
		json_member_str(j, "symbol", frames_label_text(&v->profile->frames, r->frame, label, sizeof(label)));
		json_member_str(j, "space", f->kernel ? "kernel" : "user");
	}
}

void report_json_key(const struct report_view *v, uint32_t row, size_t col, struct json *j)
{
	if (v->cols->v[col] != COL_VALUE) {
		json_keys(v, &v->hist->rows.v[row], report_col_keys(v->cols->v[col]), j);
	} else if (value_is_text(report_field(v, col))) {
		json_member_str(j, "trace", report_cell(v, row, col, NULL, 0));
	} else {
		json_key(j, report_field(v, col)->name);
		json_value(report_value(v, row, col), j);
	}
}

/* Write each distinct call chain with its weight, beginning at the root of the tree that the text report shows. */
static int json_chains(struct report_view *v, uint32_t row, struct json *j)
{
	const struct ct_node *n;
	int r = branches_find(&v->branches, v->hist, row, v->root, 0);
	const struct calltree *t = &v->branches.tree;

	json_key(j, "chains");
	json_begin_array(j);
	for (uint32_t i = 1; !r && i < t->nodes.n; i++) {
		uint32_t path[FRAMES_DEPTH + 1];
		size_t depth = 0;

		n = &t->nodes.v[i];
		if (!n->samples)
			continue;
		for (uint32_t at = i; at && depth < ARRAY_SIZE(path); at = t->nodes.v[at].parent)
			path[depth++] = t->nodes.v[at].key;
		json_line(j);
		json_begin_object(j);
		json_member_u64(j, "samples", n->samples);
		json_member_u64(j, "period", n->self);
		json_key(j, "frames");
		json_begin_array(j);
		while (depth)
			json_str(j, sv_from(frames_label(&v->profile->frames, path[--depth])));
		json_end(j);
		json_end(j);
	}
	json_end(j);
	return r;
}

int report_json_chains(struct report_view *v, uint32_t row, struct json *j)
{
	if (v->chains.graph == GRAPH_NONE || report_percent(v, report_row_weight(v, row)) < v->chains.min_percent)
		return 0;
	return json_chains(v, row, j);
}

static int json_row(struct report_view *v, uint32_t row, struct json *j)
{
	const struct hist_row *r = &v->hist->rows.v[row];
	int err;

	json_line(j);
	json_begin_object(j);
	if (v->mode == HIST_CHILDREN) {
		json_percent(v, j, "children", r->total);
		json_member_u64(j, "children_samples", r->total_samples);
		json_member_u64(j, "children_period", r->total);
	}
	json_percent(v, j, "overhead", r->self);
	json_member_u64(j, "samples", r->samples);
	json_member_u64(j, "period", r->self);
	json_spaces(v, r, j);
	if (v->latency > 0) {
		json_key(j, "latency");
		json_fixed(j, report_latency(v, r->latency), 4);
	}
	json_keys(v, r, v->hist->want.keys, j);
	json_values(v, row, j);
	err = report_json_chains(v, row, j);
	json_end(j);
	return err;
}

int report_json(struct report_view *v, struct json *j)
{
	int r = 0;

	json_line(j);
	json_begin_object(j);
	json_member_str(j, "event", v->event->label);
	json_member_u64(j, "samples", v->samples);
	json_member_u64(j, "period", v->weight);
	json_key(j, "rows");
	json_begin_array(j);
	if (v->want->keys.levels)
		r = report_levels_json(v, j);
	for (size_t i = 0; !r && !v->want->keys.levels && i < v->hist->rows.n; i++)
		if (report_shown(v, v->order[i]))
			r = json_row(v, v->order[i], j);
	json_end(j);
	json_end(j);
	return r;
}
