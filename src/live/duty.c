/* duty.c - switches probes on and off. */
#include "live/duty.h"

#include "probe/cost.h"
#include "probing/cost_trial.h"

#include <time.h>

static const uint64_t first_ns = 100 * 1000 * 1000, off_least_ns = 50 * 1000 * 1000;

static uint64_t now(const struct duty *d)
{
	return d->sys->now(d->sys, CLOCK_MONOTONIC);
}

static bool any_probe(const struct duty *d, const struct event_list *l)
{
	for (enum probe_kind kind = PROBE_OF_KERNEL; kind < PROBE_KINDS; kind++) {
		if (probe_kinds_have(d->kinds, l->v.n, kind))
			return true;
	}
	return false;
}

int duty_init(struct duty *d, const struct pace_want *w, double limit, struct err *e)
{
	int r;

	*d = (struct duty){ .sys = w->sys, .events = w->events->v.v, .limit = limit, .next = UINT64_MAX };
	d->kinds = probe_kinds(w->sys, w->events);
	if (!d->kinds)
		return err_nomem(e);
	if (any_probe(d, w->events))
		r = pace_init(&d->pace, w, d->kinds, e);
	else
		r = err_set(e, EINVAL, "--max-overhead is for probes: none of the events is one");
	if (r)
		duty_deinit(d);
	return r;
}

void duty_deinit(struct duty *d)
{
	pace_deinit(&d->pace);
	free(d->kinds);
	free(d->spent);
	d->kinds = NULL;
	d->spent = NULL;
}

/* --- cost --- */

/* Has the task neither other threads nor children, as far as /proc tells? Then it uses one core at most. */
static bool is_alone(const struct sys *sys, int tid)
{
	char path[64], *children;
	struct sys_list threads;
	size_t n, n_threads;

	snprintf(path, sizeof(path), "/proc/%d/task", tid);
	if (sys_list_dir(sys, path, &threads))
		return false;
	n_threads = threads.n;
	sys_list_free(&threads);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", tid, tid);
	if (n_threads != 1 || sys_read_all(sys, path, 4096, &children, &n, NULL))
		return false;
	free(children);
	return !n;
}

/* The tid of a place; 0: the place is a CPU. */
static int task_at(const struct counters *c, size_t place)
{
	for (size_t i = 0; i < c->slots.n; i++)
		if (counter_place(&c->slots.v[i]) == place && c->slots.v[i].tid > 0)
			return c->slots.v[i].tid;
	return 0;
}

/* Cost in ns of the hits on the busiest place since the last call, `window` ns ago. */
static uint64_t spent(struct duty *d, uint64_t window)
{
	const struct counters *c = d->c;
	uint64_t *before = d->spent + d->places, most = 0, children = 0;
	size_t where = 0;

	memcpy(before, d->spent, d->places * sizeof(*before));
	memset(d->spent, 0, d->places * sizeof(*d->spent));
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];
		double ns = d->pace.cost[d->kinds[k->ev - d->events]].ns;

		for (size_t j = 0; k->pausable && j < k->n; j++) {
			const struct counter_slot *s = &c->slots.v[k->first + j];

			d->spent[counter_place(s)] += (uint64_t)((double)s->now.value * ns);
			children |= k->attr.flags & PERF_ATTR_INHERIT;
		}
	}
	for (size_t i = 0; i < d->places; i++) {
		uint64_t own = d->spent[i] - MIN(before[i], d->spent[i]);

		where = own > most ? i : where;
		most = MAX(most, own);
	}
	/* One core cannot spend more than `window`: then a hit costs less here than was measured. */
	if (most > window && (!children || is_alone(d->sys, task_at(c, where))))
		most = window;
	return most;
}

/* Update the share: it rises at once, so that the limit holds, but falls slowly, as a quiet moment may end soon. */
static void measure(struct duty *d)
{
	counters_refresh(d->c);

	uint64_t window = now(d) - d->window, hits = spent(d, window);
	double share = cost_share(&(struct cost_trial){ hits, window, 1 });

	d->share = share > d->share ? share : (d->share + share) / 2;
	d->most = MAX(d->most, share);
}

/* --- on and off --- */

/* Mark the whole group of each probe: a leader cannot be closed without its members. */
static void mark_groups(struct duty *d, struct counters *c)
{
	for (size_t i = 0; i < c->list.n; i++) {
		if (!d->kinds[c->list.v[i].ev - d->events])
			continue;
		for (size_t k = 0; k < c->list.n; k++)
			c->list.v[k].pausable |= c->list.v[k].leader == c->list.v[i].leader;
	}
}

int duty_start(struct duty *d, struct counters *c, const struct counters_want *w, struct err *e)
{
	d->places = counters_places(c);
	free(d->spent);
	d->spent = calloc(2 * d->places, sizeof(*d->spent));
	if (!d->spent)
		return err_nomem(e);
	d->c = c;
	d->share = 0;
	d->state = DUTY_ON;
	mark_groups(d, c);
	return pace_start(&d->pace, c, w, e);
}

void duty_begin(struct duty *d)
{
	d->start = d->from = d->window = now(d);
	d->next = d->window + first_ns;
}

void duty_end(struct duty *d)
{
	uint64_t t = now(d);

	if (d->next != UINT64_MAX || d->state == DUTY_OFF) {
		if (d->state == DUTY_ON && t > d->window)
			measure(d);
		d->on_ns += d->state == DUTY_ON ? t - d->window : 0;
		d->total_ns += t - d->start;
	}
	d->next = UINT64_MAX;
	d->c = NULL;
}

static void switch_on(struct duty *d)
{
	d->from = now(d);
	counters_resume(d->c);
	d->state = DUTY_ON;
	d->window = now(d);
	d->next = d->window + d->window_ns;
}

/* While the kernel inserts or removes breakpoints it waits for all CPUs: count half of that time as time on. */
static void switch_off(struct duty *d, const struct cost_duty *plan)
{
	uint64_t begin = now(d), opening = d->window - d->from, end, switching;

	counters_pause(d->c);
	end = now(d);
	switching = (opening + end - begin) / 2;
	d->on_ns += begin - d->window + switching;
	d->state = plan->is_hopeless ? DUTY_OFF : DUTY_PAUSED;
	d->has_paused = true;

	/* The next period on will cost more than its window shows, by the time of switching: pause longer for that. */
	uint64_t off = (uint64_t)((double)plan->off_ns * (1 + (double)switching / (double)plan->on_ns));

	d->next = plan->is_hopeless ? UINT64_MAX : end + MAX(off, off_least_ns);
}

bool duty_step(struct duty *d)
{
	struct cost_duty plan;

	if (d->state != DUTY_ON) {
		switch_on(d);
		return false;
	}
	measure(d);
	cost_duty(&plan, d->share, d->limit);
	d->window_ns = plan.on_ns;
	if (plan.off_ns) {
		switch_off(d, &plan);
		return plan.is_hopeless;
	}

	uint64_t t = now(d);

	d->on_ns += t - d->window;
	d->from = d->window = t;
	d->next = t + plan.on_ns;
	return false;
}

/* --- text --- */

void duty_put_share(const struct duty *d, double share, struct out *o)
{
	const char *between = " (";

	out_fixed(o, share * 100, 0, share < 0.001 ? 4 : 1);
	out_str(o, " % of a core");
	for (enum probe_kind i = PROBE_OF_KERNEL; i < PROBE_KINDS; i++) {
		if (d->pace.cost[i].ns <= 0)
			continue;
		out_str(o, between);
		out_fixed(o, d->pace.cost[i].ns / 1000, 0, 2);
		out_printf(o, " us a hit in %s", probe_kind_where(i));
		between = ", ";
	}
	out_str(o, between[0] == ',' ? ")" : "");
}
