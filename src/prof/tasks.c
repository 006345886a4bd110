/* tasks.c - a set of threads that grows as they are seen. */
#include "prof/tasks.h"

int prof_add_optional(struct prof *p, const char *spec, struct err *e)
{
	size_t from = p->specs.v.n;
	int r = prof_add(p, spec, e);

	for (size_t i = from; !r && i < p->specs.v.n; i++)
		p->specs.v.v[i].optional = true;
	return r;
}

int prof_tasks_check(const struct prof *p, struct err *e)
{
	const char *name = p->kind->cmd.name;

	if (p->specs.v.n)
		return err_set(e, EINVAL, "%s has its own events: without -e", name);
	if (prof_want(p)->key)
		return err_set(e, EINVAL, "-k: %s has no key but its tasks", name);
	if (!prof_want(p)->target.cgroups)
		return 0;
	err_set(e, EINVAL, "--cgroups: in a control group what wakes its tasks, or puts them on a CPU, is not seen");
	return err_hint(e, "choose tasks with -p or -t");
}

int prof_tasks_add(struct prof *p, struct err *e)
{
	const struct target_want *w = &prof_want(p)->target;

	/* With all tasks as targets children are included anyway. */
	return w->pids || w->tids || p->argc ? prof_add_optional(p, "sched:sched_process_fork", e) : 0;
}

static int mean(struct prof_tasks *t, uint32_t tid)
{
	uint64_t *at;

	if (t->of.n >= TASKS_MAX && !map_get(&t->of, tid)) {
		t->dropped++;
		return 0;
	}
	at = map_add(&t->of, tid, NULL);
	if (!at)
		return -ENOMEM;
	*at = 1;
	return 0;
}

int prof_tasks_open(struct prof_tasks *t, struct prof *p, struct err *e)
{
	struct feed_targets of = feed_targets(&p->feed);
	int *ids = of.ids ? arena_alloc(&p->feed.arena, of.n * sizeof(*ids)) : NULL;
	int r = 0;

	*t = (struct prof_tasks){ .all = !of.ids, .targets = of };
	t->targets.ids = ids;
	if (of.ids && !ids)
		return err_nomem(e);
	if (ids)
		memcpy(ids, of.ids, of.n * sizeof(*ids));
	for (size_t i = 0; !r && i < of.n && !t->all; i++)
		r = mean(t, (uint32_t)ids[i]);
	return r ? err_nomem(e) : 0;
}

void prof_tasks_close(struct prof_tasks *t)
{
	map_deinit(&t->of);
}

static bool is_target(const struct prof_tasks *t, uint32_t pid)
{
	size_t i = 0;

	while (i < t->targets.n && (uint32_t)t->targets.ids[i] != pid)
		i++;
	return i < t->targets.n;
}

int prof_tasks_follow(struct prof_tasks *t, const struct hit *h)
{
	int r = 0;

	if (t->all)
		return 0;
	if (t->targets.are_processes && h->tid != h->pid && !prof_tasks_has(t, h->tid) && is_target(t, h->pid))
		r = mean(t, h->tid);
	if (!r && t->targets.with_children && hit_kind(h) == KIND_SCHED_FORK &&
	    prof_tasks_has(t, (uint32_t)hit_field(h, FORK_PARENT_PID)))
		r = mean(t, (uint32_t)hit_field(h, FORK_CHILD_PID));
	return r;
}

bool prof_tasks_has(const struct prof_tasks *t, uint32_t tid)
{
	return t->all || map_get(&t->of, tid);
}
