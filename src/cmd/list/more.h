/* more.h - options and forms of `list` that a board's sonde lacks. */
#ifndef CMD_LIST_MORE_H
#define CMD_LIST_MORE_H

#include "cmd/cmd.h"
#include "machine/list.h"
#include "show/json.h"

struct list_more_want {
	bool details, deprecated;
	const char *unit, *output;
};

/* For OPT_SUB. */
extern const struct opt list_more_opts[];

extern const char list_examples[];

/* Print the members that perf has for a metric or a group of metrics. False: the item is neither. */
bool list_metric_json(struct json *j, const struct list_item *it);

/* Run `list` with its output going to standard output, or to the file of -o. Returns the exit code. */
int list_elsewhere(struct ctx *c, const struct list_more_want *w, char **words, int n_words,
		   int (*list)(void *arg, struct out *o), void *arg);

#endif
