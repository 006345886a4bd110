/* want.h - what `sonde report` was asked for, and its columns. */
#ifndef CMD_REPORT_WANT_H
#define CMD_REPORT_WANT_H

#include "analyse/hist.h"
#include "cmd/cmd.h"
#include "report/profile.h"

enum report_col {
	COL_CHILDREN,
	COL_OVERHEAD,
	COL_SYS,             /* the parts of COL_OVERHEAD, in the order of enum hist_space */
	COL_US,
	COL_GUEST_SYS,
	COL_GUEST_US,
	COL_LATENCY,
	COL_SAMPLES,
	COL_PERIOD,
	COL_PID,
	COL_TID,
	COL_THREAD,          /* a thread, "tid:comm", with perf's head "Pid:Command" */
	COL_COMM,
	COL_DSO,
	COL_SYM,
	COL_SRCLINE,
	COL_SRCFILE,
	COL_TYPE,            /* in the order of enum hist_touch_text */
	COL_TYPEOFF,
	COL_TYPECLN,
	COL_SYMOFF,
	COL_CPU,
	COL_SOCKET,
	COL_PARENT,
	COL_PARALLELISM,
	COL_VALUE
};

enum { REPORT_COLS_MAX = 16 + VALUES_FIELDS_MAX };

struct report_cols {
	enum report_col v[REPORT_COLS_MAX];
	unsigned value[REPORT_COLS_MAX];   /* for COL_VALUE: index of the key; in report_event_cols(), of the field */
	size_t n;
};

enum report_graph { GRAPH_DEFAULT, GRAPH_TREE, GRAPH_FRACTAL, GRAPH_FLAT, GRAPH_FOLDED, GRAPH_NONE };
enum report_order { ORDER_DEFAULT, ORDER_CALLER, ORDER_CALLEE };

struct report_chains {
	enum report_graph graph;
	enum report_order order;
	double min_percent;
};

/* --stats, --tasks, --mmaps, -D: print the recording's records instead of a profile. */
struct records_want {
	bool stats, tasks, mmaps, dump;
};

/* --header, --header-only, -I */
struct report_header_want {
	bool on, only;             /* print the header, too; print nothing else */
	bool full;                 /* with its long parts, e.g. the CPU topology */
};

/* -p, --exclude-other: group samples by the caller that matches a pattern. */
struct report_parent_want {
	const char *pattern;       /* NULL: perf's default pattern */
	bool alone;                /* leave out samples without such a caller */
};

/* What sort keys mean. */
struct report_keys_want {
	bool as_perf;              /* called as perf: keys have perf's meaning ("pid" is a thread) */
	uint64_t quantum;          /* ns: times are rounded to multiples of it */
	bool by_weight;            /* a sample counts with its weight, the cycles of its memory access */
	bool levels;               /* a hierarchy: each key is a level below the one before it */
	bool latency;              /* sort rows by their share of the wall-clock time */
	bool spaces;               /* split the overhead into kernel and user, host and guest */
	struct report_parent_want parent;
};

/* --socket-filter */
struct report_socket_want {
	bool chosen;
	int32_t id;
};

/* Text or a browser. */
struct report_form_want {
	const char *color;
	bool text, browser;        /* which of them was asked for */
	bool ignored;
};

struct report_want {
	struct session_want session;
	struct filter_want filter;
	struct budget_want budget;
	struct report_chains chains;
	struct records_want records;
	const char *sort, *fields, *sep, *percentage, *ends;
	struct report_form_want form;
	uint64_t max_stack;
	double percent_limit;
	bool children, samples, period, json, quiet, inverted;
	struct report_header_want head;
	unsigned verbose, group;   /* group: 0 each event by itself, 1 groups as recorded, more: all events are one */
	struct report_keys_want keys;
	struct report_socket_want socket;
};

/* For commands that run report under another name; their want begins with a struct report_want. */
extern const struct opt report_opts[];
void report_defaults(void *want);

/* Parse the argument of -g, as in perf: "graph,0.5,caller". 0 or -EINVAL. */
int report_parse_chains(struct report_chains *c, const char *text, struct err *e);

/* Parse --percentage into a const char *: "relative" or "absolute". Is it "relative"? NULL is "absolute". */
int report_set_percentage(void *field, const char *value, struct err *e);
bool report_is_relative(const char *percentage);

/* Make the columns from -s or -F and the flags; keys that are fields of tracepoints are added to v. */
int report_parse_cols(struct report_cols *cols, const struct report_want *w, enum hist_mode mode, struct values *v,
		      struct err *e);

/* The columns of one event: a key that stands for many fields becomes a column for each that the event has. */
struct report_cols report_event_cols(const struct report_cols *all, const struct values_event *ev);

/* Is the column a part of the overhead: kernel or user, host or guest? */
static inline bool report_is_space(enum report_col c)
{
	return c >= COL_SYS && c <= COL_GUEST_US;
}

/* The bits of enum hist_key that the columns need. */
unsigned report_keys(const struct report_cols *cols);

/* HIST_SPACE if a column needs it, else 0. */
unsigned report_spaces(const struct report_cols *cols);

/* --- tell.c: 0 or -EINVAL if the recording lacks what a key needs --- */

bool report_has_chains(const struct session *s);

/* The key parent. Fills *to, in which the caller has set from_outside. The compiled pattern is allocated in a. */
int report_tell_parent(const struct report_parent_want *w, const struct session *s, struct arena *a,
		       struct profile_parent *to, struct profile_want *pw, struct err *e);

/* For the key "parallelism" and for a latency column, which both need the number of running tasks. */
int report_tell_running(const struct report_cols *cols, const struct session *s, struct profile_want *pw,
			struct err *e);

/* The first column that is a key; COL_PERIOD: none. */
enum report_col report_first_key(const struct report_cols *cols);

/* The head of a column in text, and its name in JSON and CSV. */
const char *report_col_head(enum report_col c, enum hist_mode mode);
const char *report_col_key(enum report_col c);
unsigned report_col_keys(enum report_col c);   /* enum hist_key */

#endif
