/*
 * only.c - stat --metric-only: a column for each value that is derived from counts, a line for each key, as perf
 * lays them out:
 *
 *	                     GHz       insn per cycle
 *	CPU0               1.998                 0.42
 *
 * CSV has a heading, too; JSON has an object per line, with the names as keys.
 */
#include "cmd/stat/print_parts.h"

enum { COLUMN_WIDTH = 20, STAMP_WIDTH = 17 };

/* Like perf, leave out rates and CPU utilization: they are about one event, not a ratio of events. */
static bool has_column(const struct derived *d)
{
	return !strstr(d->unit, "/sec") && !strstr(d->unit, "CPUs utilized");
}

/* "of all L1-dcache accesses" means nothing without the event's name in front. */
static const char *column_name(const struct stat_line *l, const struct derived *d, char *buf, size_t size)
{
	if (strncmp(d->unit, "of all", 6))
		return d->unit;
	snprintf(buf, size, "%s %s", l->row->name, d->unit);
	return buf;
}

struct column {
	const struct stat_row *row;
	const char *name;
	const struct derived *value;   /* NULL: an event that it needs was not counted */
};

/* Call each() for every column, with the key's value. */
static void each_column(const struct stat_print *p, struct stat_table *t, size_t key,
			void (*each)(void *arg, const struct column *c), void *arg)
{
	char buf[sizeof(t->rows.v->name) + sizeof(" of all L1-dcache accesses") + 40];

	for (size_t row = 0; row < t->rows.n; row++) {
		struct stat_line all = { .row = &t->rows.v[row] };
		struct stat_line got = { .row = all.row, .cell = stat_table_cell(t, key, row) };

		stat_line_columns(p, t, &all);
		stat_line_metrics(p, t, key, &got);
		for (unsigned i = 0; i < all.n_metrics; i++) {
			const struct derived *d = &all.metric[i];
			struct column c = { .row = all.row, .name = column_name(&all, d, buf, sizeof(buf)) };

			for (unsigned j = 0; j < got.n_metrics; j++)
				if (!strcmp(got.metric[j].unit, d->unit))
					c.value = &got.metric[j];
			if (has_column(d))
				each(arg, &c);
		}
	}
}

struct writer {
	const struct stat_print *p;
	struct json *json;
	unsigned n;
};

static void put_name(void *arg, const struct column *c)
{
	const struct writer *w = arg;

	if (w->p->form == STAT_TEXT)
		out_printf(w->p->o, "%*s ", COLUMN_WIDTH, c->name);
	else
		out_printf(w->p->o, "%s%s", c->name, w->p->sep);
}

static void put_value(void *arg, const struct column *c)
{
	struct writer *w = arg;
	struct out *o = w->p->o;
	char text[64] = "";

	w->n++;
	if (c->value)
		snprintf(text, sizeof(text), "%.*f%s", c->value->prec, c->value->value,
			 w->p->form == STAT_TEXT ? c->value->suffix : "");
	if (w->p->form == STAT_TEXT) {
		out_right(o, text, MAX((size_t)COLUMN_WIDTH, strlen(c->name)));
		out_char(o, ' ');
	} else if (w->p->form == STAT_CSV) {
		out_printf(o, "%s%s", text, w->p->sep);
	} else {
		json_key(w->json, c->name);
		json_str(w->json, sv_from(c->value ? text : "none"));
	}
}

void stat_only_columns(const struct stat_print *p, struct stat_table *t)
{
	struct writer w = { .p = p };
	const char *key = stat_key_name(t->by);
	bool counts_places = t->by != STAT_BY_ALL && t->by != STAT_BY_CPU && t->by != STAT_BY_THREAD;

	if (p->form == STAT_JSON)
		return;
	if (p->form == STAT_TEXT) {
		if (p->stamped)
			out_left(p->o, "#           time", STAMP_WIDTH);
		out_fill(p->o, ' ', stat_key_columns(t->by));
	} else {
		if (p->stamped)
			out_printf(p->o, "time%s", p->sep);
		if (key)
			out_printf(p->o, "%s%s", key, p->sep);
		if (counts_places)
			out_printf(p->o, "cpus%s", p->sep);
	}
	each_column(p, t, 0, put_name, &w);
	out_char(p->o, '\n');
}

static void put_object(const struct stat_print *p, struct stat_table *t, size_t key, const struct stat_line *l)
{
	struct json j = stat_line_json(p, t, l);
	struct writer w = { .p = p, .json = &j };

	each_column(p, t, key, put_value, &w);
	if (!w.n) {
		json_key(&j, "metric-value");
		json_str(&j, SV("none"));
	}
	json_end(&j);
}

/* The line's number of CPUs is that of the event which was counted on most of them. */
static struct stat_line line_of(const struct stat_table *t, size_t key)
{
	struct stat_line l = { .key = &t->keys.v[key], .row = t->rows.v, .cell = stat_table_cell(t, key, 0) };

	for (size_t row = 1; row < t->rows.n; row++) {
		const struct stat_cell *c = stat_table_cell(t, key, row);

		if (c->n > l.cell->n)
			l.cell = c;
	}
	return l;
}

void stat_only_rows(const struct stat_print *p, struct stat_table *t)
{
	struct writer w = { .p = p };

	for (size_t key = 0; key < t->keys.n && t->rows.n; key++) {
		struct stat_line l = line_of(t, key);

		if (p->form == STAT_JSON) {
			put_object(p, t, key, &l);
		} else {
			stat_line_start(p, t, &l);
			each_column(p, t, key, put_value, &w);
		}
		out_char(p->o, '\n');
	}
}
