/* keys.c - what keys do. */
#include "cmd/top/top.h"

#include "cmd/report/text.h"
#include "sys/output.h"

#include <fcntl.h>

#define NS_PER_S UINT64_C(1000000000)
#define SAVED "sonde-top.txt"

static const char *const sorts[] = { NULL, "sym", "dso", "comm", "pid", "cpu" };

/* The number that the selected row has in the first event; HIST_NO_ROW: it has none there, or no row is selected. */
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

/* The selected row, of the first event that has it; NULL: no row is selected. */
static const struct hist_row *chosen(struct top *t)
{
	const struct hist_row *r = NULL;
	uint32_t *v = NULL;
	long n = t->shot.is_there ? top_choose(t, &v) : 0;
	size_t of;

	if (n > 0 && t->view.list.selected < (size_t)n)
		r = top_row(t, v + t->view.list.selected * t->shot.rows.n_events, &of);
	free(v);
	return r;
}

/* Show the instructions of the selected row's function. */
static int look_at_code(struct top *t)
{
	const struct hist_row *r = chosen(t);
	const struct hist_frame *f = r ? &t->profile.frames.v.v[r->frame] : NULL;

	if (f && f->sym && report_keys(&t->cols) & HIST_SYM)
		return top_code_open(t, f);
	list_say(&t->view.list, f && f->sym ? "rows are not told apart by function: s" :
		 "the row has no function with a name");
	return 0;
}

static void zoom(struct top *t, int key)
{
	struct top_view *w = &t->view;
	const struct hist_row *r = chosen(t);
	unsigned keys = report_keys(&t->cols);

	if (key == 't' && !(keys & (HIST_COMM | HIST_PID | HIST_TID))) {
		list_say(&w->list, "rows are not told apart by thread, process or command: s");
		return;
	}
	if (key == 'S' && !(keys & HIST_SOCKET)) {
		list_say(&w->list, "rows are not told apart by socket: sonde top -s socket,sym");
		return;
	}
	if (!r)
		return;
	if (key == 'd')
		w->dso = t->profile.frames.v.v[r->frame].dso;
	else
		w->like = t->profile.groups.v[r->group];
	w->by_thread |= key == 't';
	w->by_socket |= key == 'S';
	w->list.selected = 0;
}

static void all_rows(struct top_view *w)
{
	w->dso = NULL;
	w->by_thread = w->by_socket = false;
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
	list_say(&t->view.list, output_end(&file, &text) ? SAVED " could not be written" : SAVED " has all rows");
}

/* What was sampled so far is grouped by other keys: begin anew. */
static int sort_anew(struct top *t, struct err *e)
{
	const char *first = t->want->sort ? t->want->sort : "dso,sym";

	t->view.sort = (t->view.sort + 1) % ARRAY_SIZE(sorts);
	t->report.sort = sorts[t->view.sort] ? sorts[t->view.sort] : first;
	t->report.fields = t->view.sort ? NULL : t->want->fields;
	top_end(t);
	t->shown = 0;
	t->view.open = false;
	all_rows(&t->view);
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

static void set_least(struct top *t)
{
	uint64_t n;

	if (str_u64(sv_from(t->view.list.prompt), 10, &n))
		t->want->rows.least = n;
	else
		list_say(&t->view.list, "no number of samples");
}

/* Stop sampling, so that nothing disturbs what is looked at, or go on; side records are still followed. */
static void stop(struct top *t)
{
	struct feed_live *l = &t->feed.live;

	t->view.stopped = !t->view.stopped;
	if (t->view.stopped)
		recording_suspend(&l->rec, l->tracker);
	else
		recording_enable(&l->rec, RECORDING_SAMPLING, l->tracker);
}

static int lead(struct top *t, size_t event)
{
	if (event < t->n_events && t->shot.is_there)
		return top_lead(t, event);
	list_say(&t->view.list, "there is no such event beside the first one: -e takes several");
	return 0;
}

static void type(struct top *t, int key)
{
	struct top_view *w = &t->view;
	enum list_typed r = list_type(&w->list, key);

	if (r == LIST_DONE && w->state == TOP_TYPES_DELAY)
		set_delay(t);
	else if (r == LIST_DONE && w->state == TOP_TYPES_LIMIT)
		set_limit(t);
	else if (r == LIST_DONE && w->state == TOP_TYPES_LEAST)
		set_least(t);
	else if (r == LIST_DONE)
		str_copy(w->part, sizeof(w->part), sv_from(w->list.prompt));
	if (r != LIST_TYPES)
		w->state = TOP_LOOKS;
}

/* Keys that change how rows look, or which are shown. */
static int show(struct top *t, int key)
{
	struct top_view *w = &t->view;

	switch (key) {
	case 'E':
		open_all(t);
		return 0;
	case 'C':
		w->all_open = w->open = false;
		return 0;
	case 'F':
		w->relative = !w->relative;
		return 0;
	case 'H':
		w->heads = !w->heads;
		return 0;
	case 'V':
		w->with_dsos = !w->with_dsos;
		for (size_t i = 0; i < t->n_events; i++)
			t->shot.view[i].with_dsos = w->with_dsos;
		if (!t->want->graph.on)
			list_say(&w->list, "there are no callers: -g takes them");
		return 0;
	case 'd':
	case 't':
	case 'S':
		zoom(t, key);
		return 0;
	case KEY_ESCAPE:
		all_rows(w);
		return 0;
	case 'K':
		w->no_kernel = !w->no_kernel;
		return 0;
	case 'U':
		w->no_user = !w->no_user;
		return 0;
	case KEY_TAB:
		return lead(t, 1);
	case KEY_BACK_TAB:
		return lead(t, t->n_events - (t->n_events > 1));
	}
	if (key >= '0' && key <= '9')
		return lead(t, (size_t)(key - '0'));
	list_say(&w->list, "no such key");
	return 0;
}

static int act(struct top *t, int key, struct err *e)
{
	struct top_view *w = &t->view;

	switch (key) {
	case 'q':
	case 'Q':
	case KEY_CLOSED:
		t->over = true;
		return 0;
	case 'a':
		return look_at_code(t) ? err_nomem(e) : 0;
	case KEY_ENTER:
	case '+':
	case 'e':
		if (!t->want->graph.on)
			return look_at_code(t) ? err_nomem(e) : 0;
		open_row(t);
		return 0;
	case 'L':
		begin_typing(w, TOP_TYPES_LIMIT);
		return 0;
	case 'c':
		begin_typing(w, TOP_TYPES_LEAST);
		return 0;
	case '/':
		begin_typing(w, TOP_TYPES_PART);
		return 0;
	case 'i':
		begin_typing(w, TOP_TYPES_DELAY);
		return 0;
	case 'z':
		w->zero = !w->zero;
		list_say(&t->view.list, w->zero ? "each by itself" : "with the past");
		return 0;
	case 'p':
	case ' ':
		w->paused = !w->paused;
		return 0;
	case 'f':
		stop(t);
		return 0;
	case 'P':
		save(t);
		return 0;
	case 's':
		return sort_anew(t, e);
	case 'h':
	case '?':
	case 'm':
	case KEY_F1:
		w->state = TOP_HELPS;
		return 0;
	}
	return show(t, key) ? err_nomem(e) : 0;
}

int top_keys(struct top *t, struct err *e)
{
	size_t page = t->screen.rows > LIST_AROUND + 1 ? t->screen.rows - LIST_AROUND - 1 : 1;
	bool any = false;
	int key, r = 0;

	while (!r && !t->over && (key = screen_key(&t->screen)) != KEY_NONE) {
		any = true;
		*t->view.list.told = '\0';
		if (t->view.state == TOP_HELPS)
			t->view.state = TOP_LOOKS;
		else if (t->code.is_open)
			r = top_code_key(t, key) ? err_nomem(e) : 0;
		else if (t->view.state != TOP_LOOKS)
			type(t, key);
		else if (!list_move(&t->view.list, key, page))
			r = act(t, key, e);
	}
	/* There was input, but no key: the terminal's other end has gone. */
	if (!any)
		t->over = true;
	if (r || t->over)
		return r;
	return top_paint(t) ? err_nomem(e) : 0;
}
