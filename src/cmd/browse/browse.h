/*
 * browse.h - `sonde report` on a terminal: the rows of an event as a list, call chains that unfold below them, filters
 * by keys, the instructions of a function. It shows the views of the text report (cmd/report/view.h).
 */
#ifndef CMD_BROWSE_BROWSE_H
#define CMD_BROWSE_BROWSE_H

#include "base/map.h"
#include "cmd/annotate/text.h"
#include "cmd/list/view.h"
#include "cmd/report/run.h"
#include "cmd/report/text.h"
#include "cmd/text_view.h"
#include "show/tree.h"

enum {
	BROWSE_LINES_MAX = 1 << 20,        /* limit for the lines that are unfolded at a time */
};

/* The call chains of a row as a tree. Node 0 is the row itself. */
struct browse_fold {
	uint32_t row;                 /* its index in the first event's histogram */
	bool shown;                   /* the tree is unfolded below the row */
	size_t n;                     /* nodes */
	struct tree_node *tree;
	uint32_t *frame;              /* each node's index in the profile's frames */
	bool *open;                   /* by first node of a chain of only children: the rest of it is unfolded */
};

/* A line of the list: a row, or a node of its call chains. */
struct browse_line {
	uint32_t at;                  /* index in browse_page.chosen */
	uint32_t node;                /* node of the row's browse_fold; 0: the row itself */
	uint32_t depth;
	bool runs_on;                 /* it is the only child of the line before it, with all of its weight */
};

/* What the list shows: an event, or several events side by side. */
struct browse_page {
	size_t events[REPORT_GROUP_MAX], n;
	struct report_shown_event shown[REPORT_GROUP_MAX];
	struct report_view views[REPORT_GROUP_MAX];
	struct report_rows rows;
	struct report_layout layout;
	uint64_t totals[REPORT_GROUP_MAX];
	VEC(uint32_t) chosen;         /* indices of the rows that pass the filters */
	VEC(struct browse_fold) folds;
	struct map fold_of;           /* row of the first event -> index in folds */
	VEC(struct browse_line) lines;
};

enum browse_zoom { ZOOM_DSO, ZOOM_THREAD, ZOOM_SOCKET, ZOOM_PART, ZOOMS };

/* Which rows are shown. */
struct browse_filter {
	enum browse_zoom by[ZOOMS];   /* a stack: the filter that was set last is undone first */
	size_t n;
	const char *dso, *dso_short;  /* for ZOOM_DSO */
	struct hist_group thread;     /* for ZOOM_THREAD: comm, pid and tid, those that are sort keys */
	int32_t socket;               /* for ZOOM_SOCKET */
	char part[64];                /* for ZOOM_PART: a part of the symbol's name */
	bool no_kernel, no_user;
	bool relative;                /* the rows that are shown are 100 % */
};

/* A function whose instructions are shown, or were shown before the user followed a call in it. */
struct browse_code {
	const char *dso;              /* NULL: of any dso */
	char *sym;                    /* NULL: none is shown */
	struct text_view text;        /* of a function left by a call: its text at that time, */
	unsigned changes;             /* and browser.changes at that time */
};

struct browser {
	struct ctx *c;
	struct report *report;
	struct screen screen;
	struct list_view list;
	struct browse_page page;
	struct browse_filter filter;
	struct text_view text;        /* shown instead of the list: help, the recording's header, instructions */
	struct text_view under;       /* the instructions, while the help on their keys is shown */
	struct browse_code code;      /* the function whose instructions are in `text` */
	VEC(struct browse_code) callers;   /* a stack of the functions that were left by following a call */
	struct annotate_show show;    /* how instructions are shown */
	unsigned changes;             /* number of changes of `show` */
	struct insn_form form;
	size_t by;                    /* the event of the page by which the rows are sorted */
	bool no_heads, with_dsos;
	enum { BROWSE_LOOKS, BROWSE_TYPES_PART, BROWSE_TYPES_LIMIT } state;
	bool over;
};

/* Is there a terminal that can be painted? */
bool browse_can(void);

/* Runs until the user quits. 0 or -errno. */
int browse(struct report *r, struct err *e);

/* --- page.c: 0 or -ENOMEM --- */

/* Show event `first` and the events of its group; closes the page that was shown before. */
int page_open(struct browser *b, size_t first);

/* Fill in the first event of each page; returns the number of pages, at most REPORT_GROUP_MAX. */
size_t page_firsts(const struct report *r, size_t firsts[REPORT_GROUP_MAX]);
void page_close(struct browse_page *p);

/* The number of screen lines around the list: a head, the column heads unless they are off, the foot. */
static inline size_t browse_around(const struct browser *b)
{
	return LIST_AROUND + !b->no_heads;
}

/* Choose and sort the rows again, after the filters or the order have changed. */
int page_choose(struct browser *b);

/* Make the lines again, after something was folded or unfolded. */
int page_lines(struct browse_page *p);

/* The row of a line: its number in each of the page's histograms. */
static inline const uint32_t *page_row(const struct browse_page *p, const struct browse_line *l)
{
	return p->rows.v + (size_t)p->chosen.v[l->at] * p->n;
}

/* The selected line; NULL: the list is empty. */
const struct browse_line *page_chosen(const struct browser *b);

/* --- unfold.c --- */

/* The call chains of a row, if they were made before; else NULL. */
struct browse_fold *unfold_find(const struct browse_page *p, const uint32_t *row);
void unfold_deinit(struct browse_fold *f);

/* Fold or unfold a line; _ALL: with everything below it. 0, -ENOMEM, or -ENOSPC: beyond BROWSE_LINES_MAX. */
enum fold_what { FOLD_TOGGLE, FOLD_TOGGLE_ALL };
int unfold_line(struct browse_page *p, const struct browse_line *l, enum fold_what what);

/* Unfold every row, up to a limit of lines. Returns the number of rows that were unfolded, or -ENOMEM. */
long unfold_open_all(struct browse_page *p);
void unfold_close_all(struct browse_page *p);

/* Append the lines of an unfolded row's call chains; at: the row's index in p->chosen. 0 or -ENOMEM. */
int unfold_lines(struct browse_page *p, const struct browse_fold *f, uint32_t at);

/* The node's only child, if that has all of the node's weight; else 0. */
static inline uint32_t unfold_goes_on(const struct browse_fold *f, uint32_t node)
{
	uint32_t child = f->tree[node].child;

	return child && !f->tree[child].next && f->tree[child].weight == f->tree[node].weight ? child : 0;
}

/* --- paint.c, keys.c, code.c: 0 or -ENOMEM --- */

int browse_paint(struct browser *b);
int browse_keys(struct browser *b);   /* handles the keys that were pressed */

/* The frame of a line: that of the row, or of the chain's node. */
const struct hist_frame *browse_frame(const struct browser *b, const struct browse_line *l);

/* Show the instructions of the selected line's function. */
int browse_code(struct browser *b);
void browse_code_close(struct browser *b);

/* Handle a key while b->text is shown. */
int browse_text_key(struct browser *b, int key);

#endif
