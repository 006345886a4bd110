/* run.h - a report while it is made: by cmd_report.c, which prints it, and the browser (cmd/browse). */
#ifndef CMD_REPORT_RUN_H
#define CMD_REPORT_RUN_H

#include "cmd/report/view.h"

enum { REPORT_GROUP_MAX = 64 };   /* events side by side */

struct report {
	struct ctx *c;
	struct report_want *want;
	struct session *session;
	struct profile profile;
	struct values values;
	struct report_cols cols;
	enum hist_mode mode;
	struct rex ends;
	struct profile_parent parent;
	struct arena arena;       /* of the expressions */
	struct filter_want filter;
	const char *part;         /* of symbols' names, by which rows are chosen, not samples */
	struct json json;
	bool chains;              /* the recording has some */
	size_t shown;             /* events */
};

/* An event's rows, and how they are shown. */
struct report_shown_event {
	struct hist hist;
	uint32_t *order;
	struct report_cols cols;
};

/* The view borrows both. 0 or -ENOMEM. */
int report_shown_init(struct report *r, size_t event, struct report_shown_event *s, struct report_view *v);
void report_shown_deinit(struct report_shown_event *s);

/* Trackers that never sample are not worth a section. */
bool report_worth_showing(const struct report *r, size_t event);

/* Those to show together with event `first`, which is the first of them. Returns how many. */
size_t report_group_of(const struct report *r, size_t first, size_t events[REPORT_GROUP_MAX]);

#endif
