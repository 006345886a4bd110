/* switches.c - the state of each task and each CPU, updated at each switch. */
#include "analyse/switches.h"

void switches_deinit(struct switches *s)
{
	map_deinit(&s->of);
	vec_free(&s->v);
	vec_free(&s->cpus);
}

static void task_init(struct switches_task *t, uint32_t tid)
{
	*t = (struct switches_task){ .tid = tid, .pid = UINT32_MAX, .parent = UINT32_MAX, .prio = -1 };
}

uint32_t switches_task(struct switches *s, uint32_t tid)
{
	uint64_t *at = map_get(&s->of, tid);
	struct switches_task *t;

	if (at && *at)
		return (uint32_t)*at - 1;
	if (s->v.n >= SWITCHES_TASKS) {
		s->dropped++;
		return SWITCHES_FULL;
	}
	at = vec_reserve(&s->v, 1) ? NULL : map_add(&s->of, tid, NULL);
	t = at ? vec_add(&s->v) : NULL;
	if (!t)
		return SWITCHES_NONE;
	*at = s->v.n;
	task_init(t, tid);
	t->losses = s->losses;
	return (uint32_t)*at - 1;
}

struct switches_cpu *switches_cpu(struct switches *s, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (s->cpus.n <= cpu) {
		struct switches_cpu *c = vec_add(&s->cpus);

		if (!c)
			return NULL;
		task_init(&c->idle, 0);
		c->idle.pid = 0;
	}
	return &s->cpus.v[cpu];
}

struct switches_task *switches_end_of(struct switches *s, uint32_t tid)
{
	uint64_t *at = map_get(&s->of, tid);
	struct switches_task *t = at && *at ? &s->v.v[*at - 1] : NULL;

	if (t)
		*at = 0;
	return t;
}

char switches_state(uint64_t prev_state)
{
	/* Bits of TASK_REPORT, Linux 4.14. The bit above them (preempted), and no bit: runnable. */
	static const char names[] = "SDTtXZPI";

	for (unsigned i = 0; names[i]; i++)
		if (prev_state >> i & 1)
			return names[i];
	return 'R';
}

/* Forget times from before the last loss of events. */
static void refresh(const struct switches *s, struct switches_task *t)
{
	if (t->losses == s->losses)
		return;
	t->losses = s->losses;
	t->left = t->ready = t->moved = t->ran = 0;
}

void switches_woken(struct switches *s, struct switches_task *t, uint64_t time)
{
	refresh(s, t);
	if (!t->ready)
		t->ready = time;
}

void switches_moved(struct switches *s, struct switches_task *t, uint64_t time)
{
	refresh(s, t);
	t->migrations++;
	t->moved = time;
}

void switches_lose(struct switches *s, uint32_t cpu)
{
	s->losses++;
	for (size_t i = 0; i < s->cpus.n; i++)
		if (cpu == UINT32_MAX || i == cpu) {
			s->cpus.v[i].time = 0;
			s->cpus.v[i].known = false;
		}
}

static void add(struct switches_task *t, uint64_t time, uint64_t in)
{
	struct switches_times *now = &t->now;
	uint64_t wait;

	*now = (struct switches_times){ .run = in ? time - MIN(in, time) : 0 };
	if (in && t->ready && t->ready <= in)
		now->delay = in - t->ready;
	if (in && t->ready && t->moved > t->ready && t->moved < in)
		now->pre_move = t->moved - t->ready;
	wait = in && t->left && t->left <= in ? in - t->left : 0;
	if (t->state == 'R')
		now->preempt = wait;
	else if (t->state == 'D')
		now->iowait = wait;
	else
		now->sleep = wait;
	stats_add(&t->runs, (double)now->run);
	t->sum.run += now->run;
	t->sum.sleep += now->sleep;
	t->sum.iowait += now->iowait;
	t->sum.preempt += now->preempt;
	t->sum.delay += now->delay;
	t->sum.pre_move += now->pre_move;
}

/* Add an idle time to the task that left the CPU idle. */
static bool add_to_last(struct switches *s, struct switches_task *idle, uint64_t time, uint64_t in)
{
	struct switches_task *t;

	if (!idle->last)
		return false;
	t = &s->v.v[idle->last - 1];
	refresh(s, t);
	add(t, time, in);
	t->now = (struct switches_times){ 0 };
	idle->last = 0;
	return true;
}

/* Cut the stay to the wanted times. False: nothing is left. */
static bool cut(const struct switches_want *w, uint64_t *in, uint64_t *time)
{
	if (w->from > *time)
		return false;
	if (*in && w->from > *in)
		*in = w->from;
	if (!w->to)
		return true;
	if (!*in || *in > w->to)
		return false;
	*time = MIN(*time, w->to);
	return true;
}

/* When the task was switched in; 0: unknown. */
static uint64_t came(struct switches *s, const struct switches_cpu *c, const struct switches_task *t, uint64_t time)
{
	if (!c->known || c->on == t->tid || !c->time)
		return c->time;
	if (t->ran && time > c->time && t->ran < time - c->time) {
		s->told++;
		return time - t->ran;
	}
	s->unknown++;
	return 0;
}

/* The switch from idle was lost, but the time at which the next task came is known: so add the idle time. */
static void add_idle(struct switches *s, struct switches_cpu *c, const struct switches_task *t, uint64_t in)
{
	uint64_t from = c->time, to = in;

	if (c->known && !c->on && t->tid && in > from && cut(&s->want, &from, &to))
		add(&c->idle, to, from);
}

static void leave(struct switches *s, struct switches_task *t, const struct switches_at *at, uint64_t time)
{
	t->state = switches_state(at->state);
	t->left = at->time;
	t->ready = t->state == 'R' ? time : 0;
	t->moved = t->ran = 0;
	t->losses = s->losses;
}

bool switches_take(struct switches *s, struct switches_cpu *c, struct switches_task *t, const struct switches_at *at,
		   bool skip, uint64_t *shown)
{
	const struct switches_want *w = &s->want;
	uint64_t time = at->time, in;
	bool counts = !w->cpus || cpus_has(w->cpus, at->cpu), show;

	refresh(s, t);
	in = came(s, c, t, time);
	if (counts && !w->idle)
		add_idle(s, c, t, in);
	show = !skip && cut(w, &in, &time) && (!w->idle || !t->tid);
	if (show && counts)
		add(t, time, in);
	if (show && w->idle)
		show = add_to_last(s, t, time, in);
	if (!s->first && time >= w->from)
		s->first = time;
	if (!w->to || time <= w->to)
		s->last = time;
	if (!skip)
		leave(s, t, at, time);
	c->time = at->time;
	c->on = at->next;
	c->known = true;
	c->n++;
	*shown = time;
	return show && counts;
}
