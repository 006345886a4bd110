/*
 * acts_sched.c - which task ran on which CPU, how long it waited before, and which task woke it. Run times and delays
 * are computed by analyse/switches.h, as in `sonde sched timehist`.
 */
#include "timeline/acts_parts.h"

/* One state more than enum export_state has: the recording ended while the task ran. */
enum { STILL_RUNS = EXPORT_DEAD + 1 };

/* Find the task's index. 0; 1: there is no room for it; -ENOMEM. Pointers to tasks are invalid after this call. */
static int find(struct acts *a, const struct export_task *task, uint32_t *i)
{
	struct acts_task *v;
	uint32_t number;

	*i = switches_task(&a->switches, task->tid);
	if (*i == SWITCHES_NONE || *i == SWITCHES_FULL)
		return *i == SWITCHES_NONE ? -ENOMEM : 1;
	while (a->tasks.n <= *i)
		if (!vec_add(&a->tasks))
			return -ENOMEM;
	number = acts_task(a, task->tid, UINT32_MAX, task->comm);
	if (number == NAMES_NONE)
		return -ENOMEM;
	v = &a->tasks.v[*i];
	v->task = number + 1;
	return 0;
}

struct stay {
	uint32_t cpu, task;              /* task: index in switches */
	int64_t in, out;
	uint64_t delay;                  /* ns + 1; 0: not known */
	unsigned state;
};

static int put_run(struct acts *a, const struct stay *s)
{
	struct acts_task *v = &a->tasks.v[s->task];
	struct lane_item it = { .start = s->in, .length = (uint64_t)(s->out - s->in), .id = v->task - 1 };
	uint8_t more[4 * LANE_NUMBER];
	struct lane *l;
	unsigned n;
	int r = acts_lane(a, LANE_RUN, s->cpu, 0, &l);

	if (r || !l)
		return r;
	n = lane_number(more, s->state);
	n += lane_number(more + n, s->delay);
	if (s->delay) {
		n += lane_number(more + n, v->waker);
		n += lane_number(more + n, v->waker_cpu);
	}
	return roll_add(a->to->roll, l, &it, more, n);
}

/* Items of the task's own lane: its wait for the CPU, and its run. */
static int put_task(struct acts *a, const struct stay *s)
{
	uint32_t task = a->tasks.v[s->task].task - 1;
	struct lane_item it = { .start = s->in, .length = (uint64_t)(s->out - s->in), .id = 2 * (uint64_t)s->cpu };
	struct lane_item wait = it;
	int r = 0;

	if (s->delay > 1) {
		wait.start = s->in - (int64_t)(s->delay - 1);
		wait.length = s->delay - 1;
		wait.id = it.id + 1;
		r = acts_put(a, LANE_TASK, task, 0, &wait);
	}
	return r ? r : acts_put(a, LANE_TASK, task, 0, &it);
}

static int put_stay(struct acts *a, const struct stay *s)
{
	int r = put_run(a, s);

	r = r ? r : put_task(a, s);
	a->tasks.v[s->task].waker = a->tasks.v[s->task].waker_cpu = 0;
	return r;
}

/* Is it known since when the task is runnable, and were no events lost since? */
static bool is_ready(const struct acts *a, const struct switches_task *t)
{
	return t->ready && t->losses == a->switches.losses;
}

/* The task that is switched out: put its stay on the CPU, if the beginning is known. */
static int leave(struct acts *a, const struct export_sample *s, int64_t at, struct switches_cpu *c)
{
	const struct export_sched *d = s->sched;
	struct switches_at w = {
		.time = s->time, .cpu = s->cpu, .prev = d->prev.tid, .next = d->next.tid,
		.state = tfmt_value(s->tracepoint->field[SWITCH_PREV_STATE], s->raw.p, s->raw.n),
	};
	struct stay stay = { .cpu = s->cpu, .out = at, .state = d->state };
	struct switches_task *t;
	uint64_t shown;
	int r;

	if (!d->prev.tid) {
		switches_take(&a->switches, c, &c->idle, &w, false, &shown);
		return 0;
	}
	r = find(a, &d->prev, &stay.task);
	if (r)
		return MIN(r, 0);
	t = &a->switches.v.v[stay.task];
	stay.delay = is_ready(a, t);
	a->tasks.v[stay.task].running = false;
	if (!switches_take(&a->switches, c, t, &w, false, &shown) || !t->now.run)
		return 0;
	stay.in = at - (int64_t)t->now.run;
	stay.delay = stay.delay ? t->now.delay + 1 : 0;
	return put_stay(a, &stay);
}

static int come(struct acts *a, const struct export_sample *s, int64_t at)
{
	struct acts_cpu *c = acts_cpu(a, s->cpu);
	const struct switches_task *t;
	uint32_t i;
	int r;

	if (!c)
		return -ENOMEM;
	c->on = 0;
	if (!s->sched->next.tid)
		return 0;
	r = find(a, &s->sched->next, &i);
	if (r)
		return MIN(r, 0);
	t = &a->switches.v.v[i];
	c->on = i + 1;
	c->since = at;
	c->delay = is_ready(a, t) && t->ready <= s->time ? s->time - t->ready + 1 : 0;
	a->tasks.v[i].running = true;
	return 0;
}

static int take_switch(struct acts *a, const struct export_sample *s, int64_t at)
{
	struct switches_cpu *c = switches_cpu(&a->switches, s->cpu);
	int r;

	if (!c)
		return s->cpu < CPUS_MAX ? -ENOMEM : 0;
	r = leave(a, s, at, c);
	return r ? r : come(a, s, at);
}

/* The waker is the current task of the event's CPU, unless an interrupt wakes. */
static int take_wakeup(struct acts *a, const struct export_sample *s)
{
	const struct export_thread *by = &a->x->t.threads[s->thread];
	struct acts_task *v;
	uint32_t i, waker = 0;
	bool again;
	int r = find(a, &s->sched->next, &i);

	if (r)
		return MIN(r, 0);
	again = is_ready(a, &a->switches.v.v[i]) || a->tasks.v[i].running;
	switches_woken(&a->switches, &a->switches.v.v[i], s->time);
	if (again)
		return 0;
	if (by->tid && by->tid != UINT32_MAX) {
		waker = acts_task(a, by->tid, by->pid, sv_from(by->comm)) + 1;
		if (!waker)
			return -ENOMEM;
	}
	v = &a->tasks.v[i];
	v->waker = waker;
	v->waker_cpu = s->cpu < CPUS_MAX ? s->cpu + 1 : 0;
	return 0;
}

/* sched_stat_runtime tells how long a task ran if the switch to it is missing. */
int acts_runtime(struct acts *a, const struct export_sample *s)
{
	const uint64_t *at = map_get(&a->switches.of, (uint32_t)acts_field(s, RUNTIME_PID));

	if (at && *at)
		a->switches.v.v[*at - 1].ran += acts_field(s, RUNTIME_RUNTIME);
	return 0;
}

int acts_sched(struct acts *a, const struct export_sample *s, int64_t at)
{
	int r = 0;

	if (!s->tracepoint)
		return 0;
	if (s->sched->is_switch)
		r = take_switch(a, s, at);
	else if (s->sched->next.tid && (!a->waking || s->tracepoint->kind != KIND_SCHED_WAKEUP))
		r = take_wakeup(a, s);
	return r ? r : 1;
}

/* The recording ends: put the tasks that still run, or wait for a CPU. */
int acts_sched_end(struct acts *a, int64_t at)
{
	int r = 0;

	for (size_t i = 0; i < a->cpus.n && !r; i++) {
		const struct acts_cpu *c = &a->cpus.v[i];
		struct stay s = { .cpu = (uint32_t)i, .task = c->on - 1, .in = c->since, .out = at, .delay = c->delay,
				  .state = STILL_RUNS };

		if (c->on && c->since < at)
			r = put_stay(a, &s);
	}
	return r;
}
