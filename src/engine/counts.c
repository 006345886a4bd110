/* counts.c - differences of the counts in successive samples of a group's leader. */
#include "engine/counts.h"

static int check(const struct feed *f, struct err *e)
{
	const struct perf_event *v = f->session.head->events.v;
	uint32_t leader = UINT32_MAX;

	for (uint32_t i = 0; i < f->n_of_event; i++) {
		if (!f->of_event[i])
			continue;
		if (f->of_event[i] == 1)
			leader = i;
		for (uint32_t at = f->of_event[i]; at; at = f->taps.v[at - 1].next) {
			const struct spec *s = f->taps.v[at - 1].spec;

			if (*s->filter)
				return err_set(e, EINVAL, "%s: a recording has counts, not what a filter would leave",
					       s->text);
		}
		if (leader != UINT32_MAX && v[leader].layout.sample_type & PERF_SAMPLE_READ &&
		    v[leader].layout.read_format & PERF_FORMAT_GROUP && v[i].group_leader == leader)
			continue;
		err_set(e, EINVAL, "%s: its events are not a group that is read as a whole, with cpu-clock in front",
			f->session.path);
		return err_hint(e, "sonde record -e '{cpu-clock/period=10000000/,sched:sched_switch}:S' -a makes one");
	}
	return 0;
}

int counts_open(struct counts *c, const struct feed *f, struct err *e)
{
	c->n = f->taps.n;
	c->now = calloc(c->n + 1, sizeof(*c->now));
	c->last = calloc(CPUS_MAX, sizeof(*c->last));
	if (!c->now || !c->last)
		return err_nomem(e);
	return feed_is_live(f) ? 0 : check(f, e);
}

void counts_lost(struct counts *c)
{
	map_deinit(&c->before);
	c->before = (struct map){ 0 };
}

void counts_close(struct counts *c)
{
	map_deinit(&c->before);
	free(c->now);
	free(c->last);
	*c = (struct counts){ 0 };
}

static void add(struct counts *c, const struct feed *f, uint64_t id, uint64_t difference)
{
	const uint64_t *event = map_get(&f->session.head->ids, id);
	uint32_t tap = event && *event < f->n_of_event ? f->of_event[*event] : 0;

	for (; tap; tap = f->taps.v[tap - 1].next)
		c->now[tap - 1] += difference;
}

unsigned counts_silent(const struct counts *c, const struct feed *f, uint64_t ns)
{
	const struct cpus *all = &f->live.target.cpus;
	unsigned n = 0;

	for (int cpu = feed_is_live(f) ? cpus_next(all, 0) : -1; cpu >= 0; cpu = cpus_next(all, (unsigned)cpu + 1))
		n += !c->last[cpu] || f->stats.last - c->last[cpu] > ns;
	return n;
}

int counts_take(struct counts *c, const struct feed *f, const struct hit *h)
{
	struct sample_value v;
	bool is_first = false;
	uint64_t i = 0;

	memset(c->now, 0, c->n * sizeof(*c->now));
	if (h->cpu < CPUS_MAX)
		c->last[h->cpu] = h->time;
	for (; sample_read(&h->perf->layout, h->sample, i, &v); i++) {
		bool is_new;
		uint64_t *before;

		if (!map_get(&f->session.head->ids, v.id))
			continue;
		before = map_add(&c->before, v.id, &is_new);
		if (!before)
			return -ENOMEM;
		if (!is_new && v.value >= *before)
			add(c, f, v.id, v.value - *before);
		*before = v.value;
		is_first |= is_new;
	}
	return i && !is_first;
}
