/* text.h - a function's instructions with their samples, in the layout of `perf annotate --stdio`. */
#ifndef CMD_ANNOTATE_TEXT_H
#define CMD_ANNOTATE_TEXT_H

#include "cmd/cmd.h"
#include "report/code.h"
#include "report/sources.h"

enum annotate_column { ANNOTATE_PERCENT, ANNOTATE_SAMPLES, ANNOTATE_PERIOD };

struct annotate_show {
	enum annotate_column column;
	bool by_hits;            /* percent of samples, not of their periods */
	bool of_all;             /* percent of all samples, not of those in the function */
	bool lines, full_paths, no_source, raw;
};

enum { ANNOTATE_EVENTS = 64 };   /* at most so many events are shown side by side */

struct annotate_view {
	const struct annotate_show *show;
	const struct hits *hits;
	uint32_t func;
	struct func_code *code;
	struct sources *sources;
	const char *events;      /* their names, as of annotate_name_events() */
	size_t event[ANNOTATE_EVENTS], n_events;
};

/* Print the title of one event or of a group: "cpu-clock", "anon group { cpu-clock, task-clock }" */
void annotate_name_events(const struct perf_head *h, const size_t *events, size_t n, struct out *o);

/* 0 or -ENOMEM. */
int annotate_text(const struct annotate_view *v, struct out *o);

#endif
