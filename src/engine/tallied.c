/* tallied.c - from taps to programs. */
#include "engine/tallied.h"

#include "sys/bpf.h"

static int no(struct err *why, const char *what)
{
	return err_set(why, EOPNOTSUPP, "%s", what);
}

/* Of whom: of CPUs alone. */
static int check_feed(const struct feed *f, struct err *why)
{
	const struct feed_want *w = f->want;

	if (!feed_is_live(f))
		return no(why, "it is a recording");
	if (f->live.target.kind != TARGET_CPUS || f->live.meant != TARGET_CPUS)
		return no(why, "single tasks are watched");
	if (f->live.target.cgroups.n || w->sides || w->filter)
		return no(why, "a part of what happens is left out");
	return w->chains.on ? no(why, "stacks are wanted") : 0;
}

static int check_tap(const struct feed *f, const struct tap *t, struct err *why)
{
	const struct spec *s = t->spec;
	const struct event *ev = NULL;

	for (size_t i = 0; i < f->n_of_event && !ev; i++)
		for (uint32_t at = f->of_event[i]; at; at = f->taps.v[at - 1].next)
			if (at - 1 == t->index)
				ev = &f->live.events.v.v[i];
	if (!t->event || !ev || ev->is_probe)
		return err_set(why, EOPNOTSUPP, "%s is no tracepoint", t->label);
	if (s->stack || s->exec || s->trigger || s->untraced || s->comm)
		return err_set(why, EOPNOTSUPP, "%s: its hits are looked at one by one", t->name);
	return 0;
}

/* Both the target's and the event's own; NULL: all. */
static int cpus_of(struct feed *f, const struct tap *t, const struct cpus **to, struct err *why)
{
	const struct target *target = &f->live.target;
	struct cpus *c;

	*to = t->cpus;
	if (!target->cpus_chosen)
		return 0;
	c = arena_alloc(&f->arena, sizeof(*c));
	if (!c)
		return err_nomem(why);
	*c = target->cpus;
	for (size_t i = 0; t->cpus && i < ARRAY_SIZE(c->w); i++)
		c->w[i] &= t->cpus->w[i];
	*to = c;
	return 0;
}

int tallied_open(struct tally *t, struct feed *f, struct tally_event *asks, struct err *why)
{
	const struct tally_want w = {
		.sys = f->sys, .bpf = &bpf_live, .word = expr_hit_word, .events = asks, .n = (unsigned)f->taps.n,
	};
	int r = check_feed(f, why);

	for (size_t i = 0; !r && i < f->taps.n; i++) {
		struct tap *tap = &f->taps.v[i];

		r = check_tap(f, tap, why);
		if (r)
			break;
		asks[i].event = tap->event->fmt.name;
		if (*tap->rule)
			r = feed_compile(f, &asks[i].filter, tap, tap->rule, why);
		r = r ? r : cpus_of(f, tap, &asks[i].cpus, why);
	}
	r = r ? r : tally_open(t, &w, why);
	if (!r)
		f->tally = t;
	return r;
}

void tallied_close(struct feed *f)
{
	if (f->tally)
		tally_close(f->tally);
	f->tally = NULL;
}
