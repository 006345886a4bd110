/* view.h - one event's rows, ready to be shown; written as text, CSV or JSON. */
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
	const uint32_t *order;      /* rows as they are shown */
	const char *part;           /* of the names of their symbols; NULL: any rows are shown */
	uint64_t total;             /* what is 100 % */
	double latency;             /* of latencies */
	uint64_t samples, weight;   /* of the event */
	enum hist_mode mode;
	bool with_dsos;             /* chains tell also where each function is */
	bool fitted;                /* columns are as wide as the rows that are shown need; else as all need */
	struct report_chains chains;   /* GRAPH_NONE: none */
	enum hist_chain root;
	struct branches branches;
};

/* Percentage of a row's weight in this column: children or self. */
static inline double report_percent(const struct report_view *v, uint64_t weight)
{
	return v->total ? (double)weight * 100 / (double)v->total : 0;
}

/* Of the rows that there are. */
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

/* Weight that decides about limits and order; 0 of HIST_NO_ROW. */
static inline uint64_t report_row_weight(const struct report_view *v, uint32_t row)
{
	const struct hist_row *r = row == HIST_NO_ROW ? NULL : &v->hist->rows.v[row];

	return !r ? 0 : v->mode == HIST_CHILDREN ? r->total : r->self;
}

/* Has it the name that was asked for? */
static inline bool report_named(const struct report_view *v, uint32_t row)
{
	const char *sym = v->part ? v->profile->frames.v.v[v->hist->rows.v[row].frame].sym : NULL;

	return !v->part || (sym && strstr(sym, v->part));
}

/* Is the row heavy enough to be shown, and has it the name? */
static inline bool report_shown(const struct report_view *v, uint32_t row)
{
	return report_percent(v, report_row_weight(v, row)) >= v->want->percent_limit &&
	       (row == HIST_NO_ROW || report_named(v, row));
}

/* The field of a value's column. */
static inline const struct value_field *report_field(const struct report_view *v, size_t col)
{
	return &v->values->fields.v[v->cols->value[col]];
}

/* The value of such a column, with its kind in front. */
const char *report_value(const struct report_view *v, uint32_t row, size_t col);

/* The text of a key column, by its number. */
const char *report_cell(const struct report_view *v, uint32_t row, size_t col, char *buf, size_t size);

/* Rows of events side by side: of each row its number in each event's histogram, or HIST_NO_ROW. */
struct report_rows {
	const uint32_t *v;
	uint32_t *joined;           /* the same, when it belongs to the rows */
	size_t n, n_events;
	const char *group;          /* name of their group; NULL: they are shown side by side because somebody asked */
};

/* The rows of n events, the leader of their group first: in its order, then in the next one's. 0 or -ENOMEM. */
int report_join(struct report_rows *rows, const struct report_view *v, size_t n);
void report_rows_deinit(struct report_rows *rows);

/* The views of rows->n_events. Chains are those of the first one. 0 or -ENOMEM. */
int report_text(const struct report_view *v, const struct report_rows *rows, struct out *o);

/* The same with a level for each key, of one event. 0 or -ENOMEM. */
int report_levels(const struct report_view *v, struct out *o);

int report_csv(struct report_view *v, struct out *o);    /* 0 or -ENOMEM */
int report_json(struct report_view *v, struct json *j);

/* Its rows, a level for each key, of which there are no more than JSON has levels. */
enum { REPORT_JSON_LEVELS = 28 };
int report_levels_json(struct report_view *v, struct json *j);

/* Of a row: what a key's column has; its chains, where it is heavy enough. */
void report_json_key(const struct report_view *v, uint32_t row, size_t col, struct json *j);
int report_json_chains(struct report_view *v, uint32_t row, struct json *j);

/* Everything that `sonde report` prints of a session, whatever it reads from. 0 or -errno. */
int report_session(struct ctx *c, struct report_want *w, struct session *s, struct err *e);

#endif
