/* paint.c - paints the screen: a head, as many rows as fit, a foot with state and keys. */
#include "cmd/top/top.h"

#include "base/packed.h"
#include "cmd/annotate/code_keys.h"
#include "cmd/report/text.h"
#include "show/text.h"

static const char *const help = PACKED(
	"  up down j k     choose a row; PgUp PgDn Home End\n"
	"  a               its function's instructions, with the share of each; q: back\n"
	"  Enter + e       its callers, with -g; again: no more. Without -g: as a\n"
	"  E C             all rows' callers; none\n"
	"  d t S           only rows of its file, of its thread or command, its socket\n"
	"  /               only functions with a text in their name\n"
	"  Esc             all rows again\n"
	"  K U             without rows of the kernel, of programs; again: with them\n"
	"  L c             no rows lighter than so many percent, of fewer samples\n"
	"  F               percentages of what is chosen; again: of all\n"
	"  Tab 0 to 9      of events side by side the next one, this one in front\n"
	"  s               tell apart by other keys: sym, dso, comm, pid, cpu\n"
	"  H V             heads of columns, or none; callers with their files, or not\n"
	"  z               each by itself, without the past; again: with it\n"
	"  i               so many seconds until the next\n"
	"  p space         hold what is shown; again: go on\n"
	"  f               take no samples, and hold what is shown; again: go on\n"
	"  P               all rows into sonde-top.txt\n"
	"  h ? m F1        this page\n"
	"  q               end\n");

/* A text for the terminal, with colours. */
static void text_init(struct mem_out *m, const struct top *t)
{
	mem_out_init(m);
	m->out.terminal = true;
	m->out.color = t->c->out->color;
}

/* Paint the line of a row, and its callers' lines below it. */
static void put_lines(struct top *t, struct sv text, bool selected, size_t *room)
{
	struct sv line;
	bool first = true;

	while (*room && sv_cut(&text, '\n', &line)) {
		if (!line.n && !text.n)
			break;
		screen_line(&t->screen, t->c->out, line, selected && first);
		first = false;
		(*room)--;
	}
}

static bool is_open(const struct top *t, const uint32_t *row)
{
	const struct hist_row *r = *row == HIST_NO_ROW ? NULL : &t->shot.hist[0].rows.v[*row];

	return t->view.all_open ||
	       (t->view.open && r && r->frame == t->view.open_frame && r->group == t->view.open_group);
}

/* report_text() ends with empty lines. */
static struct sv without_end(struct mem_out *m)
{
	struct sv s = { mem_out_str(m), m->n };

	while (s.n && s.s[s.n - 1] == '\n')
		s.n--;
	return s;
}

static int put_open(struct top *t, const uint32_t *row, bool selected, size_t *room)
{
	struct report_rows one = t->shot.rows;
	struct mem_out m;
	int r;

	one.v = row;
	one.n = 1;
	text_init(&m, t);
	r = report_text(t->shot.view, &one, &m.out);
	if (!r)
		put_lines(t, without_end(&m), selected, room);
	mem_out_deinit(&m);
	return r;
}

static void put_column_heads(struct top *t, const struct report_view *v, const struct report_rows *rows)
{
	struct report_layout l = report_layout_of(v, rows);
	struct mem_out m;
	struct sv text, line;

	text_init(&m, t);
	report_column_heads(v, &l, &m.out);
	text = sv_from(mem_out_str(&m));
	/* Replace the '#' of the comment by a blank. */
	if (sv_cut(&text, '\n', &line) && line.n) {
		m.v[0] = ' ';
		screen_line(&t->screen, t->c->out, line, false);
	}
	mem_out_deinit(&m);
}

/* Make all rows at once, for a column is as wide as its widest value. */
static int put_rows(struct top *t, const uint32_t *v, size_t n, size_t room)
{
	struct report_view flat[TOP_EVENTS];
	struct report_rows rows = t->shot.rows;
	struct mem_out m;
	struct sv text, line;
	int r;

	memcpy(flat, t->shot.view, sizeof(flat));
	for (size_t i = 0; i < t->n_events; i++)
		flat[i].chains.graph = GRAPH_NONE;
	rows.v = v + t->view.list.first * rows.n_events;
	rows.n = MIN(n - t->view.list.first, room);
	if (t->view.heads)
		put_column_heads(t, flat, &rows);
	text_init(&m, t);
	r = report_text(flat, &rows, &m.out);
	text = without_end(&m);
	for (size_t i = t->view.list.first; !r && room && sv_cut(&text, '\n', &line); i++) {
		const uint32_t *row = v + i * rows.n_events;

		if (is_open(t, row))
			r = put_open(t, row, i == t->view.list.selected, &room);
		else
			put_lines(t, line, i == t->view.list.selected, &room);
	}
	mem_out_deinit(&m);
	return r;
}

/* The share of programs is what the kernel's leaves: if the line is too long, leave it out. */
static void put_head(struct top *t)
{
	struct mem_out m;

	text_init(&m, t);
	top_head(t, &m.out, true);
	mem_out_str(&m);
	if (m.n > t->screen.columns) {
		mem_out_deinit(&m);
		text_init(&m, t);
		top_head(t, &m.out, false);
		mem_out_str(&m);
	}
	screen_line(&t->screen, t->c->out, (struct sv){ m.v, m.n }, false);
	mem_out_deinit(&m);
}

static void put_foot(struct top *t)
{
	static const char *const typed[] = {
		[TOP_TYPES_PART] = "functions with", [TOP_TYPES_DELAY] = "seconds", [TOP_TYPES_LIMIT] = "percent",
		[TOP_TYPES_LEAST] = "samples", [TOP_HELPS] = NULL,
	};
	const struct top_view *w = &t->view;
	const char *what = typed[w->state];
	struct mem_out m;

	text_init(&m, t);
	if (what)
		out_printf(&m.out, "%s: %.*s_", what, (int)w->list.typed, w->list.prompt);
	else
		out_printf(&m.out, "q end  ? keys  %s%s%s%s%s%s%s%s%s%sthis itself: %.2f %% of a CPU%s%s",
			   w->list.told, *w->list.told ? "  " : "",
			   w->stopped ? "STOPPED  " : w->paused ? "HELD  " : "", w->relative ? "of these  " : "",
			   w->dso ? w->dso : "", w->dso ? "  " : "",
			   w->by_thread ? w->like.comm : "", w->by_thread ? "  " : "",
			   w->part, *w->part ? "  " : "", t->own,
			   t->forgotten ? "  (too much to keep: began anew)" : "",
			   t->given_back ? "  (symbols of files were given back)" : "");
	mem_out_str(&m);
	screen_foot(&t->screen, t->c->out, (struct sv){ m.v, m.n });
	mem_out_deinit(&m);
}

static void put_help(struct top *t)
{
	struct sv text, line;
	struct mem_out m;

	packed_need();
	mem_out_init(&m);
	code_keys_help(&m.out);
	text = sv_from(t->code.is_open ? mem_out_str(&m) : help);
	for (size_t i = 0; sv_cut(&text, '\n', &line) && i + LIST_AROUND < t->screen.rows; i++)
		screen_line(&t->screen, t->c->out, line, false);
	mem_out_deinit(&m);
}

int top_paint(struct top *t)
{
	struct out *o = t->c->out;
	uint32_t *v = NULL;
	size_t room;
	long n = 0;
	int r = 0;

	screen_size(&t->screen);
	room = t->screen.rows > LIST_AROUND ? t->screen.rows - LIST_AROUND : 0;
	if (t->code.is_open && t->view.state != TOP_HELPS) {
		screen_home(&t->screen);
		top_code_paint(t, room);
		out_flush(o);
		return 0;
	}
	if (t->shot.is_there)
		n = top_choose(t, &v);
	if (n < 0)
		return (int)n;
	room -= t->view.heads && room;
	list_scroll(&t->view.list, (size_t)n, room);
	screen_home(&t->screen);
	put_head(t);
	if (t->view.state == TOP_HELPS)
		put_help(t);
	else if (n && room)
		r = put_rows(t, v, (size_t)n, room);
	put_foot(t);
	out_flush(o);
	free(v);
	return r;
}
