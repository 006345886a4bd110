/* view.h - one event of several recordings compared; written as text, CSV or JSON. */
#ifndef CMD_DIFF_VIEW_H
#define CMD_DIFF_VIEW_H

#include "analyse/compare.h"
#include "cmd/report/want.h"
#include "show/json.h"

struct diff_event {
	const char *label;
	uint32_t type;
	uint64_t config;
	bool taken;                   /* an event of the current recording is paired with it */
	uint64_t samples[COMPARE_MAX], weight[COMPARE_MAX];
	struct report_cols keys;      /* of the first recording's; a field of each COL_VALUE */
	struct diff_key {
		const char *head, *name;      /* head of the column in text; in CSV and JSON */
		bool number;                  /* usually a decimal number */
	} key[REPORT_COLS_MAX];
	struct compare rows;
};

struct diff_show {
	const char *const *paths;     /* of the recordings */
	size_t n_paths;
	const char *sep;              /* separator of CSV */
	bool periods, formula, quiet, verbose;
};

/* "delta", "delta-abs" ... */
extern const char *const diff_hows[];

/* The text of a key, or "[unknown]". */
const char *diff_text_of(const struct diff_event *ev, uint32_t row, size_t key);

/* 0 or -ENOMEM. */
int diff_text(const struct diff_show *s, const struct diff_event *ev, struct out *o);
int diff_csv(const struct diff_show *s, const struct diff_event *ev, struct out *o);
int diff_json(const struct diff_show *s, const struct diff_event *ev, struct json *j);

#endif
