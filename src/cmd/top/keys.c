/* keys.c - what keys do. */
#include "cmd/top/top.h"

#include "cmd/report_text.h"
#include "sys/output.h"

#include <fcntl.h>

#define NS_PER_S UINT64_C(1000000000)
#define SAVED "sonde-top.txt"

static const char *const sorts[] = { NULL, "sym", "dso", "comm", "pid", "cpu" };

/* The chosen row: its first event's number; HIST_NO_ROW: it has none, or there is no row. */
static uint32_t chosen_row(struct top *t)
{
	uint32_t *v = NULL, row = HIST_NO_ROW;
	long n = t->shot.is_there ? top_choose(t, &v) : 0;

	if (n > 0 && t->view.list.selected < (size_t)n)
		row = v[t->view.list.selected * t->shot.rows.n_events];
	free(v);
	return row;
}

static void open_row(struct top *t)
{
	struct top_view *w = &t->view;
	uint32_t row = chosen_row(t);
	const struct hist_row *r = row == HIST_NO_ROW ? NULL : &t->shot.hist[0].rows.v[row];

	if (!r)
		return;
	w->open = !w->all_open && !(w->open && w->open_frame == r->frame && w->open_group == r->group);
	w->all_open = false;
	w->open_frame = r->frame;
	w->open_group = r->group;
}

/* That of the chosen row, of whichever event has it; NULL: there is no row. */
static const struct hist_frame *chosen_frame(struct top *t)
{
	const struct hist_frame *f = NULL;
	uint32_t *v = NULL;
	long n = t->shot.is_there ? top_choose(t, &v) : 0;

	if (n > 0 && t->view.list.selected < (size_t)n) {
		const uint32_t *row = v + t->view.list.selected * t->shot.rows.n_events;
		size_t has = report_has(row);

		f = &t->profile.frames.v.v[t->shot.hist[has].rows.v[row[has]].frame];
	}
	free(v);
	return f;
}

/* The instructions of the row's function. */
static int look_at_code(struct top *t)
{
	const struct hist_frame *f = chosen_frame(t);

	if (f && f->sym && report_keys(&t->cols) & HIST_SYM)
		return top_code_open(t, f);
	list_say(&t->view.list, f && f->sym ? "rows are not told apart by function: s" :
		 "the row has no function with a name");
	return 0;
}

static void zoom(struct top *t)
{
	uint32_t row = chosen_row(t);

	if (row != HIST_NO_ROW)
		t->view.dso = t->profile.frames.v.v[t->shot.hist[0].rows.v[row].frame].dso;
	t->view.list.selected = 0;
}

static void all_rows(struct top_view *w)
{
	w->dso = NULL;
	*w->part = '\0';
}

static void save(struct top *t)
{
	struct out *before = t->c->out, text;
	struct output file;
	char buf[8192];
	struct err e = { 0 };
	uint64_t entries = t->want->rows.entries;

	if (output_open(&file, t->c->sys, SAVED, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, &e)) {
		list_say(&t->view.list, e.text);
		return;
	}
	output_text(&file, &text, buf, sizeof(buf));
	t->c->out = &text;
	t->want->rows.entries = UINT64_MAX;
	if (t->shot.is_there && top_print(t))
		text.error = -ENOMEM;
	t->want->rows.entries = entries;
	t->c->out = before;
	out_end(&text);
	if (text.error)
		output_discard(&file);
	else
		output_close(&file);
	list_say(&t->view.list, text.error ? SAVED " could not be written" : SAVED " has all rows");
}

/* What is known was told apart by other keys. */
static int sort_anew(struct top *t, struct err *e)
{
	const char *first = t->want->sort ? t->want->sort : "dso,sym";

	t->view.sort = (t->view.sort + 1) % ARRAY_SIZE(sorts);
	t->report.sort = sorts[t->view.sort] ? sorts[t->view.sort] : first;
	t->report.fields = t->view.sort ? NULL : t->want->fields;
	top_end(t);
	t->shown = 0;
	t->view.open = false;
	t->view.dso = NULL;
	list_say(&t->view.list, t->report.sort);
	return top_begin(t, e);
}

static void begin_typing(struct top_view *w, int state)
{
	w->state = state;
	list_begin_typing(&w->list);
}

static void set_delay(struct top *t)
{
	uint64_t ns;

	if (!str_time(sv_from(t->view.list.prompt), NS_PER_S, &ns) || ns < NS_PER_S / 100) {
		list_say(&t->view.list, "no time: a number of seconds, 0.01 at least");
		return;
	}
	t->delay_ns = ns;
	t->feed_want.sweep_ms = top_sweep_ms(ns);
	loop_every(&t->feed.live.loop, t->feed.live.loop.now, ns);
}

static void open_all(struct top *t)
{
	t->view.all_open = t->want->graph.on;
	if (!t->want->graph.on)
		list_say(&t->view.list, "there are no callers: -g takes them");
}

static void set_limit(struct top *t)
{
	uint64_t millionths;

	if (!str_time(sv_from(t->view.list.prompt), 1000000, &millionths) || millionths > 100 * 1000000)
		list_say(&t->view.list, "no percentage");
	else
		t->want->percent_limit = (double)millionths / 1000000;
}

static void type(struct top *t, int key)
{
	struct top_view *w = &t->view;
	enum list_typed r = list_type(&w->list, key);

	if (r == LIST_DONE && w->state == TOP_TYPES_DELAY)
		set_delay(t);
	else if (r == LIST_DONE && w->state == TOP_TYPES_LIMIT)
		set_limit(t);
	else if (r == LIST_DONE)
		str_copy(w->part, sizeof(w->part), sv_from(w->list.prompt));
	if (r != LIST_TYPES)
		w->state = TOP_LOOKS;
}

static int act(struct top *t, int key, struct err *e)
{
	struct top_view *w = &t->view;

	switch (key) {
	case 'q':
	case 'Q':
	case KEY_CLOSED:
		t->over = true;
		break;
	case 'a':
		return look_at_code(t) ? err_nomem(e) : 0;
	case KEY_ENTER:
	case '+':
	case 'e':
		if (!t->want->graph.on)
			return look_at_code(t) ? err_nomem(e) : 0;
		open_row(t);
		break;
	case 'E':
		open_all(t);
		break;
	case 'C':
		w->all_open = w->open = false;
		break;
	case 'L':
		begin_typing(w, TOP_TYPES_LIMIT);
		break;
	case 'd':
		zoom(t);
		break;
	case KEY_ESCAPE:
		all_rows(w);
		break;
	case '/':
		begin_typing(w, TOP_TYPES_PART);
		break;
	case 'i':
		begin_typing(w, TOP_TYPES_DELAY);
		break;
	case 'K':
		w->no_kernel = !w->no_kernel;
		break;
	case 'U':
		w->no_user = !w->no_user;
		break;
	case 'z':
		w->zero = !w->zero;
		list_say(&t->view.list, w->zero ? "each by itself" : "with the past");
		break;
	case 'p':
	case ' ':
		w->paused = !w->paused;
		break;
	case 'P':
		save(t);
		break;
	case 's':
		return sort_anew(t, e);
	case 'h':
	case '?':
		w->state = TOP_HELPS;
		break;
	default:
		list_say(&w->list, "no such key");
	}
	return 0;
}

int top_keys(struct top *t, struct err *e)
{
	size_t page = t->screen.rows > LIST_AROUND + 1 ? t->screen.rows - LIST_AROUND - 1 : 1;
	bool any = false;
	int key, r = 0;

	while (!r && !t->over && (key = screen_key(&t->screen)) != KEY_NONE) {
		any = true;
		*t->view.list.told = '\0';
		if (t->code.is_open)
			r = top_code_key(t, key) ? err_nomem(e) : 0;
		else if (t->view.state == TOP_HELPS)
			t->view.state = TOP_LOOKS;
		else if (t->view.state != TOP_LOOKS)
			type(t, key);
		else if (!list_move(&t->view.list, key, page))
			r = act(t, key, e);
	}
	/* There was something, and it is nothing: the other end has gone. */
	if (!any)
		t->over = true;
	if (r || t->over)
		return r;
	return top_paint(t) ? err_nomem(e) : 0;
}
