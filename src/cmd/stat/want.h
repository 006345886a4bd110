/* want.h - the options of `sonde stat`, in the blocks of its help. */
#ifndef CMD_STAT_WANT_H
#define CMD_STAT_WANT_H

#include "cmd/stat/more.h"
#include "live/target.h"

struct stat_what_want {
	struct opt_list events, metrics;
	const char *filters[OPT_LIST_MAX];   /* filters of the events with the same index */
	bool topdown, null_run, all_user, all_kernel;
	unsigned detail;
	const char *max_overhead;
};

struct stat_when_want {
	uint64_t repeat, interval_ms, interval_count, timeout_ms;
};

/* How counts are summed up: at most one of these, besides no_merge. */
struct stat_sums_want {
	bool no_aggr, per_core, per_die, per_socket, per_node, per_thread;
	bool no_merge;
};

struct stat_form_want {
	bool big_num, json, append;
	unsigned verbose;
	const char *sep, *output, *log_fd;
};

/* Options of perf that are refused, and --group, for which -e has a better way: {a,b}. */
struct stat_theirs_want {
	bool table, scale, sync, group;
};

struct stat_want {
	struct stat_what_want what;
	struct target_want target;
	struct stat_when_want when;
	struct stat_sums_want sums;
	struct stat_form_want form;
	struct stat_more_want more;
	struct stat_theirs_want theirs;
};

extern const struct opt stat_opts[];

void stat_defaults(void *want);

#endif
