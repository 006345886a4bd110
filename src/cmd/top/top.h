/*
 * top.h - `sonde top`: what the machine does now. Samples are taken in by report/profile.h and lose weight with time;
 * each time that the delay is over their rows are made anew (shot), and shown: as text, or painted on a terminal, where
 * keys choose what is shown.
 */
#ifndef CMD_TOP_TOP_H
#define CMD_TOP_TOP_H

#include "analyse/hits.h"
#include "base/rex.h"
#include "bpf/kname.h"
#include "cmd/annotate/text.h"
#include "cmd/list/view.h"
#include "cmd/report/view.h"
#include "cmd/text_view.h"
#include "engine/feed.h"
#include "report/profile_live.h"
#include "sym/asked.h"

enum { TOP_EVENTS = 8 };      /* side by side */

/* What rows are left out, and what they tell. */
struct top_rows_want {
	bool no_kernel, no_user;
	uint64_t least;               /* samples of a row that is shown */
	uint64_t entries;             /* rows at most; 0: as many as there is room for */
	bool samples, period;         /* columns */
	bool latency;                 /* by what they add to the time that it took */
	const char *percentage;       /* of what; NULL: of all */
	const char *ends;             /* functions whose callees are not shown; NULL: none */
};

/* How code looks at first. */
struct top_code_want {
	bool source, raw;
};

struct top_want {
	struct target_want target;
	struct session_want session;
	struct filter_want filter;
	struct opt_list events;
	uint64_t freq, count;
	const char *delay;            /* s */
	struct callgraph graph;
	struct report_chains chains;
	bool children;
	const char *sort, *fields;
	bool zero;
	double percent_limit;
	uint64_t pages, times, max_stack, memory;
	struct top_rows_want rows;
	struct top_code_want code;
	bool stdio, ignored;
	const char *unused;
	unsigned verbose;
};

/* The rows of the moment, one event's or several's side by side. */
struct top_shot {
	bool is_there;
	struct calltree tree;
	struct hist hist[TOP_EVENTS];
	uint32_t *order[TOP_EVENTS];
	struct report_view view[TOP_EVENTS];
	struct report_rows rows;      /* all, of the n_events */
	size_t in_order;              /* rows from the heaviest one on; the others stand behind them as they come */
	uint64_t per_second;          /* samples since the one before */
	double kernel, user;          /* percent of these */
};

/* What the keys have chosen. */
struct top_view {
	struct list_view list;
	bool all_open;                /* each row shows its callers */
	bool open;                    /* the row that open_* are of does */
	uint32_t open_group, open_frame;
	const char *dso;              /* only this one's rows; NULL: all */
	bool by_thread, by_socket;    /* only those of ... */
	struct hist_group like;
	char part[64];                /* of the names of symbols; "": any */
	bool paused, stopped, zero, no_kernel, no_user;
	bool relative;                /* percentages are of the chosen rows */
	bool heads, with_dsos;
	unsigned sort;                /* of the orders that s goes through */
	enum { TOP_LOOKS, TOP_TYPES_PART, TOP_TYPES_DELAY, TOP_TYPES_LIMIT, TOP_TYPES_LEAST, TOP_HELPS } state;
};

/* A function that is looked at, or was before a call in it was followed. */
struct top_func {
	const char *dso;              /* interned; NULL: of any file, until a sample is in it, */
	bool kernel;                  /* of the kernel's or of programs' */
	char *sym;
};

/* The instructions of a function in the place of the rows. */
struct top_code {
	bool is_open;
	bool follows;                 /* the chosen line is the hottest one, until somebody chooses */
	struct annotate_show show;
	struct insn_form form;
	VEC(struct top_func) funcs;   /* the last one is looked at */
	struct hits hits;             /* of it, since it is looked at */
	uint64_t dropped;             /* samples at more addresses than are kept */
	struct text_view text;
};

struct top {
	struct ctx *c;
	struct top_want *want;
	struct specs specs;
	struct kname kname;           /* names functions of the kernel; not open: it does not do that */
	struct kernel_namer namer;
	struct feed_want feed_want;
	struct feed feed;
	struct report_want report;    /* rows as report has them */
	struct values values;
	struct report_cols cols;
	struct profile profile;
	struct rex ends;
	struct arena ends_arena;
	uint64_t delay_ns, shown;     /* shown: times */
	size_t events[TOP_EVENTS], n_events;   /* by the session's index */
	struct { uint64_t all, kernel, user, idle; } seen;   /* samples since the last shot; idle: left out */
	uint64_t at, cpu_ns;          /* of the last shot: CLOCK_MONOTONIC, and what we had taken by then */
	uint64_t last;                /* sample's time then */
	double own;                   /* percent of a CPU that this takes */
	uint64_t forgotten;           /* times that there was too much to keep */
	uint64_t given_back;          /* files whose symbols are not needed any more */
	struct top_shot shot;
	struct screen screen;
	struct top_view view;
	struct top_code code;
	bool painted, over;
};

/* feed_want.sweep_ms */
unsigned top_sweep_ms(uint64_t delay_ns);

/* Do rows tell how many tasks ran beside each sample? */
bool top_counts_running(const struct top_want *w);

/* Samples. 0 or -errno. */
int top_take(struct top *t, const struct hit *h);

/* Have the rows of now, and let the past lose weight. */
int top_shoot(struct top *t);

/* The event of this number stands first, and rows are in its order. 0 or -ENOMEM. */
int top_lead(struct top *t, size_t event);

/* Of the first event that has the row; its number there into *of. */
const struct hist_row *top_row(const struct top *t, const uint32_t *row, size_t *of);

/* Columns and keys as want has them, and the profile anew. 0 or -errno. */
int top_begin(struct top *t, struct err *e);
void top_end(struct top *t);

/*
 * The rows that are shown, n events' numbers each, in the order of the shot, which is made as far as it is seen. How
 * many; *v is malloc'ed. -ENOMEM.
 */
long top_choose(struct top *t, uint32_t **v);

/* "1234 samples/s  kernel 56.0% ..." without a new line. */
void top_head(struct top *t, struct out *o, bool with_user);

/* The whole of it as text. 0 or -errno. */
int top_print(struct top *t);

/* The same painted. */
int top_paint(struct top *t);

/* Keys that were pressed. 0 or -errno. */
int top_keys(struct top *t, struct err *e);

/* --- code.c: 0 or -ENOMEM --- */

/* Look at the function of a row, which has a name. */
int top_code_open(struct top *t, const struct hist_frame *f);
void top_code_close(struct top *t);

/* The file of the function that is looked at; NULL: none is, or of any. */
const char *top_code_dso(const struct top *t);

/* A sample; the past loses weight; the text of now. Nothing, where none is looked at. */
int top_code_take(struct top *t, const struct hit *h);
void top_code_fade(struct top *t, unsigned eighths);
int top_code_shoot(struct top *t);

int top_code_key(struct top *t, int key);
void top_code_paint(struct top *t, size_t room);

#endif
