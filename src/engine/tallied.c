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

/* The number of its event; UINT32_MAX: it has none. */
static uint32_t event_of(const struct feed *f, const struct tap *t)
{
	for (size_t i = 0; i < f->n_of_event; i++)
		for (uint32_t at = f->of_event[i]; at; at = f->taps.v[at - 1].next)
			if (at - 1 == t->index)
				return (uint32_t)i;
	return UINT32_MAX;
}

/* The line of a probe, in the file of its kind: what stands behind its place. False: it has none there. */
static bool fetches_in(struct feed *f, const char *file, const struct tfmt *fmt, struct sv *fetches)
{
	char path[PATH_MAX], name[256];
	struct sv rest, line, word;
	char *text;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", sys_tracefs(f->sys), file);
	snprintf(name, sizeof(name), "%s/%s", fmt->system, fmt->name);
	if (sys_read_all(f->sys, path, 4 << 20, &text, &n, NULL))
		return false;
	*fetches = (struct sv){ 0 };
	rest = (struct sv){ text, n };
	while (!fetches->s && sv_cut(&rest, '\n', &line)) {
		struct sv kind;

		if (!sv_cut(&line, ' ', &word) || !sv_cut(&word, ':', &kind) || !sv_eq(word, name))
			continue;
		/* Behind the place; a probe without arguments has an empty text. */
		sv_cut(&line, ' ', &word);
		line.n = line.s ? line.n : 0;
		fetches->s = arena_dup(&f->arena, line.n ? line.s : "", line.n);
		fetches->n = line.n;
	}
	free(text);
	return fetches->s;
}

static int ask_probe(struct feed *f, const struct tap *t, uint32_t event, struct tally_event *to, struct err *why)
{
	const struct recording *rec = &f->live.rec;
	const struct tfmt *fmt = &t->event->fmt;

	to->is_user = !fetches_in(f, "kprobe_events", fmt, &to->fetches);
	if (to->is_user && !fetches_in(f, "uprobe_events", fmt, &to->fetches))
		return err_set(why, EOPNOTSUPP, "%s is not found among the probes", t->name);
	for (size_t i = 0; i < rec->fds.n; i++)
		if (rec->fds.v[i].event == event) {
			to->fd = rec->fds.v[i].fd;
			return 0;
		}
	return err_set(why, EOPNOTSUPP, "%s is open nowhere", t->name);
}

static int check_tap(const struct tap *t, uint32_t event, struct err *why)
{
	const struct spec *s = t->spec;

	if (!t->event || event == UINT32_MAX)
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
		.sys = f->sys, .bpf = &bpf_making, .word = expr_hit_word, .events = asks, .n = (unsigned)f->taps.n,
	};
	int r = check_feed(f, why);

	for (size_t i = 0; !r && i < f->taps.n; i++) {
		struct tap *tap = &f->taps.v[i];

		uint32_t event = event_of(f, tap);

		r = check_tap(tap, event, why);
		if (!r && f->live.events.v.v[event].is_probe)
			r = ask_probe(f, tap, event, &asks[i], why);
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
