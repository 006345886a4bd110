/* counted.c - counters that are read each period. */
#include "prof/counted.h"

#include <time.h>

static int add_spec(struct counted *c, uint32_t at, struct err *e)
{
	const struct spec *s = &c->prof->specs.v.v[at];
	size_t from = c->events.v.n;
	struct cpus *cpus = vec_add(&c->cpus);
	int r = !cpus ? err_nomem(e) : s->cpus ? cpus_parse(cpus, sv_from(s->cpus), e) : 0;

	if (r)
		return r;
	r = event_parse(&c->events, s->event, c->env, e);
	if (r && s->optional) {
		c->events.v.n = from;
		return 0;
	}
	if (!r && *s->filter)
		r = event_filter(&c->events, from, s->filter, e);
	for (size_t i = from; !r && i < c->events.v.n; i++) {
		uint32_t *to = vec_add(&c->spec_of);

		if (!to)
			return err_nomem(e);
		*to = at;
	}
	return r;
}

static int add_events(struct counted *c, struct err *e)
{
	int r = 0;

	for (uint32_t i = 0; !r && i < c->prof->specs.v.n; i++)
		r = add_spec(c, i, e);
	if (!r && !c->events.v.n)
		return err_set(e, ENODEV, "%s: this machine counts none of its events", c->prof->kind->cmd.name);
	event_exclude(&c->events, c->prof->feed_want.sides);
	return r;
}

/* An event that the user named and that counts nowhere is an error; a profiler's own is an empty column. */
static int check_open(const struct counted *c, struct err *e)
{
	size_t n_open = 0;

	for (size_t i = 0; i < c->counters.list.n; i++) {
		const struct counter *k = &c->counters.list.v[i];

		n_open += k->state == COUNTER_OPEN;
		if (k->state != COUNTER_OPEN && !c->prof->specs.v.v[c->spec_of.v[i % c->events.v.n]].optional)
			return counter_explain(&c->counters, k, e);
	}
	return n_open ? 0 : counter_explain(&c->counters, &c->counters.list.v[0], e);
}

static int open_events(struct counted *c, struct err *e)
{
	struct prof *p = c->prof;
	int r;

	c->env = event_env_new(p->sys);
	r = c->env ? add_events(c, e) : err_nomem(e);
	r = r ? r : target_init(&c->target, &prof_want(p)->target, p->sys, p->argc, p->argv, e);
	c->is_held = !r;
	return r;
}

static int open_counters(struct counted *c, enum counters_start start, struct err *e)
{
	struct counters_want w = { .sys = c->prof->sys, .events = &c->events, .target = &c->target, .start = start,
				   .tid = c->loop.child.pid };
	int r = counters_open(&c->counters, &w, e);

	c->is_open = !r;
	return r ? r : check_open(c, e);
}

static int open_all(struct counted *c, bool cpus, struct err *e)
{
	int r = open_events(c, e);

	if (cpus && c->target.kind == TARGET_COMMAND)
		c->target.kind = TARGET_CPUS;
	r = r ? r : loop_open(&c->loop, e);
	r = r || !c->target.argv ? r : loop_hold(&c->loop, c->target.argv, NULL, e);
	if (r)
		return r;
	return open_counters(c, c->target.kind == TARGET_COMMAND ? COUNTERS_ON_EXEC : COUNTERS_LATER, e);
}

int counted_open(struct counted *c, struct prof *p, struct err *e)
{
	int r;

	*c = (struct counted){ .prof = p };
	loop_init(&c->loop, p->sys);
	r = open_events(c, e);
	return r ? r : open_counters(c, COUNTERS_LATER, e);
}

void counted_close(struct counted *c)
{
	if (c->is_open)
		counters_close(&c->counters);
	loop_close(&c->loop);
	if (c->is_held)
		target_deinit(&c->target, c->prof->sys);
	event_list_deinit(&c->events);
	event_env_free(c->env);
	vec_free(&c->spec_of);
	vec_free(&c->cpus);
}

void counted_read(struct counted *c)
{
	counters_read(&c->counters);
}

void counted_start(struct counted *c)
{
	counters_enable(&c->counters);
	counters_read(&c->counters);
}

static int start(struct counted *c, const struct counted_want *w, struct err *e)
{
	const struct sys *sys = c->prof->sys;
	uint64_t now = sys->now(sys, CLOCK_MONOTONIC);

	c->prof->feed.wall = sys->now(sys, CLOCK_REALTIME) - now;
	if (c->target.kind == TARGET_COMMAND)
		counted_read(c);
	else
		counted_start(c);
	loop_every(&c->loop, now, w->period_ns);
	if (c->target.kind == TARGET_TASKS)
		loop_watch_tasks(&c->loop, c->target.tids.v, c->target.tids.n);
	return c->target.argv ? loop_go(&c->loop, e) : 0;
}

static int look(struct counted *c, const struct counted_want *w, bool last, struct err *e)
{
	counted_read(c);
	c->prof->to = c->prof->sys->now(c->prof->sys, CLOCK_MONOTONIC);
	return w->look(c->prof, c, last, e);
}

static int each(struct counted *c, const struct counted_want *w, struct err *e)
{
	struct out *o = c->prof->how->out;
	int r = 0;

	while (!r && !o->error) {
		enum loop_what what = loop_next(&c->loop);

		if (what == LOOP_SIGNAL || what == LOOP_END)
			break;
		if (what != LOOP_TICK || c->loop.time != LOOP_INTERVAL)
			continue;
		r = look(c, w, false, e);
		out_flush(o);
		if (prof_want(c->prof)->limit && ++c->prof->hits >= prof_want(c->prof)->limit)
			break;
	}
	return r ? r : look(c, w, true, e);
}

int counted_run(struct prof *p, const struct counted_want *w, struct err *e)
{
	struct counted c = { .prof = p };
	int r;

	if (prof_want(p)->from.input) {
		err_set(e, EINVAL, "%s reads counters while they count: no recording has them", p->kind->cmd.name);
		return err_hint(e, "sonde prof hrcount counts the events of a recording");
	}
	prof_fill_feed(p);
	p->feed.want = &p->feed_want;
	p->feed.sys = p->sys;
	loop_init(&c.loop, p->sys);
	r = open_all(&c, w->cpus, e);
	r = r ? r : start(&c, w, e);
	r = r ? r : each(&c, w, e);
	if (c.loop.state == LOOP_COMMAND_ENDED)
		p->status = c.loop.status;
	counted_close(&c);
	return r;
}

size_t counted_places(const struct counted *c)
{
	return counters_places(&c->counters);
}

static const struct counter_slot *slot_at(const struct counted *c, const struct counter *k, size_t place)
{
	for (size_t i = k->first; i < k->first + k->n; i++)
		if (counter_place(&c->counters.slots.v[i]) == place)
			return &c->counters.slots.v[i];
	return NULL;
}

uint64_t counted_place(const struct counted *c, size_t place)
{
	for (size_t i = 0; i < c->counters.list.n; i++) {
		const struct counter_slot *s = slot_at(c, &c->counters.list.v[i], place);

		if (s && s->cpu < 0 && s->tid > 0)
			return (uint64_t)s->tid;
	}
	return place;
}

bool counted_value(const struct counted *c, size_t spec, size_t place, struct counter_value *v)
{
	bool is_there = false;

	*v = (struct counter_value){ 0 };
	if (c->prof->specs.v.v[spec].cpus && c->target.kind == TARGET_CPUS &&
	    !cpus_has(&c->cpus.v[spec], (unsigned)place))
		return false;
	for (size_t i = 0; i < c->counters.list.n; i++) {
		const struct counter *k = &c->counters.list.v[i];

		if (c->spec_of.v[i % c->events.v.n] != spec || k->state != COUNTER_OPEN)
			continue;
		for (size_t n = 0; n < k->n; n++) {
			struct counter_value one;

			if (counter_place(&c->counters.slots.v[k->first + n]) != place)
				continue;
			one = counters_value(&c->counters, k, n);
			v->value += one.value;
			v->enabled += one.enabled;
			v->running += one.running;
			is_there = true;
		}
	}
	return is_there;
}

const char *counted_name(const struct prof *p, size_t spec)
{
	const struct spec *s = &p->specs.v.v[spec];

	return s->alias ? s->alias : s->event;
}
