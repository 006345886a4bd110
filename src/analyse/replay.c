/* replay.c - steps of tasks, from switches and wake-ups. */
#include "analyse/replay.h"

#include "base/str.h"

void replay_deinit(struct replay *r)
{
	for (size_t i = 0; i < r->tasks.n; i++)
		vec_free(&r->tasks.v[i].steps);
	map_deinit(&r->of);
	vec_free(&r->tasks);
	vec_free(&r->last);
	names_deinit(&r->names);
}

static int add(struct replay *r, uint32_t task, const struct replay_step *step)
{
	struct replay_step *to;

	if (r->steps >= REPLAY_STEPS) {
		r->full = true;
		return -ENOSPC;
	}
	to = vec_add(&r->tasks.v[task].steps);
	if (!to)
		return -ENOMEM;
	*to = *step;
	r->steps++;
	return 0;
}

static struct replay_step *last_of(const struct replay *r, uint32_t task)
{
	const struct replay_task *t = &r->tasks.v[task];

	return t->steps.n ? &t->steps.v[t->steps.n - 1] : NULL;
}

static int add_sleep(struct replay *r, uint32_t task)
{
	r->sleeps++;
	return add(r, task, &(struct replay_step){ .what = REPLAY_SLEEP });
}

int replay_task(struct replay *r, uint32_t tid, const char *name)
{
	uint64_t *at = map_get(&r->of, tid);
	struct replay_task *t;
	uint32_t id;

	if (at)
		return (int)*at - 1;
	if (r->tasks.n >= REPLAY_TASKS) {
		r->full = true;
		return -ENOSPC;
	}
	id = names_add(&r->names, name, strlen(name));
	at = id == NAMES_NONE || vec_reserve(&r->tasks, 1) ? NULL : map_add(&r->of, tid, NULL);
	t = at ? vec_add(&r->tasks) : NULL;
	if (!t)
		return -ENOMEM;
	*t = (struct replay_task){ .tid = tid, .name = id };
	*at = r->tasks.n;
	/* It starts asleep, since a wake-up may come before its first switch. */
	return add_sleep(r, (uint32_t)*at - 1) ? -ENOMEM : (int)*at - 1;
}

static int add_run(struct replay *r, uint32_t task, uint64_t ns, uint64_t end)
{
	struct replay_step *last = last_of(r, task);
	bool idle = !r->tasks.v[task].tid;

	if (last && last->what == REPLAY_RUN) {
		r->merged++;
		last->ns = idle ? end : last->ns + ns;
		return 0;
	}
	r->runs++;
	return add(r, task, &(struct replay_step){ .what = REPLAY_RUN, .ns = idle ? end : ns });
}

int replay_switch(struct replay *r, uint64_t time, uint32_t cpu, uint32_t prev)
{
	uint64_t before;
	int err;

	if (cpu >= CPUS_MAX)
		return 0;
	while (r->last.n <= cpu)
		if (!vec_add(&r->last))
			return -ENOMEM;
	r->begin = r->begin ? MIN(r->begin, time) : time;
	r->end = MAX(r->end, time);
	before = r->last.v[cpu] ? MIN(r->last.v[cpu], time) : time;
	r->last.v[cpu] = time;
	err = add_run(r, prev, time - before, time - r->begin);
	return err ? err : add_sleep(r, prev);
}

int replay_wakeup(struct replay *r, uint32_t by, uint32_t whom)
{
	struct replay_step *sleep = last_of(r, whom);
	bool target = sleep && sleep->what == REPLAY_SLEEP && by != whom, taken = target && sleep->link;

	if (!target)
		r->targetless++;
	else if (taken)
		r->multitarget++;
	else
		sleep->link = (uint32_t)++r->wakeups;
	return add(r, by, &(struct replay_step){
		.what = REPLAY_WAKE, .link = target && !taken ? (uint32_t)r->wakeups : 0,
	});
}
