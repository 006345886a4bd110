/* print_parts.h - shared by the files that implement print.h only. */
#ifndef CMD_STAT_PRINT_PARTS_H
#define CMD_STAT_PRINT_PARTS_H

#include "cmd/stat/print.h"
#include "show/json.h"

enum { STAT_METRICS_MAX = DERIVED_MAX + 8 };

/* A line of the output: one row of one key. */
struct stat_line {
	const struct stat_row *row;
	const struct stat_cell *cell;
	const struct stat_key *key;
	struct derived metric[STAT_METRICS_MAX];
	unsigned n_metrics;
	char metric_name[64];    /* label of a metric that -M has named */
};

/* Is the row the sum of the key's core (term percore)? Then only the core's first key prints it. */
bool stat_line_is_core(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l);

/* Set l's metrics, derived from the row's count and other counts of its key; none without a count. */
void stat_line_metrics(const struct stat_print *p, struct stat_table *t, size_t key, struct stat_line *l);

/* The same as if everything had been counted: which metrics there are. */
void stat_line_columns(const struct stat_print *p, struct stat_table *t, struct stat_line *l);

/* Time and key at the start of a line: as text or CSV, or as the first members of a JSON object. */
void stat_line_start(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l);
struct json stat_line_json(const struct stat_print *p, const struct stat_table *t, const struct stat_line *l);

/* The width of a key in text; and the name of what a key stands for, "core". */
unsigned stat_key_columns(enum stat_by by);
const char *stat_key_name(enum stat_by by);

/* --metric-only: the heading, and a line for each key. */
void stat_only_columns(const struct stat_print *p, struct stat_table *t);
void stat_only_rows(const struct stat_print *p, struct stat_table *t);

#endif
