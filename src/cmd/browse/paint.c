/* paint.c - paints the screen: two lines of heads, as many lines of the list as fit, a foot with state and keys. */
#include "cmd/browse/browse.h"

#include "cmd/annotate/code_keys.h"
#include "show/text.h"

static void text_init(struct mem_out *m, const struct browser *b)
{
	mem_out_init(m);
	m->out.terminal = true;
	m->out.color = b->c->out->color;
}

static void put(struct browser *b, struct mem_out *m, bool reverse)
{
	mem_out_str(m);
	screen_line(&b->screen, b->c->out, (struct sv){ m->v, m->n }, reverse);
	mem_out_deinit(m);
}

/* The first lines of the text: "# Samples: ...", "# Event count ...". */
static void put_counts(const struct browser *b, struct out *o)
{
	struct mem_out m;
	struct sv text, line;

	text_init(&m, b);
	report_count_line(b->page.views, &b->page.rows, &m.out);
	text = sv_from(mem_out_str(&m));
	for (unsigned i = 0; i < 2 && sv_cut(&text, '\n', &line); i++) {
		out_str(o, i ? ", " : "");
		out_sv(o, (struct sv){ line.s + MIN(line.n, 2u), line.n - MIN(line.n, 2u) });
	}
	mem_out_deinit(&m);
}

/* The filters come first, where any terminal has room for them. */
static void put_zooms(const struct browser *b, struct out *o)
{
	const struct browse_filter *f = &b->filter;

	out_str(o, f->no_kernel ? "no kernel  " : "");
	out_str(o, f->no_user ? "no programs  " : "");
	for (size_t i = 0; i < f->n; i++) {
		if (f->by[i] == ZOOM_DSO)
			out_printf(o, "DSO: %s", f->dso_short);
		else if (f->by[i] == ZOOM_PART)
			out_printf(o, "with: %s", f->part);
		else if (f->by[i] == ZOOM_SOCKET)
			out_printf(o, "socket: %d", (int)f->socket);
		else
			out_printf(o, "thread: %s", f->thread.comm);
		if (f->by[i] == ZOOM_THREAD && (f->thread.tid || f->thread.pid))
			out_printf(o, "(%u)", f->thread.tid ? f->thread.tid : f->thread.pid);
		out_str(o, "  ");
	}
}

static void put_heads(struct browser *b)
{
	struct browse_page *p = &b->page;
	struct mem_out m;
	struct sv text, line;

	text_init(&m, b);
	put_zooms(b, &m.out);
	put_counts(b, &m.out);
	put(b, &m, false);
	if (b->no_heads)
		return;
	text_init(&m, b);
	report_column_heads(p->views, &p->layout, &m.out);
	text = sv_from(mem_out_str(&m));
	sv_cut(&text, '\n', &line);
	/* Replace the '#' of the comment by a blank: this is the column of the fold signs. */
	if (line.n)
		m.v[0] = ' ';
	screen_line(&b->screen, b->c->out, line, false);
	mem_out_deinit(&m);
}

static char sign_of(const struct browse_page *p, const struct browse_line *l)
{
	const struct browse_fold *f = unfold_find(p, page_row(p, l));

	if (!l->node)
		return p->views->chains.graph == GRAPH_NONE || *page_row(p, l) == HIST_NO_ROW ? ' ' :
		       f && f->shown ? '-' : '+';
	if (l->runs_on || !f->tree[l->node].child)
		return ' ';
	return f->open[l->node] ? '-' : '+';
}

static void put_node(const struct browser *b, const struct browse_line *l, struct out *o)
{
	const struct browse_page *p = &b->page;
	const struct browse_fold *f = unfold_find(p, page_row(p, l));
	const struct tree_node *n = &f->tree[l->node];
	bool alone = l->runs_on || (l->node == f->tree[0].child && !n->next && n->weight == f->tree[0].weight);

	out_fill(o, ' ', 3 + 3 * (size_t)l->depth);
	out_char(o, sign_of(p, l));
	out_char(o, ' ');
	if (!alone) {
		text_percent(o, report_percent(p->views, n->weight), 0);
		out_char(o, ' ');
	}
	text_put(o, sv_from(n->label), TEXT_ALL, TEXT_PLAIN);
	if (!b->with_dsos)
		return;
	out_char(o, ' ');
	text_put(o, sv_from(b->report->profile.frames.v.v[f->frame[l->node]].dso_short), TEXT_ALL, TEXT_PLAIN);
}

static void put_one(struct browser *b, size_t i)
{
	const struct browse_page *p = &b->page;
	const struct browse_line *l = &p->lines.v[i];
	struct mem_out m;

	text_init(&m, b);
	if (l->node) {
		put_node(b, l, &m.out);
	} else {
		report_put_row(p->views, page_row(p, l), p->n, &p->layout, &m.out);
		mem_out_str(&m);
		/* Put the sign into the first column, which is blank; and drop the new line at the end. */
		if (m.n) {
			m.v[0] = sign_of(p, l);
			m.n--;
		}
	}
	mem_out_str(&m);
	screen_line(&b->screen, b->c->out, (struct sv){ m.v, m.n }, i == b->list.selected);
	mem_out_deinit(&m);
}

static void put_list(struct browser *b, size_t room)
{
	put_heads(b);
	list_scroll(&b->list, b->page.lines.n, room);
	for (size_t i = b->list.first; i < b->page.lines.n && i - b->list.first < room; i++)
		put_one(b, i);
}

static const char *text_keys(const struct browser *b)
{
	if (!b->code.sym || b->under.is_shown)
		return "q back  / search  n next";
	return code_keys_foot(&b->text, b->report->session,
			      "q back  h keys  / search  n next  H hottest  Enter jump  s source");
}

static void put_foot(struct browser *b)
{
	const struct list_view *w = &b->list;
	size_t n = b->page.lines.n;
	struct mem_out m;

	text_init(&m, b);
	if (b->text.is_shown)
		text_view_foot(&b->text, text_keys(b), &m.out);
	else if (b->state != BROWSE_LOOKS)
		out_printf(&m.out, "%s: %s_", b->state == BROWSE_TYPES_PART ? "functions with" : "percent", w->prompt);
	else
		out_printf(&m.out, "%zu/%zu  %s%s", n ? w->selected + 1 : 0, n,
			   b->filter.relative ? "(of what is chosen)  " : "",
			   *w->told ? w->told : "? help  q end  + callers  a code  d DSO  t thread  / name");
	mem_out_str(&m);
	screen_foot(&b->screen, b->c->out, (struct sv){ m.v, m.n });
	mem_out_deinit(&m);
}

int browse_paint(struct browser *b)
{
	size_t around = b->text.is_shown ? LIST_AROUND : browse_around(b), room;

	screen_size(&b->screen);
	room = b->screen.rows > around ? b->screen.rows - around : 0;
	screen_home(&b->screen);
	if (b->text.is_shown)
		text_view_paint(&b->text, &b->form, &b->screen, b->c->out, room);
	else
		put_list(b, room);
	put_foot(b);
	out_flush(b->c->out);
	return b->c->out->error;
}
