/* hist_live.h - options of `hist`, and its two modes: histograms made by the kernel, and counts of a recording. */
#ifndef CMD_FTRACE_HIST_LIVE_H
#define CMD_FTRACE_HIST_LIVE_H

#include "cmd/cmd.h"

/* Times from one event to another. */
struct hist_live_pair {
	const char *from, *to, *to_key, *from_filter;
	const char *name;            /* name of the synthetic event */
	bool ns, plain;
};

struct hist_live_whose {
	bool only_command, follow;
	struct opt_list pids;
	uint64_t interval_ms, timeout_ms;
};

struct hist_live_look {
	const char *sort, *sep;
	uint64_t rows;               /* number of rows at most; 0: all */
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
	bool print;                  /* print the commands, do not execute them */
	const char *input;           /* path of a recording */
	bool compact;
};

int hist_live(struct ctx *c, const struct hist_live_want *w, char **argv);
int hist_recording(struct ctx *c, const struct hist_live_want *w);

#endif
