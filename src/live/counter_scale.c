/* counter_scale.c - scale values that were counted for a part of the time to all of it, and estimate the error. */
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

/* now - base, unscaled. */
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
	const double most = 18446744073709549568.0;   /* 2^64 - 2048, the largest double below 2^64 */

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

/* Correction for few periods on: factor from 2 standard deviations to the 95 % quantile of Student's t. */
static double few(unsigned turns)
{
	static const double t[] = { 0, 0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26 };

	return turns < ARRAY_SIZE(t) ? t[turns] / 2 : 1 + 1.3 / turns;
}

/* Variance of the mean rate (value per work) over all periods on. */
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
 * Share of a period on by which its edges are blurred: counters are switched and read one after the other, which takes
 * some microseconds of at least ten milliseconds.
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
	/* The cost of a hit was measured on another probe, so these may be less or more than reckoned. */
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
		/* A single period on says nothing about the variance. */
		d->less = added;
		d->no_end = true;
	}
	d->variance = variance(s) * (raw.work - raw.seen) * (raw.work - raw.seen);
	return true;
}
