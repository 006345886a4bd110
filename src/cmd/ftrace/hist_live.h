/* hist_live.h - what `hist` was told, and its two halves: what the kernel counts, and counts of a recording. */
#ifndef CMD_FTRACE_HIST_LIVE_H
#define CMD_FTRACE_HIST_LIVE_H

#include "cmd/cmd.h"

/* Time from an event to another. */
struct hist_live_pair {
	const char *from, *to, *to_key, *from_filter;
	const char *name;            /* of the synthetic event */
	bool ns, plain;
};

struct hist_live_whose {
	bool only_command, follow;
	struct opt_list pids;
	uint64_t interval_ms, timeout_ms;
};

struct hist_live_look {
	const char *sort, *sep;
	uint64_t rows;               /* at most, 0: all */
	bool ascending, json;
};

struct hist_live_want {
	struct opt_list events, keys, vals;
	const char *filter;
	uint64_t buckets, size;
	bool log2;
	struct hist_live_pair pair;
	struct hist_live_whose whose;
	struct hist_live_look look;
	const char *show, *sql;
	bool print;                  /* only the commands that would do it */
	const char *input;           /* of a recording */
	bool compact;
};

int hist_live(struct ctx *c, const struct hist_live_want *w, char **argv);
int hist_recording(struct ctx *c, const struct hist_live_want *w);

#endif
