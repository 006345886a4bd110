/*
 * code.c - the instructions of one function with their shares, as they are now. From when it was asked for its samples
 * are added up by address, and lose weight as the rows do; nothing is known of them before.
 */
#include "cmd/top/top.h"

#include "cmd/code_keys.h"
#include "perf/attr.h"

/* Of addresses of a function that samples are in: no more are kept. */
enum { PLACES_MAX = 1 << 15 };

/* Bytes of it that are shown: a table of symbols may say anything of its size. */
enum { BYTES_MAX = 1 << 18 };

int top_code_take(struct top *t, const struct hit *h)
{
	struct top_code *c = &t->code;
	struct resolver *r = t->feed.session.resolver;
	struct resolver_spaces in = resolver_spaces(r, h->sample->pid, h->sample->time);
	const struct sym_loc *l = resolver_find_in(r, &in, h->sample->cpumode, h->sample->ip);
	size_t event = session_event_index(&t->feed.session, h->perf);

	if (!l)
		return -ENOMEM;
	if (l->dso == c->dso && l->sym && !strcmp(l->sym, c->sym)) {
		if (c->hits.places.n < PLACES_MAX)
			return hits_add(&c->hits, l, event, h->sample->period);
		c->dropped++;
	}
	hits_pass(&c->hits, event, h->sample->period);
	return 0;
}

int top_code_open(struct top *t, const struct hist_frame *f)
{
	struct top_code *c = &t->code;

	top_code_close(t);
	if (hits_init(&c->hits, t->feed.session.head->events.n, t->feed.session.arch))
		return -ENOMEM;
	c->dso = f->dso;
	c->sym = f->sym;
	c->is_open = c->follows = true;
	c->show = (struct annotate_show){ .no_source = !t->want->code.source, .raw = t->want->code.raw };
	return top_code_shoot(t);
}

void top_code_close(struct top *t)
{
	struct top_code *c = &t->code;

	if (!c->is_open)
		return;
	text_view_close(&c->text);
	hits_deinit(&c->hits);
	*c = (struct top_code){ 0 };
}

void top_code_fade(struct top *t, unsigned eighths)
{
	if (t->code.is_open)
		hits_fade(&t->code.hits, eighths);
}

static int write_func(struct top *t, uint32_t func, struct out *o)
{
	struct top_code *c = &t->code;
	struct sources sources = { .sys = t->c->sys };
	struct annotate_view v = {
		.show = &c->show, .hits = &c->hits, .func = func, .sources = &sources, .n_events = t->n_events,
	};
	struct func_code code;
	struct mem_out names;
	struct err why = { 0 };
	int r = code_of(&code, &t->feed.session, &c->hits.funcs.v[func], &why);

	if (r && r != -ENOMEM)
		out_printf(o, "%s%s%s\n", why.text, *why.hint ? ": " : "", why.hint);
	if (r)
		return r == -ENOMEM ? r : 0;
	mem_out_init(&names);
	memcpy(v.event, t->events, t->n_events * sizeof(*t->events));
	annotate_name_events(t->feed.session.head, v.event, v.n_events, &names.out);
	v.events = mem_out_str(&names);
	if (cur_left(&code.bytes) > BYTES_MAX) {
		out_printf(o, "the first %u bytes of it:\n", (unsigned)BYTES_MAX);
		code.bytes = cur_from(code.bytes.pos, BYTES_MAX);
	}
	v.code = &code;
	r = annotate_text(&v, o);
	mem_out_deinit(&names);
	sources_deinit(&sources);
	code_deinit(&code);
	return r;
}

int top_code_shoot(struct top *t)
{
	struct top_code *c = &t->code;
	uint32_t *order;
	struct out *o;
	int r = 0;

	if (!c->is_open)
		return 0;
	o = text_view_again(&c->text, c->sym);
	order = hits_order(&c->hits, t->events[0]);
	if (!order)
		return -ENOMEM;
	if (c->hits.funcs.n)
		r = write_func(t, order[0], o);
	else
		out_str(o, "no sample is in it so far: this looks from now on\n");
	if (c->dropped)
		out_printf(o, "%llu samples are left out: they are at more addresses than are kept\n",
			   (unsigned long long)c->dropped);
	free(order);
	r = r ? r : text_view_end(&c->text);
	if (!r && c->follows)
		text_view_hottest(&c->text);
	return r;
}

int top_code_key(struct top *t, int key)
{
	struct top_code *c = &t->code;
	size_t page = t->screen.rows > LIST_AROUND + 1 ? t->screen.rows - LIST_AROUND - 1 : 1;

	if (!c->text.typing && (key == 'H' || code_keys_show(&c->show, key))) {
		c->follows |= key == 'H';
		return top_code_shoot(t);
	}
	if (!c->text.typing && (key == 'h' || key == KEY_F1))
		t->view.state = TOP_HELPS;
	else if (!c->text.typing && key == 'f')
		t->view.paused = !t->view.paused;
	else if (!c->text.typing && code_keys_act(&c->text, t->c->sys, key))
		return 0;
	else if (text_view_key(&c->text, key, page))
		c->follows = false;
	t->over |= key == KEY_CLOSED;
	if (!c->text.is_shown)
		top_code_close(t);
	return 0;
}

void top_code_paint(struct top *t, size_t room)
{
	struct top_code *c = &t->code;
	struct mem_out m;

	text_view_paint(&c->text, &t->screen, t->c->out, room);
	mem_out_init(&m);
	m.out.terminal = true;
	text_view_foot(&c->text, "q back  h keys  / search  n next  H hottest  s source  f hold", &m.out);
	if (!c->text.typing)
		out_printf(&m.out, "%s  itself: %.2f %%", t->view.paused ? "  HELD" : "", t->own);
	mem_out_str(&m);
	screen_foot(&t->screen, t->c->out, (struct sv){ m.v, m.n });
	mem_out_deinit(&m);
}
