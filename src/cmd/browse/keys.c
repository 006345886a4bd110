/* keys.c - what keys do. */
#include "cmd/browse/browse.h"

#include "base/packed.h"
#include "cmd/annotate/code_keys.h"
#include "cmd/report/header.h"

#define SAVED "sonde-report.txt"

static const char *const help = PACKED(
	"  up down j k        choose a line; PgUp PgDn Home End, space: a page further\n"
	"  Enter + l          unfold what is below the line, or fold it\n"
	"  e                  all that is below it; E: below all lines; C: fold all\n"
	"  /                  only functions with a text in their name\n"
	"  d                  only rows of this file\n"
	"  t                  only rows of its thread, process or command, as -s tells\n"
	"  S                  only rows of its socket, with -s socket\n"
	"  Left Esc           without the last of these four again\n"
	"  K U                without rows of the kernel, of programs; again: with them\n"
	"  L                  no rows lighter than so many percent\n"
	"  F                  percentages of what is chosen; again: of all\n"
	"  Tab Shift-Tab      the next event, the one before\n"
	"  0 to 9             of events side by side the one that rows are in order of\n"
	"  a                  its function's instructions, with the samples of each\n"
	"  V                  callers with their files, or without\n"
	"  H                  heads of columns, or none\n"
	"  i                  what the recording tells about itself\n"
	"  P                  what is chosen, as text, into " SAVED "\n"
	"  Ctrl-L             paint all lines again\n"
	"  h ? m F1           this page\n"
	"  q                  end\n"
	"\n"
	"In text, as here:\n"
	"  / ?                search forwards, backwards; n: the next one\n"
	"  space              a page further\n"
	"  q Left Esc         back\n"
	"\n"
	"Where instructions are shown, also:\n");

/* --- rows --- */

static const struct hist_row *row_of(const struct browser *b, const struct browse_line *l)
{
	const uint32_t *row = page_row(&b->page, l);
	size_t has = report_has(row);

	return &b->page.views[has].hist->rows.v[row[has]];
}

const struct hist_frame *browse_frame(const struct browser *b, const struct browse_line *l)
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
	if (by == ZOOM_SOCKET && !(keys & HIST_SOCKET)) {
		list_say(&b->list, "rows are not told apart by socket: -s socket,sym");
		return 0;
	}
	if (by == ZOOM_THREAD && !(keys & (HIST_COMM | HIST_PID | HIST_TID))) {
		list_say(&b->list, "rows are not told apart by thread, process or command: -s comm, -s tid");
		return 0;
	}
	if (by == ZOOM_DSO) {
		b->filter.dso = browse_frame(b, l)->dso;
		b->filter.dso_short = browse_frame(b, l)->dso_short;
	}
	if (by == ZOOM_SOCKET)
		b->filter.socket = b->report->profile.groups.v[row_of(b, l)->group].socket;
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

/* An empty text removes the filter. */
static int choose_part(struct browser *b)
{
	struct browse_filter *f = &b->filter;

	str_copy(f->part, sizeof(f->part), sv_from(b->list.prompt));
	add_zoom(f, ZOOM_PART);
	f->n -= !*f->part;
	return changed(b);
}

static int set_limit(struct browser *b)
{
	double limit;

	if (!str_double(sv_from(b->list.prompt), &limit) || limit < 0 || limit > 100) {
		list_say(&b->list, "no percentage");
		return 0;
	}
	b->report->want->percent_limit = limit;
	return changed(b);
}

static int toggle(struct browser *b, bool *what)
{
	*what = !*what;
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

static int order_by(struct browser *b, size_t event)
{
	if (event >= b->page.n) {
		list_say(&b->list, "there is no such event beside the first one");
		return 0;
	}
	b->by = event;
	return changed(b);
}

/* --- texts --- */

static int show_help(struct browser *b)
{
	struct out *o = text_view_begin(&b->text, "Keys");

	packed_need();
	out_str(o, help);
	code_keys_help(o);
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
	struct mem_out m;
	int r;

	mem_out_init(&m);
	r = write_rows(b, &m.out);
	mem_out_str(&m);
	if (!r)
		list_save(&b->list, b->c->sys, SAVED, (struct sv){ m.v, m.n });
	mem_out_deinit(&m);
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

static void with_dsos(struct browser *b)
{
	b->with_dsos = !b->with_dsos;
	for (size_t i = 0; i < b->page.n; i++)
		b->page.views[i].with_dsos = b->with_dsos;
	if (b->page.views->chains.graph == GRAPH_NONE)
		list_say(&b->list, "there are no call chains: sonde record -g");
}

/* --- keys --- */

static int begin_typing(struct browser *b, int state)
{
	b->state = state;
	list_begin_typing(&b->list);
	return 0;
}

/* Keys that change which rows are shown, or their order. */
static int choose(struct browser *b, int key)
{
	switch (key) {
	case 'd':
		return zoom(b, ZOOM_DSO);
	case 't':
		return zoom(b, ZOOM_THREAD);
	case 'S':
		return zoom(b, ZOOM_SOCKET);
	case KEY_LEFT:
	case KEY_ESCAPE:
		return zoom_out(b);
	case '/':
		return begin_typing(b, BROWSE_TYPES_PART);
	case 'L':
		return begin_typing(b, BROWSE_TYPES_LIMIT);
	case 'K':
		return toggle(b, &b->filter.no_kernel);
	case 'U':
		return toggle(b, &b->filter.no_user);
	case 'F':
		b->filter.relative = !b->filter.relative;
		return page_choose(b);
	case 'r':
		list_say(&b->list, "scripts read what sonde script prints");
		return 0;
	case 's':
		list_say(&b->list, "another recording: sonde report -i FILE; two, row by row: sonde diff");
		return 0;
	}
	if (key >= '0' && key <= '9')
		return order_by(b, (size_t)(key - '0'));
	list_say(&b->list, "no such key; ? shows them");
	return 0;
}

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
	case 'V':
		with_dsos(b);
		return 0;
	case 'H':
		b->no_heads = !b->no_heads;
		return 0;
	case KEY_TAB:
		return next_event(b, 1);
	case KEY_BACK_TAB:
		return next_event(b, -1);
	case 'a':
		return browse_code(b);
	case 'i':
		return show_header(b);
	case 'P':
		return save(b);
	case 'h':
	case '?':
	case 'm':
	case KEY_F1:
		return show_help(b);
	}
	return choose(b, key);
}

static int type(struct browser *b, int key)
{
	enum list_typed r = key == KEY_CLOSED ? LIST_GIVES_UP : list_type(&b->list, key);
	bool part = b->state == BROWSE_TYPES_PART;

	b->over |= key == KEY_CLOSED;
	if (r != LIST_TYPES)
		b->state = BROWSE_LOOKS;
	return r != LIST_DONE ? 0 : part ? choose_part(b) : set_limit(b);
}

int browse_keys(struct browser *b)
{
	int key, r = 0;

	while (!r && !b->over && (key = screen_key(&b->screen)) != KEY_NONE) {
		size_t around = browse_around(b), room = b->screen.rows > around ? b->screen.rows - around : 1;

		*b->list.told = '\0';
		if (b->state != BROWSE_LOOKS)
			r = type(b, key);
		else if (b->text.is_shown)
			r = browse_text_key(b, key);
		else if (!list_move(&b->list, key == ' ' ? KEY_PAGE_DOWN : key, room > 1 ? room - 1 : 1))
			r = act(b, key);
		/* Scroll before the next key, which refers to the lines that are shown then. */
		list_scroll(&b->list, b->page.lines.n, room);
	}
	return r;
}
