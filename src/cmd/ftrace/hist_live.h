/* hist_live.h - what `hist` was told, and its two halves: what the kernel counts, and counts of a recording. */
#ifndef CMD_FTRACE_HIST_LIVE_H
#define CMD_FTRACE_HIST_LIVE_H

#include "cmd/cmd.h"

struct hist_want {
	struct opt_list events, keys, vals, pids;
	const char *filter, *sort, *sep;
	uint64_t buckets, size, rows, interval_ms, timeout_ms;
	bool log2, json, ascending, only_command, follow, ns, plain;
	const char *from, *to, *to_key, *from_filter, *name, *show, *sql;
	bool print;                  /* only the commands that would do it */
	const char *input;           /* of a recording */
	bool compact;
};

int hist_live(struct ctx *c, const struct hist_want *w, char **argv);
int hist_recording(struct ctx *c, const struct hist_want *w);

#endif
