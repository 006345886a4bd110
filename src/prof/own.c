/* own.c - fixed events of a profiler. */
#include "prof/own.h"

int own_event(const struct tap *t, const char *const *events)
{
	for (int i = 0; events[i]; i++)
		if (!strcmp(t->label, events[i]))
			return t->spec->untraced ? -1 : i;
	return -1;
}

static int check(const struct prof *p, const char *const *events, const struct spec *s, struct err *e)
{
	bool is_one = false;

	for (size_t i = 0; events[i]; i++)
		is_one |= !strcmp(s->event, events[i]);
	if (s->key || s->role) {
		err_set(e, EINVAL, "%s: %s has its own keys, -e cannot have key= or role=", s->event,
			p->kind->cmd.name);
		return err_hint(e, "sonde prof multi-trace takes any");
	}
	if (s->untraced || is_one)
		return 0;
	err_set(e, EINVAL, "%s has no place in %s", s->event, p->kind->cmd.name);
	return err_hint(e, "to be seen between its own it is %s//untraced/", s->event);
}

static bool has(const struct prof *p, const char *event)
{
	for (size_t i = 0; i < p->specs.v.n; i++)
		if (!p->specs.v.v[i].untraced && !strcmp(p->specs.v.v[i].event, event))
			return true;
	return false;
}

int own_events(struct prof *p, const char *const *events, struct err *e)
{
	int r = 0;

	if (prof_want(p)->key) {
		err_set(e, EINVAL, "-k: %s has its own keys", p->kind->cmd.name);
		return err_hint(e, "sonde prof multi-trace takes any");
	}
	for (size_t i = 0; !r && i < p->specs.v.n; i++)
		r = check(p, events, &p->specs.v.v[i], e);
	for (size_t i = 0; !r && events[i]; i++)
		if (!has(p, events[i]))
			r = prof_add(p, events[i], e);
	return r;
}

int own_filter(struct prof *p, struct spec *s, const char *text, struct err *e)
{
	struct mem_out m;
	const char *both;

	mem_out_init(&m);
	out_printf(&m.out, *s->filter ? "(%s)&&(%s)" : "%s", text, s->filter);
	both = mem_out_str(&m);
	s->filter = arena_dup(&p->specs.arena, both, m.n);
	mem_out_deinit(&m);
	return s->filter ? 0 : err_nomem(e);
}

uint64_t own_field(const struct hit *h, unsigned field, uint64_t other)
{
	const struct tfield *f = h->event ? h->event->field[field] : NULL;
	uint64_t v;

	return f && tfmt_u64(f, h->raw.p, h->raw.n, &v) ? v : other;
}

void own_thread_columns(struct latency_shape *s)
{
	s->names[s->n_names++] = (struct table_col){ "thread", NULL, TABLE_RIGHT, 0 };
	s->names[s->n_names++] = (struct table_col){ "comm", NULL, TABLE_LEFT, 0 };
}

void own_put_thread(struct prof *p, struct table *t, uint64_t tid)
{
	table_u64(t, tid);
	table_str(t, feed_comm(&p->feed, (uint32_t)tid));
}
