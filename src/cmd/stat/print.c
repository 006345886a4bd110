/* print.c - prints the table of counts, and the times. */
#include "cmd/stat/print_parts.h"

#include "cmd/stat/metric.h"

/* The widths of perf's columns. */
enum { VALUE_WIDTH = 18, UNIT_WIDTH = 4, NAME_WIDTH = 32, CGROUP_WIDTH = 16, METRIC_WIDTH = 38, COMM_WIDTH = 16,
	TID_WIDTH = 7 };

static const char *const key_names[] = {
	[STAT_BY_CPU] = "cpu", [STAT_BY_CORE] = "core", [STAT_BY_DIE] = "die",
	[STAT_BY_SOCKET] = "socket", [STAT_BY_NODE] = "node", [STAT_BY_THREAD] = "thread",
	[STAT_BY_CLUSTER] = "cluster", [STAT_BY_CACHE] = "cache",
};

static const uint8_t key_width[] = {
	[STAT_BY_CORE] = 18, [STAT_BY_CLUSTER] = 20, [STAT_BY_CACHE] = 22,
	[STAT_BY_DIE] = 12, [STAT_BY_SOCKET] = 6, [STAT_BY_NODE] = 6,
};

unsigned stat_key_columns(enum stat_by by)
{
	if (by == STAT_BY_ALL || by == STAT_BY_CPU || by == STAT_BY_THREAD)
		return by == STAT_BY_ALL ? 0 : by == STAT_BY_CPU ? 7 : COMM_WIDTH + TID_WIDTH + 2;
	return key_width[by] + 6u;
}

const char *stat_key_name(enum stat_by by)
{
	return key_names[by];
}

static void put_stamp(const struct stat_print *p)
{
	unsigned long long s = p->at_ns / 1000000000u, ns = p->at_ns % 1000000000u;

	if (!p->stamped)
		return;
	if (p->form == STAT_TEXT)
		out_printf(p->o, "%6llu.%09llu ", s, ns);
	else
		out_printf(p->o, "%llu.%09llu%s", s, ns, p->sep);
}

static void put_key_text(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	if (stat_line_is_core(p, t, l))
		out_printf(p->o, "%-*s ", key_width[STAT_BY_CORE], l->key->core);
	else if (t->by == STAT_BY_CPU)
		out_printf(p->o, "CPU%-4s", l->key->label);
	else if (t->by == STAT_BY_THREAD)
		out_printf(p->o, "%*s-%-*d ", COMM_WIDTH, l->key->label, TID_WIDTH, l->key->tid);
	else if (t->by != STAT_BY_ALL)
		out_printf(p->o, "%-*s %4u ", key_width[t->by], l->key->label, l->cell->n);
}

static void put_key_csv(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	if (stat_line_is_core(p, t, l))
		out_printf(p->o, "%s%s", l->key->core, p->sep);
	else if (t->by == STAT_BY_CPU)
		out_printf(p->o, "CPU%s%s", l->key->label, p->sep);
	else if (t->by == STAT_BY_THREAD)
		out_printf(p->o, "%s-%d%s", l->key->label, l->key->tid, p->sep);
	else if (t->by != STAT_BY_ALL)
		out_printf(p->o, "%s%s%u%s", l->key->label, p->sep, l->cell->n, p->sep);
}

void stat_line_start(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	put_stamp(p);
	/* Mark the sums that follow the intervals. */
	if (p->summary && p->form == STAT_CSV)
		out_printf(p->o, "summary%s", p->sep);
	if (p->form == STAT_TEXT)
		put_key_text(p, t, l);
	else
		put_key_csv(p, t, l);
}

/* What to print instead of a value; NULL: there is a value. */
static const char *no_value(const struct stat_line *l)
{
	if (l->row->state == COUNTER_UNSUPPORTED)
		return "<not supported>";
	return l->row->state == COUNTER_GROUP_REFUSED || !stat_cell_counted(l->cell) ? "<not counted>" : NULL;
}

/* Counts are integers. As in perf, there are two decimals if the event's scale is no integer. */
static const char *value_text(const struct stat_print *p, const struct stat_line *l, char *buf, size_t size)
{
	double v = l->cell->value, scale = l->row->ev->scale;
	bool fraction = (double)(int64_t)scale < scale;
	uint64_t hundredths, whole;
	char digits[40];

	if (v > 9e16) {
		snprintf(buf, size, "%.0f", v);
		return buf;
	}
	hundredths = (uint64_t)(v * 100 + 0.5);
	whole = fraction ? hundredths / 100 : (uint64_t)(v + 0.5);
	if (p->form == STAT_TEXT && p->group_digits)
		fmt_grouped(digits, sizeof(digits), whole);
	else
		snprintf(digits, sizeof(digits), "%llu", (unsigned long long)whole);
	if (fraction)
		snprintf(buf, size, "%s.%02u", digits, (unsigned)(hundredths % 100));
	else
		snprintf(buf, size, "%s", digits);
	return buf;
}

static double percent_counted(const struct stat_cell *c)
{
	return c->enabled > 0 ? 100 * c->running / c->enabled : 100;
}

static void put_whole(const struct stat_print *p, double v)
{
	char digits[40];

	if (p->form == STAT_TEXT && p->group_digits && v < 9e16)
		fmt_grouped(digits, sizeof(digits), (uint64_t)(v + 0.5));
	else
		snprintf(digits, sizeof(digits), "%.0f", v);
	out_str(p->o, digits);
}

/* --- text ------------------------------------------------------------------------------------------------ */

static void put_metric_text(const struct stat_print *p, const struct derived *d)
{
	char number[64];
	int n = snprintf(number, sizeof(number), " # %*.*f%s", d->width, d->prec, d->value, d->suffix);

	out_str(p->o, number);
	out_printf(p->o, " %-*s", MAX(METRIC_WIDTH - n - 1, 0), d->unit);
}

static void put_metrics_text(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	if (!l->n_metrics)
		out_fill(p->o, ' ', METRIC_WIDTH);
	for (unsigned i = 0; i < l->n_metrics; i++) {
		if (i) {
			out_char(p->o, '\n');
			stat_line_start(p, t, l);
			out_fill(p->o, ' ',
				 VALUE_WIDTH + 1 + UNIT_WIDTH + 1 + NAME_WIDTH + (p->cgroups ? 1 + CGROUP_WIDTH : 0));
		}
		put_metric_text(p, &l->metric[i]);
	}
}

/* "  (560,000 .. 650,000)", "  (204,884 or more)" */
static void put_range_text(const struct stat_print *p, const struct stat_line *l)
{
	double least, most;
	bool has_end;

	if (!l->cell->estimated || no_value(l))
		return;
	has_end = stat_cell_range(l->cell, &least, &most);
	out_str(p->o, "  (");
	put_whole(p, least);
	if (!has_end) {
		out_str(p->o, " or more)");
		return;
	}
	out_str(p->o, " .. ");
	put_whole(p, most);
	out_char(p->o, ')');
}

static void put_line_text(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	const char *none = no_value(l);
	const struct stat_cell *c = l->cell;
	char buf[64];

	stat_line_start(p, t, l);
	out_right(p->o, none ? none : value_text(p, l, buf, sizeof(buf)), VALUE_WIDTH);
	out_printf(p->o, " %-*s ", UNIT_WIDTH, l->row->ev->unit);
	out_left(p->o, l->row->name, NAME_WIDTH);
	if (p->cgroups)
		out_printf(p->o, " %-*s", CGROUP_WIDTH, l->row->cgroup);
	put_metrics_text(p, t, l);
	if (p->spread && !none && stats_percent(&c->runs) > 0)
		out_printf(p->o, "  ( +-%6.2f%% )", stats_percent(&c->runs));
	put_range_text(p, l);
	if (l->row->state == COUNTER_OPEN && c->enabled > 0 && c->running < c->enabled)
		out_printf(p->o, "  (%.2f%%)", percent_counted(c));
	out_char(p->o, '\n');
}

/* --- separated values ------------------------------------------------------------------------------------ */

/* A name that contains the separator (pmu/a=1,b=2/) is quoted. */
static void put_name_csv(const struct stat_print *p, const char *name)
{
	bool quote = strstr(name, p->sep) != NULL && p->sep[0];

	if (quote)
		out_char(p->o, '"');
	out_str(p->o, name);
	if (quote)
		out_char(p->o, '"');
}

static void put_metrics_csv(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	if (!l->n_metrics)
		out_printf(p->o, "%s%s", p->sep, p->sep);
	for (unsigned i = 0; i < l->n_metrics; i++) {
		const struct derived *d = &l->metric[i];

		if (i) {
			out_char(p->o, '\n');
			stat_line_start(p, t, l);
			for (int n = 0; n < (p->cgroups ? 5 : 4); n++)
				out_str(p->o, p->sep);
		}
		out_printf(p->o, "%s%.*f%s%s", p->sep, d->prec, d->value, p->sep, d->unit);
	}
}

/* Two more fields; the second is empty if there is no upper limit. */
static void put_range_csv(const struct stat_print *p, const struct stat_line *l)
{
	double least, most;
	bool has_end;

	if (!l->cell->estimated || no_value(l))
		return;
	has_end = stat_cell_range(l->cell, &least, &most);
	out_str(p->o, p->sep);
	put_whole(p, least);
	out_str(p->o, p->sep);
	if (has_end)
		put_whole(p, most);
}

static void put_line_csv(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	const char *none = no_value(l);
	const struct stat_cell *c = l->cell;
	char buf[64];

	stat_line_start(p, t, l);
	out_printf(p->o, "%s%s%s%s", none ? none : value_text(p, l, buf, sizeof(buf)), p->sep, l->row->ev->unit,
		   p->sep);
	put_name_csv(p, l->row->name);
	if (p->cgroups)
		out_printf(p->o, "%s%s", p->sep, l->row->cgroup);
	if (p->spread)
		out_printf(p->o, "%s%.2f%%", p->sep, none ? 0 : stats_percent(&c->runs));
	out_printf(p->o, "%s%.0f%s%.2f", p->sep, c->running, p->sep, percent_counted(c));
	put_metrics_csv(p, t, l);
	put_range_csv(p, l);
	out_char(p->o, '\n');
}

/* --- JSON: an object per line, spaced as perf does it ---------------------------------------------------- */

static void put_text(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	json_str(j, sv_from(text));
}

static void put_number(struct json *j, const char *key, double v, unsigned prec)
{
	json_key(j, key);
	json_fixed(j, v, prec);
}

struct json stat_line_json(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	bool is_core = stat_line_is_core(p, t, l);
	struct json j = json_spaced_on(p->o);
	char text[64];

	json_begin_object(&j);
	if (p->stamped)
		put_number(&j, "interval", (double)p->at_ns / 1e9, 9);
	if (t->by == STAT_BY_ALL)
		return j;
	if (t->by == STAT_BY_THREAD)
		snprintf(text, sizeof(text), "%s-%d", l->key->label, l->key->tid);
	else
		snprintf(text, sizeof(text), "%s", is_core ? l->key->core : l->key->label);
	put_text(&j, key_names[is_core ? STAT_BY_CORE : t->by], text);
	if (t->by != STAT_BY_CPU && t->by != STAT_BY_THREAD) {
		json_key(&j, "aggregate-number");
		json_u64(&j, l->cell->n);
	}
	return j;
}

/* Print the last members, and end the line. Each further metric is an object of its own, as in perf. */
static void put_metrics_json(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l,
			     struct json *j)
{
	char text[64] = "0.000000";

	for (unsigned i = 0; i < MAX(l->n_metrics, 1u); i++) {
		if (i)
			*j = stat_line_json(p, t, l);
		if (l->n_metrics)
			snprintf(text, sizeof(text), "%f", l->metric[i].value);
		put_text(j, "metric-value", text);
		put_text(j, "metric-unit", l->n_metrics ? l->metric[i].unit : "");
		json_end(j);
		out_char(p->o, '\n');
	}
}

static void put_range_json(const struct stat_line *l, struct json *j)
{
	double least, most;
	bool has_end;

	if (!l->cell->estimated || no_value(l))
		return;
	has_end = stat_cell_range(l->cell, &least, &most);
	put_number(j, "estimate-low", least, 0);
	if (has_end)
		put_number(j, "estimate-high", most, 0);
}

static void put_line_json(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l)
{
	struct json j = stat_line_json(p, t, l);
	const char *none = no_value(l);
	const struct stat_cell *c = l->cell;
	char buf[64];

	if (!none)
		snprintf(buf, sizeof(buf), "%f", c->value);
	put_text(&j, "counter-value", none ? none : buf);
	put_text(&j, "unit", l->row->ev->unit);
	put_text(&j, "event", l->row->name);
	if (p->cgroups)
		put_text(&j, "cgroup", l->row->cgroup);
	if (p->spread)
		put_number(&j, "variance", none ? 0 : stats_percent(&c->runs), 2);
	put_number(&j, "event-runtime", c->running, 0);
	put_number(&j, "pcnt-running", percent_counted(c), 2);
	put_range_json(l, &j);
	put_metrics_json(p, t, l, &j);
}

/* --- rows ------------------------------------------------------------------------------------------------ */

/* The values of a metric's events, in the metric's order, for one key. -ENODATA: one of them was not counted. */
static int metric_counts(const struct stat_print *p, const struct stat_table *t, size_t key,
			 const struct stat_metric *m, const char *cgroup, uint64_t *count)
{
	size_t found = 0;

	for (size_t i = 0; i < t->rows.n; i++) {
		const struct stat_row *row = &t->rows.v[i];
		size_t at = (size_t)(row->ev - p->events->list.v.v);
		const struct stat_cell *cell = stat_table_cell(t, key, i);

		if (row->cgroup != cgroup || at < m->first || at >= m->first + m->n)
			continue;
		if (row->state != COUNTER_OPEN || !stat_cell_counted(cell))
			return -ENODATA;
		count[at - m->first] = counter_rounded(cell->value);
		found++;
	}
	return found == m->n ? 0 : -ENODATA;
}

static void add_share(struct stat_line *l, double v, const char *unit)
{
	l->metric[l->n_metrics++] = (struct derived){ v, 8, 1, "%", unit };
}

static void add_topdown(struct stat_line *l, const struct topdown_in *in)
{
	struct topdown_out out;

	if (topdown_compute(in, &out))
		return;
	add_share(l, out.frontend_bound, "frontend_bound");
	add_share(l, out.backend_bound, "backend_bound");
	if (in->plan.kind == TOPDOWN_STALLS)
		return;
	add_share(l, out.bad_speculation, "bad_speculation");
	add_share(l, out.retiring, "retiring");
}

/* Add a ratio, with perf's text: "percent of branches  branch_misprediction_ratio". */
static void add_ratio(struct stat_line *l, const struct stat_metric *m, const uint64_t *count)
{
	const struct arm_metric *r = m->ratio;
	double value;

	if (stat_metric_compute(r, count, m->slots, &value))
		return;
	l->metric[l->n_metrics++] = (struct derived){
		value, 8, r->scale == 1 ? 2 : 1, "", stat_metric_label(r, l->metric_name, sizeof(l->metric_name))
	};
}

/* A metric is shown in the row of its last event. pretend: as if all its events had been counted. */
static void add_metrics(const struct stat_print *p, const struct stat_table *t, size_t key, struct stat_line *l,
			bool pretend)
{
	size_t at = (size_t)(l->row->ev - p->events->list.v.v);

	for (size_t i = 0; i < p->events->metrics.n; i++) {
		const struct stat_metric *m = &p->events->metrics.v[i];
		struct topdown_in in = { .plan = m->plan };

		if (at != m->first + m->n - 1)
			continue;
		for (size_t j = 0; pretend && j < ARRAY_SIZE(in.count); j++)
			in.count[j] = 1;
		if (!pretend && metric_counts(p, t, key, m, l->row->cgroup, in.count))
			continue;
		if (m->ratio)
			add_ratio(l, m, in.count);
		else
			add_topdown(l, &in);
		return;
	}
}

void stat_line_columns(const struct stat_print *p, struct stat_table *t, struct stat_line *l)
{
	size_t row = (size_t)(l->row - t->rows.v);

	stat_table_relate(t, 0);
	for (size_t i = 0; i < t->rows.n; i++) {
		t->counts[i].counted = true;
		t->counts[i].value = 1;
	}
	l->n_metrics = derived_of(t->counts, t->rows.n, row, 1, p->arch, l->metric);
	add_metrics(p, t, 0, l, true);
}

void stat_line_metrics(const struct stat_print *p, struct stat_table *t, size_t key, struct stat_line *l)
{
	size_t row = (size_t)(l->row - t->rows.v);

	l->n_metrics = 0;
	/* A core's count (percore) must not be related to the time of one hardware thread. */
	if (no_value(l) || l->row->ev->tool || stat_line_is_core(p, t, l))
		return;
	stat_table_relate(t, key);
	l->n_metrics = derived_of(t->counts, t->rows.n, row, p->elapsed_ns, p->arch, l->metric);
	add_metrics(p, t, key, l, false);
}

static void put_line(const struct stat_print *p, struct stat_table *t, size_t key, size_t row)
{
	struct stat_line l = { .row = &t->rows.v[row], .cell = stat_table_cell(t, key, row), .key = &t->keys.v[key] };

	/* No row for an event that is never counted on these CPUs, such as one of another type of core. */
	if (t->by != STAT_BY_ALL && !l.cell->used)
		return;
	if (stat_line_is_core(p, t, &l) && l.key->first != key)
		return;
	stat_line_metrics(p, t, key, &l);
	if (p->form == STAT_TEXT)
		put_line_text(p, t, &l);
	else if (p->form == STAT_CSV)
		put_line_csv(p, t, &l);
	else
		put_line_json(p, t, &l);
}

static bool has_counted(const struct stat_table *t, size_t key, size_t row)
{
	const struct stat_cell *c = stat_table_cell(t, key, row);

	return stat_cell_counted(c) && c->value > 0;
}

void stat_print_rows(const struct stat_print *p, struct stat_table *t)
{
	if (p->metric_only) {
		stat_only_rows(p, t);
		return;
	}
	/* Each event with all CPUs or threads; but each core, die, socket ... with all events. */
	if (t->by == STAT_BY_ALL || t->by == STAT_BY_CPU || t->by == STAT_BY_THREAD) {
		for (size_t row = 0; row < t->rows.n; row++)
			for (size_t key = 0; key < t->keys.n; key++)
				if (!p->but_zeros || has_counted(t, key, row))
					put_line(p, t, key, row);
		return;
	}
	for (size_t key = 0; key < t->keys.n; key++)
		for (size_t row = 0; row < t->rows.n; row++)
			put_line(p, t, key, row);
}

/* --- around the rows, text only -------------------------------------------------------------------------- */

void stat_print_title(const struct stat_print *p, const char *subject, uint64_t runs)
{
	if (p->form != STAT_TEXT)
		return;
	out_str(p->o, "\n Performance counter stats for ");
	out_str(p->o, subject);
	if (runs > 1)
		out_printf(p->o, " (%llu runs)", (unsigned long long)runs);
	out_str(p->o, ":\n\n");
}

void stat_print_columns(const struct stat_print *p, struct stat_table *t)
{
	static const char *const heads[] = {
		[STAT_BY_ALL] = "", [STAT_BY_CPU] = "cpu    ", [STAT_BY_CORE] = "core               cpus ",
		[STAT_BY_CLUSTER] = "cluster              cpus ", [STAT_BY_CACHE] = "cache                  cpus ",
		[STAT_BY_DIE] = "die          cpus ", [STAT_BY_SOCKET] = "socket cpus ",
			[STAT_BY_NODE] = "node   cpus ",
		[STAT_BY_THREAD] = "            comm-pid     ",
	};

	if (p->metric_only)
		stat_only_columns(p, t);
	else if (p->form == STAT_TEXT)
		out_printf(p->o, "#           time %s            counts unit events\n", heads[t->by]);
}

/* So many decimals that a deviation below 10 s has three significant digits. */
static int digits_for(double deviation)
{
	int digits = 2;

	for (; deviation > 0 && deviation < 1 && digits < 11; digits++)
		deviation *= 10;
	return digits;
}

void stat_print_times(const struct stat_print *p, const struct stat_times *times)
{
	double mean = times->wall.mean, deviation = stats_deviation(&times->wall);

	if (p->form != STAT_TEXT)
		return;
	if (times->wall.n <= 1) {
		out_printf(p->o, " %17.9f seconds time elapsed", mean);
		if (times->has_rusage)
			out_printf(p->o, "\n\n %17.9f seconds user\n %17.9f seconds sys\n", times->user, times->sys);
	} else {
		int digits = digits_for(deviation);

		out_printf(p->o, " %17.*f +- %.*f seconds time elapsed", digits, mean, digits, deviation);
		if (stats_percent(&times->wall) > 0)
			out_printf(p->o, "  ( +-%6.2f%% )", stats_percent(&times->wall));
	}
	out_str(p->o, "\n\n");
}
