/* run.h - the state of a report, shared by cmd_report.c, which prints it, and the browser (cmd/browse). */
#ifndef CMD_REPORT_RUN_H
#define CMD_REPORT_RUN_H

#include "cmd/report/view.h"

enum { REPORT_GROUP_MAX = 64 };   /* at most so many events are shown side by side */

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
	struct arena arena;       /* memory of the compiled patterns */
	struct filter_want filter;
	const char *part;         /* show only rows whose symbol has this in its name; no sample is filtered out */
	struct json json;
	bool chains;              /* the recording has call chains */
	size_t shown;             /* number of events that were shown */
};

/* An event's rows, their order, and the columns to show. */
struct report_shown_event {
	struct hist hist;
	uint32_t *order;
	struct report_cols cols;
};

/* Fill s and v for one event; v borrows r and s. 0 or -ENOMEM. */
int report_shown_init(struct report *r, size_t event, struct report_shown_event *s, struct report_view *v);
void report_shown_deinit(struct report_shown_event *s);

/* Should the event get a section? Dummy events that never sample do not. */
bool report_worth_showing(const struct report *r, size_t event);

/* The events to show together with event `first`, which comes first in `events`. Returns their number. */
size_t report_group_of(const struct report *r, size_t first, size_t events[REPORT_GROUP_MAX]);

#endif
