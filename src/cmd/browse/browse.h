/*
 * browse.h - `sonde report` on a terminal: the rows of an event as a list, chains that unfold below them, filters by
 * keys, the instructions of a function. All is made of what the report would print: its views (cmd/report/view.h).
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
	BROWSE_LINES_MAX = 1 << 20,        /* that are unfolded, at once */
};

/* The chains of a row. Node 0 is the row itself. */
struct browse_fold {
	uint32_t row;                 /* of the first event's histogram */
	bool shown;
	size_t n;
	struct tree_node *tree;
	uint32_t *frame;              /* of each node */
	bool *open;                   /* of the first of each run of only children: the rest of it, and what is below */
};

/* What a line of the list is. */
struct browse_line {
	uint32_t at;                  /* of the chosen rows */
	uint32_t node;                /* 0: the row */
	uint32_t depth;
	bool runs_on;                 /* no more than the only child of the line before it */
};

/* An event, or those that are shown side by side. */
struct browse_page {
	size_t events[REPORT_GROUP_MAX], n;
	struct report_shown_event shown[REPORT_GROUP_MAX];
	struct report_view views[REPORT_GROUP_MAX];
	struct report_rows rows;
	struct report_layout layout;
	uint64_t totals[REPORT_GROUP_MAX];
	VEC(uint32_t) chosen;         /* of the rows */
	VEC(struct browse_fold) folds;
	struct map fold_of;           /* row -> index */
	VEC(struct browse_line) lines;
};

enum browse_zoom { ZOOM_DSO, ZOOM_THREAD, ZOOM_SOCKET, ZOOM_PART, ZOOMS };

/* Which rows are chosen. */
struct browse_filter {
	enum browse_zoom by[ZOOMS];   /* the last one is the first to be undone */
	size_t n;
	const char *dso, *dso_short;  /* of ZOOM_DSO */
	struct hist_group thread;     /* of ZOOM_THREAD: as far as the keys tell */
	int32_t socket;               /* of ZOOM_SOCKET */
	char part[64];                /* of ZOOM_PART: of symbols' names */
	bool no_kernel, no_user;
	bool relative;                /* percentages are of the chosen rows */
};

/* A function whose instructions are shown, or were before a call in it was followed. */
struct browse_code {
	const char *dso;              /* NULL: of any file */
	char *sym;                    /* NULL: none is shown */
	struct text_view text;        /* of one that was: as it was left, */
	unsigned changes;             /* after so many of how code is shown */
};

struct browser {
	struct ctx *c;
	struct report *report;
	struct screen screen;
	struct list_view list;
	struct browse_page page;
	struct browse_filter filter;
	struct text_view text;        /* in the place of the list: help, the recording's header, instructions */
	struct text_view under;       /* instructions, while their keys are shown */
	struct browse_code code;      /* that is shown as text */
	VEC(struct browse_code) callers;   /* that were shown before it, the last one last */
	struct annotate_show show;    /* how */
	unsigned changes;             /* of that */
	struct insn_form form;
	size_t by;                    /* the event of the page that rows are in the order of */
	bool no_heads, with_dsos;
	enum { BROWSE_LOOKS, BROWSE_TYPES_PART, BROWSE_TYPES_LIMIT } state;
	bool over;
};

/* Is there a terminal that can be painted? */
bool browse_can(void);

/* Until the one who looks has had enough. 0 or -errno. */
int browse(struct report *r, struct err *e);

/* --- page.c: 0 or -ENOMEM --- */

/* Those of event `first` and what is beside it; what was shown before is forgotten. */
int page_open(struct browser *b, size_t first);

/* The first events of all pages, how many; at most REPORT_GROUP_MAX. */
size_t page_firsts(const struct report *r, size_t firsts[REPORT_GROUP_MAX]);
void page_close(struct browse_page *p);

/* The lines of the screen that are none of the list: a head, those of the columns, the foot. */
static inline size_t browse_around(const struct browser *b)
{
	return LIST_AROUND + !b->no_heads;
}

/* The filters or the order have changed: the rows anew. */
int page_choose(struct browser *b);

/* What is unfolded has changed: the lines anew. */
int page_lines(struct browse_page *p);

/* The row of a line: its number in each of the page's histograms. */
static inline const uint32_t *page_row(const struct browse_page *p, const struct browse_line *l)
{
	return p->rows.v + (size_t)p->chosen.v[l->at] * p->n;
}

/* NULL: there is none. */
const struct browse_line *page_chosen(const struct browser *b);

/* --- unfold.c --- */

/* The chains of a row, when somebody has asked for them before. */
struct browse_fold *unfold_find(const struct browse_page *p, const uint32_t *row);
void unfold_deinit(struct browse_fold *f);

/* What + does with a line; all is for what is below, too. 0, -ENOMEM, or -ENOSPC: too much is unfolded. */
enum fold_what { FOLD_TOGGLE, FOLD_TOGGLE_ALL };
int unfold_line(struct browse_page *p, const struct browse_line *l, enum fold_what what);

/* Every row's, as far as there is room for lines: how many rows; or -ENOMEM. */
long unfold_open_all(struct browse_page *p);
void unfold_close_all(struct browse_page *p);

/* The lines of a fold that is shown. 0 or -ENOMEM. */
int unfold_lines(struct browse_page *p, const struct browse_fold *f, uint32_t at);

/* The only child that has all of the weight; 0: there is none. */
static inline uint32_t unfold_goes_on(const struct browse_fold *f, uint32_t node)
{
	uint32_t child = f->tree[node].child;

	return child && !f->tree[child].next && f->tree[child].weight == f->tree[node].weight ? child : 0;
}

/* --- paint.c, keys.c, code.c: 0 or -ENOMEM --- */

int browse_paint(struct browser *b);
int browse_keys(struct browser *b);   /* those that were pressed */

/* The frame of a line: that of the row, or of the chain's node. */
const struct hist_frame *browse_frame(const struct browser *b, const struct browse_line *l);

/* The instructions of the chosen line's function. */
int browse_code(struct browser *b);
void browse_code_close(struct browser *b);

/* A key while a text is shown. */
int browse_text_key(struct browser *b, int key);

#endif
