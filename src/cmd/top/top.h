/*
 * top.h - `sonde top`: a live profile. A profile (report/profile.h) takes in samples, whose weight decays with time;
 * after each delay (-d) rows are made from it (a shot) and shown: as text, or painted on a terminal, where keys choose
 * what is shown.
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

enum { TOP_EVENTS = 8 };      /* at most so many events are shown side by side */

/* Which rows are shown, and their columns. */
struct top_rows_want {
	bool no_kernel, no_user;
	uint64_t least;               /* rows with fewer samples are left out */
	uint64_t entries;             /* number of rows at most; 0: as many as fit on the screen */
	bool samples, period;         /* columns */
	bool latency;                 /* sort by the share of the wall-clock time */
	const char *percentage;       /* "relative" or "absolute"; NULL: absolute */
	const char *ends;             /* pattern of functions whose callees are not shown; NULL: none */
};

/* How instructions are shown until keys change it. */
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

/* The rows made at one moment, of one event or of several side by side. */
struct top_shot {
	bool is_there;
	struct calltree tree;
	struct hist hist[TOP_EVENTS];
	uint32_t *order[TOP_EVENTS];
	struct report_view view[TOP_EVENTS];
	struct report_rows rows;      /* all rows of the n_events */
	size_t in_order;              /* so many rows are sorted, the heaviest first; the rest behind them is not */
	uint64_t per_second;          /* samples per second since the shot before */
	double kernel, user;          /* percent of these samples */
};

/* What the keys have chosen. */
struct top_view {
	struct list_view list;
	bool all_open;                /* each row shows its callers */
	bool open;                    /* the row of open_group and open_frame does */
	uint32_t open_group, open_frame;
	const char *dso;              /* only rows of this dso; NULL: all */
	bool by_thread, by_socket;    /* only rows of the thread or socket in `like` */
	struct hist_group like;
	char part[64];                /* only rows whose symbol has this in its name; "": all */
	bool paused, stopped, zero, no_kernel, no_user;
	bool relative;                /* the rows that are shown are 100 % */
	bool heads, with_dsos;
	unsigned sort;                /* which of the sort orders that the key s cycles through */
	enum { TOP_LOOKS, TOP_TYPES_PART, TOP_TYPES_DELAY, TOP_TYPES_LIMIT, TOP_TYPES_LEAST, TOP_HELPS } state;
};

/* A function whose instructions are shown, or were shown before the user followed a call in it. */
struct top_func {
	const char *dso;              /* interned; NULL: of any dso, until a sample hits the function */
	bool kernel;                  /* it is kernel code */
	char *sym;
};

/* The instructions of a function, shown instead of the rows. */
struct top_code {
	bool is_open;
	bool follows;                 /* the hottest line is selected, until the user selects another */
	struct annotate_show show;
	struct insn_form form;
	VEC(struct top_func) funcs;   /* a stack: the last one is shown */
	struct hits hits;             /* its samples since it is shown */
	uint64_t dropped;             /* samples that were dropped because too many addresses were hit */
	struct text_view text;
};

struct top {
	struct ctx *c;
	struct top_want *want;
	struct specs specs;
	struct kname kname;           /* resolves kernel symbols by BPF; not open: no BPF, or a recording is read */
	struct kernel_namer namer;
	struct feed_want feed_want;
	struct feed feed;
	struct report_want report;    /* top's options as those of report, which makes the rows */
	struct values values;
	struct report_cols cols;
	struct profile profile;
	struct rex ends;
	struct arena ends_arena;
	uint64_t delay_ns, shown;     /* shown: how often the rows were shown */
	size_t events[TOP_EVENTS], n_events;   /* indices in the session's events */
	struct { uint64_t all, kernel, user, idle; } seen;   /* samples since the last shot; idle: left out */
	uint64_t at, cpu_ns;          /* at the last shot: CLOCK_MONOTONIC, and the CPU time top had used */
	uint64_t last;                /* time of the newest sample at the last shot */
	double own;                   /* CPU usage of top itself, percent of one CPU */
	uint64_t forgotten;           /* how often the profile had grown too large and began anew */
	uint64_t given_back;          /* files whose symbol tables were freed */
	struct top_shot shot;
	struct screen screen;
	struct top_view view;
	struct top_code code;
	bool painted, over;
};

/* feed_want.sweep_ms */
unsigned top_sweep_ms(uint64_t delay_ns);

/* Do the rows need the number of tasks that ran at each sample (latency, parallelism)? */
bool top_counts_running(const struct top_want *w);

/* Take in a sample. 0 or -errno. */
int top_take(struct top *t, const struct hit *h);

/* Make the rows anew, and let the weight of the samples so far decay. */
int top_shoot(struct top *t);

/* Make this event the first column, by which rows are sorted. 0 or -ENOMEM. */
int top_lead(struct top *t, size_t event);

/* The histogram row of the first event that has the row; *of: the index of that event. */
const struct hist_row *top_row(const struct top *t, const uint32_t *row, size_t *of);

/* Set up columns and keys from t->want, and an empty profile. 0 or -errno. */
int top_begin(struct top *t, struct err *e);
void top_end(struct top *t);

/*
 * The rows that pass the filters, n_events indices each, sorted; the shot's order is completed if the sorted part does
 * not reach. Returns their number or -ENOMEM; the caller frees *v.
 */
long top_choose(struct top *t, uint32_t **v);

/* "1234 samples/s  kernel 56.0% ..." without a new line. */
void top_head(struct top *t, struct out *o, bool with_user);

/* Print head and rows as text. 0 or -errno. */
int top_print(struct top *t);

/* Paint the screen. */
int top_paint(struct top *t);

/* Handle the keys that were pressed. 0 or -errno. */
int top_keys(struct top *t, struct err *e);

/* --- code.c: 0 or -ENOMEM --- */

/* Show the instructions of a row's function; f->sym is not NULL. */
int top_code_open(struct top *t, const struct hist_frame *f);
void top_code_close(struct top *t);

/* The dso of the shown function; NULL: none is shown, or it is of any dso. */
const char *top_code_dso(const struct top *t);

/* Take in a sample; let weights decay; write the text anew. They do nothing if no function is shown. */
int top_code_take(struct top *t, const struct hit *h);
void top_code_fade(struct top *t, unsigned eighths);
int top_code_shoot(struct top *t);

int top_code_key(struct top *t, int key);
void top_code_paint(struct top *t, size_t room);

#endif
