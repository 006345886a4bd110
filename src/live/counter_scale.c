/* counter_scale.c - values of a part of the time, scaled to all of it. */
#include "live/counter_parts.h"

static double per(double value, double seen)
{
	return seen > 0 ? value / seen : 0;
}

/*
 * The work of the last pause has the rate of the times on before and behind it, each as much as was seen in it: the one
 * behind it may have just begun, or have ended with the task.
 */
double counter_whole(const struct counter_slot *s)
{
	double seen = s->now.seen - s->past.seen, work = s->now.work - s->past.work;
	double value = (double)(s->now.value - s->past.value);
	double rate = s->paused ? per(s->last.value, s->last.seen) : per(value, seen);

	return s->whole + value + rate * (work - seen) + per(s->last.value + value, s->last.seen + seen) * s->owed;
}

void counter_window(struct counter_slot *s)
{
	double value = (double)(s->now.value - s->past.value), seen = s->now.seen - s->past.seen;

	s->turns.n++;
	s->turns.values += value * value;
	s->turns.both += value * seen;
	s->turns.works += seen * seen;
	if (seen > 0) {
		s->last.value = value;
		s->last.seen = seen;
	}
}

/* The time that slot i of k and of its counterparts on the other core types ran. */
static uint64_t running_anywhere(const struct counters *c, const struct counter *k, size_t i)
{
	uint64_t sum = 0;

	for (size_t j = 0; j < c->list.n; j++) {
		const struct counter *o = &c->list.v[j];

		if (o->n > i && (o == k || counter_is_same(o, k)))
			sum += c->slots.v[o->first + i].now.running - c->slots.v[o->first + i].base.running;
	}
	return sum;
}

/* Since the last counters_read but one. */
static struct counter_value grown(const struct counter_slot *s)
{
	return (struct counter_value){
		.value = s->now.value - s->base.value,
		.enabled = s->now.enabled - s->base.enabled,
		.running = s->now.running - s->base.running,
		.work = s->now.work - s->base.work,
		.seen = s->now.seen - s->base.seen,
		.cost = s->now.cost - s->base.cost,
	};
}

uint64_t counter_rounded(double v)
{
	const double most = 18446744073709549568.0;   /* of those below 2^64 the largest that is a double */

	return v > 0 ? (uint64_t)MIN(v + 0.5, most) : 0;
}

struct counter_value counters_value(const struct counters *c, const struct counter *k, size_t i)
{
	const struct counter_slot *s = &c->slots.v[k->first + i];
	struct counter_value d = grown(s);
	uint64_t ran = d.running && k->over_cores ? running_anywhere(c, k, i) : d.running;
	double times = 1;

	if (ran && s->past.enabled && !s->base.enabled) {
		d.value = counter_rounded(counter_whole(s));
		return d;
	}
	if (!ran)
		times = 0;
	else if (s->paced && d.seen > 0)
		times = d.work / d.seen;
	else if (ran < d.enabled)
		times = (double)d.enabled / (double)ran;
	if (times != 1)
		d.value = counter_rounded((double)d.value * times);
	return d;
}

/* Of few turns, nineteen of twenty are within more than the two deviations of many (Student's distribution). */
static double few(unsigned turns)
{
	static const double t[] = { 0, 0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26 };

	return turns < ARRAY_SIZE(t) ? t[turns] / 2 : 1 + 1.3 / turns;
}

/* Of the rate that all times on together have. */
static double variance(const struct counter_slot *s)
{
	const struct counter_turns *t = &s->turns;
	double rate = s->now.seen > 0 ? (double)s->now.value / s->now.seen : 0;
	double squares = t->values - 2 * rate * t->both + rate * rate * t->works;

	if (t->n < 2 || s->now.seen <= 0 || squares < 0)
		return 0;
	return few(t->n) * few(t->n) * squares * t->n / (t->n - 1) / (s->now.seen * s->now.seen);
}

/*
 * A time on is not cut off sharply: counters are switched and read one after the other, for some microseconds of the
 * ten milliseconds and more that it lasts.
 */
static const double edges = 0.001;

bool counters_doubt(const struct counters *c, const struct counter *k, size_t i, struct counter_doubt *d)
{
	const struct counter_slot *s = &c->slots.v[k->first + i];
	struct counter_value v = counters_value(c, k, i), raw = grown(s);
	double added = v.value > raw.value ? (double)(v.value - raw.value) : 0, share, more;

	*d = (struct counter_doubt){ .counted = (double)raw.value };
	if (!s->paced || !s->turns.n || raw.seen <= 0)
		return false;
	/* What a hit takes was measured on another one. */
	share = raw.cost / raw.seen;
	more = s->may_more * share;
	d->less = added * s->may_less * share / (1 + s->may_less * share);
	d->more = more < 1 ? added * more / (1 - more) : 0;
	d->less += (added - d->less) * (1 - 1 / (1 + s->may_differ));
	d->more += (added + d->more) * s->may_differ;
	d->less += added * edges;
	d->more += added * edges;
	d->no_end = s->is_cut || more >= 1;
	if (s->turns.n < 2) {
		/* One time on does not tell how much they differ. */
		d->less = added;
		d->no_end = true;
	}
	d->variance = variance(s) * (raw.work - raw.seen) * (raw.work - raw.seen);
	return true;
}
