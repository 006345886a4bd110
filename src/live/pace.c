/* pace.c - measures work, also during pauses, by counters that are never paused. */
#include "live/pace.h"

static const struct pace_way {
	const char *events;
	double most;         /* largest share of the work that may be subtracted as the cost of hits */
	double less, more;   /* error of that cost, as shares of it */
	double other;        /* share by which the program's progress per unit of work may differ without probes */
} ways[PACES] = {
	[PACE_TIME] = { NULL, 0.75, 1, 1, 0 },
	/*
	 * The measured cost is that of the fastest of many hits. If the CPU (or the guest) is preempted, a hit takes a
	 * multiple of that, as everything does; and hits make the program's caches colder.
	 */
	[PACE_TASK_TIME] = { "task-clock", 0.95, 1, 2, 0.1 },
	/* Only emulators count cycles but no instructions: there the same loop took up to twice as many cycles. */
	[PACE_USER_CYCLES] = { "cycles:u", 0.9, 1, 2, 0.7 },
	[PACE_USER_INSTRUCTIONS] = { "instructions:u", 0.75, 1, 0.5, 0 },
	[PACE_INSTRUCTIONS] = { "instructions", 0.95, 0.2, 0.1, 0 },
};

/* --- the measure --- */

static struct cost_meter cost_meter(const struct pace *p)
{
	return (struct cost_meter){ p->meter.v.v, p->meter.v.n };
}

static bool can(struct pace *p, const struct event_env *env, enum pace_by by)
{
	struct cost_meter m;
	struct err e;

	p->meter = (struct event_list){ 0 };
	if (!event_parse(&p->meter, ways[by].events, env, &e)) {
		m = cost_meter(p);
		if (cost_meter_counts(p->sys, &m)) {
			p->by = by;
			return true;
		}
		event_list_deinit(&p->meter);
	}
	p->meter = (struct event_list){ 0 };
	return false;
}

static void pace_end(struct pace *p)
{
	counters_close(&p->counters);
	free(p->place);
	free(p->meter_place);
	free(p->hits);
	free(p->done);
	p->place = p->meter_place = NULL;
	p->hits = p->done = NULL;
}

int pace_init(struct pace *p, const struct pace_want *w, const uint8_t *kinds, struct err *e)
{
	const struct event_list *l = w->events;
	struct cost_meter m;
	int r = 0;

	*p = (struct pace){ .sys = w->sys, .events = l->v.v, .kinds = kinds, .target = *w->target };
	p->target.inherit = false;
	/* The kernel's work on a CPU need not be proportional to that of user space. */
	if (w->target->kind == TARGET_CPUS && probe_kinds_have(kinds, l->v.n, PROBE_OF_KERNEL))
		can(p, w->env, PACE_INSTRUCTIONS);
	else if (!can(p, w->env, PACE_USER_INSTRUCTIONS) && !can(p, w->env, PACE_USER_CYCLES) &&
		 w->target->kind != TARGET_CPUS)
		can(p, w->env, PACE_TASK_TIME);
	m = cost_meter(p);
	for (enum probe_kind kind = PROBE_OF_KERNEL; !r && kind < PROBE_KINDS; kind++) {
		if (probe_kinds_have(kinds, l->v.n, kind))
			r = cost_of_hit(p->sys, kind, &m, &p->cost[kind], e);
	}
	if (r)
		pace_deinit(p);
	return r;
}

void pace_deinit(struct pace *p)
{
	pace_end(p);
	event_list_deinit(&p->meter);
	p->meter = (struct event_list){ 0 };
}

/* --- places --- */

struct place {
	int cgroup, cpu, tid;
};

struct place_list {
	VEC(struct place) v;
};

/* Number of the slot's place, which is added if it is new. 0 or -ENOMEM. */
static int number(struct place_list *l, const struct counter *k, const struct counter_slot *s, uint32_t *to)
{
	struct place at = { k->cgroup_fd, s->cpu, s->tid }, *new;

	for (size_t i = 0; i < l->v.n; i++) {
		if (l->v.v[i].cgroup == at.cgroup && l->v.v[i].cpu == at.cpu && l->v.v[i].tid == at.tid) {
			*to = (uint32_t)i;
			return 0;
		}
	}
	new = vec_add(&l->v);
	if (!new)
		return -ENOMEM;
	*new = at;
	*to = (uint32_t)l->v.n - 1;
	return 0;
}

/* Place numbers of the slots of pausable counters, or of all. NULL: no memory. */
static uint32_t *numbers(struct place_list *l, const struct counters *c, bool all)
{
	uint32_t *place = calloc(c->slots.n + 1, sizeof(*place));
	int r = place ? 0 : -ENOMEM;

	for (size_t i = 0; !r && i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; !r && (all || k->pausable) && j < k->n; j++)
			r = number(l, k, &c->slots.v[k->first + j], &place[k->first + j]);
	}
	if (!r)
		return place;
	free(place);
	return NULL;
}

/* --- work --- */

static void read_meter(struct pace *p)
{
	const struct counters *c = &p->counters;

	memset(p->done, 0, p->places * sizeof(*p->done));
	if (p->by == PACE_TIME)
		return;
	counters_refresh(&p->counters);
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; j < k->n; j++)
			p->done[p->meter_place[k->first + j]] += (double)counters_value(c, k, j).value;
	}
}

static void add_hits(struct pace *p, const struct counters *c)
{
	memset(p->hits, 0, p->places * sizeof(*p->hits));
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];
		const struct hit_cost *cost = &p->cost[p->kinds[k->ev - p->events]];
		double of_one = p->by == PACE_TIME ? cost->ns : cost->metered;

		for (size_t j = 0; k->pausable && j < k->n; j++) {
			const struct counter_slot *s = &c->slots.v[k->first + j];

			p->hits[p->place[k->first + j]] += (double)(s->now.value - s->past.value) * of_one;
		}
	}
}

static void set(const struct pace *p, struct counter_slot *s, uint32_t place)
{
	const struct pace_way *way = &ways[p->by];
	uint64_t on = s->now.running - s->past.running, all = s->now.enabled - s->past.enabled;
	double done = (double)(s->paused ? all : on), cost = p->hits[place];

	s->meter_now = p->done[place];
	/* A kernel thread does nothing in user space: then scale by time. */
	s->paced = p->by == PACE_TIME || s->meter_now > 0;
	if (p->by != PACE_TIME)
		done = MAX(s->meter_now - s->meter, 0);
	s->is_cut |= way->most > 0 && cost > done * way->most;
	s->did = done - MIN(cost, done * way->most);
	s->did_cost = way->most > 0 ? done - s->did : cost;
	s->may_less = way->less;
	s->may_more = way->more;
	s->may_differ = way->other;
}

static void look(void *arg, struct counters *c)
{
	struct pace *p = arg;

	read_meter(p);
	add_hits(p, c);
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];

		for (size_t j = 0; k->pausable && j < k->n; j++)
			set(p, &c->slots.v[k->first + j], p->place[k->first + j]);
	}
}

/* --- begin and end --- */

static int open_meter(struct pace *p, const struct counters_want *w, struct err *e)
{
	struct counters_want want = *w;

	if (p->by == PACE_TIME)
		return 0;
	want.events = &p->meter;
	want.target = &p->target;
	return counters_open(&p->counters, &want, e);
}

int pace_start(struct pace *p, struct counters *c, const struct counters_want *w, struct err *e)
{
	struct place_list l = { 0 };
	int r;

	pace_end(p);
	r = open_meter(p, w, e);
	if (r)
		return r;
	p->place = numbers(&l, c, false);
	p->meter_place = numbers(&l, &p->counters, true);
	p->places = l.v.n;
	vec_free(&l.v);
	p->hits = calloc(p->places + 1, sizeof(*p->hits));
	p->done = calloc(p->places + 1, sizeof(*p->done));
	if (!p->place || !p->meter_place || !p->hits || !p->done) {
		pace_end(p);
		return err_nomem(e);
	}
	c->pace = look;
	c->pace_arg = p;
	if (p->by != PACE_TIME && w->start == COUNTERS_LATER)
		counters_enable(&p->counters);
	return 0;
}
