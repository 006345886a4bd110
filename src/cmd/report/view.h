/* view.h - the rows of one event, ready to be shown, and the functions that write them as text, CSV or JSON. */
#ifndef CMD_REPORT_VIEW_H
#define CMD_REPORT_VIEW_H

#include "analyse/branches.h"
#include "cmd/report/want.h"
#include "show/json.h"

struct report_view {
	const struct report_want *want;
	struct profile *profile;
	const struct report_cols *cols;
	const struct values_event *values;
	const struct perf_event *event;
	struct hist *hist;
	const uint32_t *order;      /* indices of the rows, in the order in which they are shown */
	const char *part;           /* show only rows whose symbol has this in its name; NULL: all rows */
	uint64_t total;             /* the weight that is 100 % */
	double latency;             /* the latency that is 100 % */
	uint64_t samples, weight;   /* number of the event's samples, sum of their weights */
	enum hist_mode mode;
	bool with_dsos;             /* call chains show the dso of each function */
	bool fitted;                /* column widths fit the rows that are shown; false: they fit all rows */
	struct report_chains chains;   /* how call chains are shown; GRAPH_NONE: not at all */
	enum hist_chain root;
	struct branches branches;
};

/* Percentage of a row's weight in this column: children or self. */
static inline double report_percent(const struct report_view *v, uint64_t weight)
{
	return v->total ? (double)weight * 100 / (double)v->total : 0;
}

/* The sum of all rows' latencies. */
static inline double report_latency_sum(const struct hist *h)
{
	double sum = 0;

	for (size_t i = 0; i < h->rows.n; i++)
		sum += h->rows.v[i].latency;
	return sum;
}

static inline double report_latency(const struct report_view *v, double latency)
{
	return v->latency > 0 ? latency * 100 / v->latency : 0;
}

/* The weight for limits and sorting: total with children, else self; 0 for HIST_NO_ROW. */
static inline uint64_t report_row_weight(const struct report_view *v, uint32_t row)
{
	const struct hist_row *r = row == HIST_NO_ROW ? NULL : &v->hist->rows.v[row];

	return !r ? 0 : v->mode == HIST_CHILDREN ? r->total : r->self;
}

/* Does the row's symbol contain v->part? True without a part. */
static inline bool report_named(const struct report_view *v, uint32_t row)
{
	const char *sym = v->part ? v->profile->frames.v.v[v->hist->rows.v[row].frame].sym : NULL;

	return !v->part || (sym && strstr(sym, v->part));
}

/* Is the row shown? It must reach the percent limit and contain v->part. */
static inline bool report_shown(const struct report_view *v, uint32_t row)
{
	return report_percent(v, report_row_weight(v, row)) >= v->want->percent_limit &&
	       (row == HIST_NO_ROW || report_named(v, row));
}

/* The event field that a COL_VALUE column shows. */
static inline const struct value_field *report_field(const struct report_view *v, size_t col)
{
	return &v->values->fields.v[v->cols->value[col]];
}

/* The value of such a column for a row; its first byte is its kind. */
const char *report_value(const struct report_view *v, uint32_t row, size_t col);

/* The text of a row in a key column; col is the column's index. Uses buf if it has to be formatted. */
const char *report_cell(const struct report_view *v, uint32_t row, size_t col, char *buf, size_t size);

/* Rows of n_events events side by side: for each row its index in each event's histogram, or HIST_NO_ROW. */
struct report_rows {
	const uint32_t *v;
	uint32_t *joined;           /* the same array if it is owned, and freed by _deinit; else NULL */
	size_t n, n_events;
	const char *group;          /* name of their group; NULL: not a group, the user asked for them side by side */
};

/* Join the rows of n events: those of v[0], the leader, in its order, then what only v[1] has, ... 0 or -ENOMEM. */
int report_join(struct report_rows *rows, const struct report_view *v, size_t n);
void report_rows_deinit(struct report_rows *rows);

/* Write the rows; v has rows->n_events views, and call chains are those of the first. 0 or -ENOMEM. */
int report_text(const struct report_view *v, const struct report_rows *rows, struct out *o);

/* Write one event as a hierarchy: a level for each sort key. 0 or -ENOMEM. */
int report_levels(const struct report_view *v, struct out *o);

int report_csv(struct report_view *v, struct out *o);    /* 0 or -ENOMEM */
int report_json(struct report_view *v, struct json *j);

/* The same as JSON; more sort keys than this would nest deeper than the JSON writer can. */
enum { REPORT_JSON_LEVELS = 28 };
int report_levels_json(struct report_view *v, struct json *j);

/* Write one row's value of a key column; or its call chains, if the row is heavy enough. */
void report_json_key(const struct report_view *v, uint32_t row, size_t col, struct json *j);
int report_json_chains(struct report_view *v, uint32_t row, struct json *j);

/* Print everything that `sonde report` prints of a session, whatever its source is. 0 or -errno. */
int report_session(struct ctx *c, struct report_want *w, struct session *s, struct err *e);

#endif
