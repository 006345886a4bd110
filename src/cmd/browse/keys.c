/* keys.c - what keys do. */
#include "cmd/browse/browse.h"

#include "cmd/report_header.h"
#include "sys/output.h"

#include <fcntl.h>

#define SAVED "sonde-report.txt"

static const char help[] =
	"  up down j k        choose a line; PgUp PgDn Home End\n"
	"  Enter + l          unfold what is below the line, or fold it\n"
	"  e                  all that is below it; E: below all lines; C: fold all\n"
	"  /                  only functions with a text in their name\n"
	"  d                  only rows of this file\n"
	"  t                  only rows of its thread, process or command, as -s tells\n"
	"  Left Esc           without the last of these three again\n"
	"  F                  percentages of what is chosen; again: of all\n"
	"  Tab Shift-Tab      the next event, the one before\n"
	"  a                  its function's instructions, with the samples of each\n"
	"  i                  what the recording tells about itself\n"
	"  P                  what is chosen, as text, into " SAVED "\n"
	"  Ctrl-L             paint all lines again\n"
	"  h ?                this page\n"
	"  q                  end\n"
	"\n"
	"In text, as here:\n"
	"  /                  search; n: the next one\n"
	"  space              a page further\n"
	"  q Left Esc         back\n";

/* --- rows --- */

static const struct hist_row *row_of(const struct browser *b, const struct browse_line *l)
{
	const uint32_t *row = page_row(&b->page, l);
	size_t has = report_has(row);

	return &b->page.views[has].hist->rows.v[row[has]];
}

/* The frame of a line: that of the row, or of the chain's node. */
static const struct hist_frame *frame_of(const struct browser *b, const struct browse_line *l)
{
	const struct browse_fold *f = l->node ? unfold_find(&b->page, page_row(&b->page, l)) : NULL;

	return &b->report->profile.frames.v.v[f ? f->frame[l->node] : row_of(b, l)->frame];
}

/* --- filters --- */

static void add_zoom(struct browse_filter *f, enum browse_zoom by)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->by[i] != by)
			f->by[n++] = f->by[i];
	f->by[n++] = by;
	f->n = n;
}

static int changed(struct browser *b)
{
	b->list.selected = b->list.first = 0;
	return page_choose(b);
}

static int zoom(struct browser *b, enum browse_zoom by)
{
	const struct browse_line *l = page_chosen(b);
	unsigned keys = report_keys(&b->report->cols);

	if (!l)
		return 0;
	if (by == ZOOM_DSO && !(keys & (HIST_DSO | HIST_SYM))) {
		list_say(&b->list, "rows are not told apart by file: -s dso");
		return 0;
	}
	if (by == ZOOM_THREAD && !(keys & (HIST_COMM | HIST_PID | HIST_TID))) {
		list_say(&b->list, "rows are not told apart by thread, process or command: -s comm, -s tid");
		return 0;
	}
	if (by == ZOOM_DSO) {
		b->filter.dso = frame_of(b, l)->dso;
		b->filter.dso_short = frame_of(b, l)->dso_short;
	}
	if (by == ZOOM_THREAD)
		b->filter.thread = b->report->profile.groups.v[row_of(b, l)->group];
	add_zoom(&b->filter, by);
	return changed(b);
}

static int zoom_out(struct browser *b)
{
	if (!b->filter.n) {
		list_say(&b->list, "all rows are here; q ends");
		return 0;
	}
	b->filter.n--;
	return changed(b);
}

/* Without a text there is no filter. */
static int choose_part(struct browser *b)
{
	struct browse_filter *f = &b->filter;

	str_copy(f->part, sizeof(f->part), sv_from(b->list.prompt));
	add_zoom(f, ZOOM_PART);
	f->n -= !*f->part;
	return changed(b);
}

/* --- events --- */

static int next_event(struct browser *b, int step)
{
	size_t pages[REPORT_GROUP_MAX], n_pages = page_firsts(b->report, pages), now = 0;

	while (now + 1 < n_pages && pages[now] != b->page.events[0])
		now++;
	if (n_pages < 2) {
		list_say(&b->list, "there is one event alone");
		return 0;
	}
	b->list.selected = b->list.first = 0;
	return page_open(b, pages[(now + n_pages + (size_t)step) % n_pages]);
}

/* --- code --- */

struct args {
	char *v[64];
	size_t n;
};

static void add_arg(struct args *a, const char *name, const char *value)
{
	if (!value || a->n + 2 >= ARRAY_SIZE(a->v))
		return;
	a->v[a->n++] = (char *)name;
	a->v[a->n++] = (char *)value;
}

static void add_list(struct args *a, const char *name, const struct opt_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		add_arg(a, name, l->v[i]);
}

/* The same samples, of one function. */
static void annotate_args(const struct browser *b, const struct hist_frame *f, struct args *a)
{
	const struct report_want *w = b->report->want;

	a->v[a->n++] = (char *)"annotate";
	add_arg(a, "-i", b->report->session->path);
	add_arg(a, "--symfs", w->session.symfs);
	add_arg(a, "-k", w->session.vmlinux);
	add_arg(a, "--kallsyms", w->session.kallsyms);
	add_list(a, "-c", &w->filter.comms);
	add_list(a, "--pid", &w->filter.pids);
	add_list(a, "--tid", &w->filter.tids);
	add_arg(a, "-C", w->filter.cpus);
	add_arg(a, "--time", w->filter.time);
	add_arg(a, "-d", f->dso);
	add_arg(a, "-s", f->sym);
	if (w->session.mangled && a->n < ARRAY_SIZE(a->v))
		a->v[a->n++] = (char *)"--no-demangle";
	if (w->session.full && a->n < ARRAY_SIZE(a->v))
		a->v[a->n++] = (char *)"-v";
}

/* As a command of its own, but for what ends one: standard output stays what it is. */
static int run_annotate(struct ctx *c, struct args *a)
{
	const struct cmd *cmd = cmd_find("annotate");
	void *want = calloc(1, cmd->want_size + 1);
	struct err e = { 0 };

	if (!want)
		return -ENOMEM;
	c->cmd = cmd;
	cmd->defaults(want);
	if (opt_parse(cmd->opts, want, (int)a->n, a->v, &e) == (int)a->n)
		cmd->run(c, want, 0, a->v + a->n);
	else
		cmd_fail(c, &e);
	free(want);
	return 0;
}

static int annotate(struct browser *b)
{
	const struct browse_line *l = page_chosen(b);
	const struct hist_frame *f = l ? frame_of(b, l) : NULL;
	struct ctx c = *b->c;
	struct args a = { .n = 0 };
	struct mem_out said;
	int r;

	if (!f || !f->sym) {
		list_say(&b->list, "the line has no function with a name");
		return 0;
	}
	list_say(&b->list, "reading ...");
	browse_paint(b);
	*b->list.told = '\0';
	annotate_args(b, f, &a);
	mem_out_init(&said);
	c.out = text_view_begin(&b->text, f->sym);
	c.msg = &said.out;
	r = run_annotate(&c, &a);
	/* What it could not show, and why, below what it could. */
	mem_out_str(&said);
	out_bytes(c.out, said.v, said.n);
	mem_out_deinit(&said);
	r = r ? r : text_view_end(&b->text);
	if (!r)
		text_view_hottest(&b->text);
	return r;
}

/* --- texts --- */

static int show_help(struct browser *b)
{
	out_str(text_view_begin(&b->text, "Keys"), help);
	return text_view_end(&b->text);
}

static int show_header(struct browser *b)
{
	report_header(b->report->session, true, text_view_begin(&b->text, "The recording"));
	return text_view_end(&b->text);
}

static int write_rows(const struct browser *b, struct out *o)
{
	const struct browse_page *p = &b->page;
	uint32_t *v = malloc((p->chosen.n * p->n + 1) * sizeof(*v));
	struct report_rows rows = p->rows;
	int r = v ? 0 : -ENOMEM;

	for (size_t i = 0; v && i < p->chosen.n; i++)
		memcpy(v + i * p->n, p->rows.v + (size_t)p->chosen.v[i] * p->n, p->n * sizeof(*v));
	rows.v = v;
	rows.n = p->chosen.n;
	r = r ? r : report_text(p->views, &rows, o);
	free(v);
	return r;
}

static int save(struct browser *b)
{
	struct output file;
	char buf[8192];
	struct out text;
	struct err e = { 0 };
	int r = output_open(&file, b->c->sys, SAVED, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, &e);

	if (r) {
		list_say(&b->list, e.text);
		return 0;
	}
	output_text(&file, &text, buf, sizeof(buf));
	r = write_rows(b, &text);
	out_end(&text);
	if (r || text.error)
		output_discard(&file);
	else
		output_close(&file);
	list_say(&b->list, r || text.error ? SAVED " could not be written" : SAVED " has it");
	return r;
}

/* --- folds --- */

static int fold(struct browser *b, enum fold_what what)
{
	const struct browse_line *l = page_chosen(b);
	int r = 0;

	if (b->page.views->chains.graph == GRAPH_NONE)
		list_say(&b->list, "there are no call chains: sonde record -g");
	else if (l)
		r = unfold_line(&b->page, l, what);
	if (r == -ENOSPC)
		list_say(&b->list, "too much is unfolded: C folds all");
	return r == -ENOSPC ? 0 : r;
}

static int open_all(struct browser *b)
{
	long n = unfold_open_all(&b->page);

	if (n >= 0)
		snprintf(b->list.told, sizeof(b->list.told), "the chains of %ld rows", n);
	return MIN(n, 0);
}

static int close_all(struct browser *b)
{
	unfold_close_all(&b->page);
	b->list.selected = b->list.first = 0;
	return page_lines(&b->page);
}

/* --- keys --- */

static int act(struct browser *b, int key)
{
	switch (key) {
	case 'q':
	case KEY_CLOSED:
		b->over = true;
		return 0;
	case KEY_ENTER:
	case '+':
	case 'l':
	case KEY_RIGHT:
		return fold(b, FOLD_TOGGLE);
	case 'e':
		return fold(b, FOLD_TOGGLE_ALL);
	case 'E':
		return open_all(b);
	case 'C':
		return close_all(b);
	case 'd':
		return zoom(b, ZOOM_DSO);
	case 't':
		return zoom(b, ZOOM_THREAD);
	case KEY_LEFT:
	case KEY_ESCAPE:
		return zoom_out(b);
	case '/':
		b->typing = true;
		list_begin_typing(&b->list);
		return 0;
	case 'F':
		b->filter.relative = !b->filter.relative;
		return page_choose(b);
	case KEY_TAB:
		return next_event(b, 1);
	case KEY_BACK_TAB:
		return next_event(b, -1);
	case 'a':
		return annotate(b);
	case 'i':
		return show_header(b);
	case 'P':
		return save(b);
	case 'h':
	case '?':
		return show_help(b);
	}
	return 0;
}

static int type(struct browser *b, int key)
{
	enum list_typed r = key == KEY_CLOSED ? LIST_GIVES_UP : list_type(&b->list, key);

	b->over |= key == KEY_CLOSED;
	b->typing = r == LIST_TYPES;
	return r == LIST_DONE ? choose_part(b) : 0;
}

static void look_at_text(struct browser *b, int key)
{
	size_t page = b->screen.rows > LIST_AROUND + 1 ? b->screen.rows - LIST_AROUND - 1 : 1;

	b->over |= key == KEY_CLOSED;
	text_view_key(&b->text, key, page);
}

int browse_keys(struct browser *b)
{
	size_t page = b->screen.rows > BROWSE_AROUND + 1 ? b->screen.rows - BROWSE_AROUND - 1 : 1;
	int key, r = 0;

	while (!r && !b->over && (key = screen_key(&b->screen)) != KEY_NONE) {
		*b->list.told = '\0';
		if (b->typing)
			r = type(b, key);
		else if (b->text.is_shown)
			look_at_text(b, key);
		else if (!list_move(&b->list, key, page))
			r = act(b, key);
		/* The next key means what is shown then. */
		list_scroll(&b->list, b->page.lines.n, page + 1);
	}
	return r;
}
