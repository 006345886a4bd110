/*
 * code.c - the instructions of one function with their current shares. Samples are added up by address from when the
 * function is shown, and decay as the rows do; nothing is known of samples before.
 */
#include "cmd/top/top.h"

#include "cmd/annotate/code_keys.h"
#include "perf/attr.h"

/* Addresses with samples that are kept for a function; further ones are dropped. */
enum { PLACES_MAX = 1 << 15 };

/* Bytes of the function that are shown: a symbol table may give it any size. */
enum { BYTES_MAX = 1 << 18 };

static struct top_func *looked_at(const struct top_code *c)
{
	return &c->funcs.v[c->funcs.n - 1];
}

const char *top_code_dso(const struct top *t)
{
	return t->code.is_open ? looked_at(&t->code)->dso : NULL;
}

static bool is_of(const struct sym_loc *l, const struct top_func *f)
{
	return (f->dso ? l->dso == f->dso : l->kernel == f->kernel) && l->sym && !strcmp(l->sym, f->sym);
}

int top_code_take(struct top *t, const struct hit *h)
{
	struct top_code *c = &t->code;
	struct resolver *r = t->feed.session.resolver;
	struct resolver_spaces in = resolver_spaces(r, h->sample->pid, h->sample->time);
	const struct sym_loc *l = resolver_find_in(r, &in, h->sample->cpumode, h->sample->ip);
	size_t event = session_event_index(&t->feed.session, h->perf);

	if (!l)
		return -ENOMEM;
	if (is_of(l, looked_at(c))) {
		/* The first sample decides on the dso, if none was given: the symbols of one file only are kept. */
		looked_at(c)->dso = l->dso;
		if (c->hits.places.n < PLACES_MAX)
			return hits_add(&c->hits, l, event, h->sample->period);
		c->dropped++;
	}
	hits_pass(&c->hits, event, h->sample->period);
	return 0;
}

/* Show the last function of the stack; its samples count from now on. */
static int look(struct top *t)
{
	struct top_code *c = &t->code;

	hits_deinit(&c->hits);
	c->dropped = 0;
	c->follows = true;
	if (hits_init(&c->hits, t->feed.session.head->events.n, t->feed.session.arch))
		return -ENOMEM;
	return top_code_shoot(t);
}

static int add(struct top_code *c, const char *dso, const char *sym, bool kernel)
{
	struct top_func *new = vec_add(&c->funcs);

	if (!new)
		return -ENOMEM;
	*new = (struct top_func){ .dso = dso, .kernel = kernel, .sym = strdup(sym) };
	return new->sym ? 0 : -ENOMEM;
}

int top_code_open(struct top *t, const struct hist_frame *f)
{
	struct top_code *c = &t->code;

	top_code_close(t);
	c->is_open = true;
	c->show = (struct annotate_show){ .no_source = !t->want->code.source, .raw = t->want->code.raw };
	return add(c, f->dso, f->sym, f->kernel) ? -ENOMEM : look(t);
}

void top_code_close(struct top *t)
{
	struct top_code *c = &t->code;

	if (!c->is_open)
		return;
	text_view_close(&c->text);
	hits_deinit(&c->hits);
	for (size_t i = 0; i < c->funcs.n; i++)
		free(c->funcs.v[i].sym);
	vec_free(&c->funcs);
	*c = (struct top_code){ 0 };
}

/* Show a callee. It may be in another file if it is kernel code, or is called through a stub (then `near` is false). */
static int follow(struct top *t, const char *name, bool near)
{
	const struct top_func *from = looked_at(&t->code);

	text_view_close(&t->code.text);
	return add(&t->code, near && !from->kernel ? from->dso : NULL, name, from->kernel) ? -ENOMEM : look(t);
}

/* Go back to the function before, or else to the rows. */
static int go_back(struct top *t)
{
	struct top_code *c = &t->code;

	if (c->funcs.n < 2) {
		top_code_close(t);
		return 0;
	}
	free(c->funcs.v[--c->funcs.n].sym);
	return look(t);
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
	o = text_view_again(&c->text, looked_at(c)->sym);
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
	if (!r && c->follows && c->hits.funcs.n)
		text_view_hottest(&c->text);
	return r;
}

int top_code_key(struct top *t, int key)
{
	struct top_code *c = &t->code;
	size_t page = t->screen.rows > LIST_AROUND + 1 ? t->screen.rows - LIST_AROUND - 1 : 1;
	char name[LISTING_NAME];
	bool near;

	*c->text.list.told = '\0';
	if (text_view_calls(&c->text, key, name, sizeof(name), &near))
		return follow(t, name, near);
	if (!c->text.typing && (key == 'H' || code_keys_show(&c->show, key))) {
		c->follows |= key == 'H';
		return top_code_shoot(t);
	}
	if (!c->text.typing && (key == 'h' || key == KEY_F1))
		t->view.state = TOP_HELPS;
	else if (!c->text.typing && key == 'f')
		t->view.paused = !t->view.paused;
	else if (!c->text.typing && code_keys_act(&c->text, &c->form, t->c->sys, key))
		return 0;
	else if (text_view_key(&c->text, key, page))
		c->follows = false;
	t->over |= key == KEY_CLOSED;
	return c->text.is_shown ? 0 : go_back(t);
}

void top_code_paint(struct top *t, size_t room)
{
	struct top_code *c = &t->code;
	struct mem_out m;

	text_view_paint(&c->text, &c->form, &t->screen, t->c->out, room);
	mem_out_init(&m);
	m.out.terminal = true;
	text_view_foot(&c->text, "q back  h keys  / search  n next  H hottest  s source  f hold", &m.out);
	if (!c->text.typing)
		out_printf(&m.out, "%s  itself: %.2f %%", t->view.paused ? "  HELD" : "", t->own);
	mem_out_str(&m);
	screen_foot(&t->screen, t->c->out, (struct sv){ m.v, m.n });
	mem_out_deinit(&m);
}
