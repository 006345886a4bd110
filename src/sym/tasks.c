#include "sym/tasks.h"

void tasks_deinit(struct tasks *t)
{
	for (size_t i = 0; i < t->processes.n; i++)
		maps_free(t->processes.v[i].maps);
	vec_free(&t->processes);
	map_deinit(&t->pids);
	map_deinit(&t->names);
	vec_free(&t->comms);
	*t = (struct tasks){ 0 };
}

static struct tasks_process *find(struct tasks *t, uint32_t pid)
{
	if (t->last_known && t->last_pid == pid)
		return &t->processes.v[t->last];

	const uint64_t *at = map_get(&t->pids, pid);

	if (!at)
		return NULL;
	t->last_pid = pid;
	t->last = *at;
	t->last_known = true;
	return &t->processes.v[*at];
}

static struct tasks_process *add(struct tasks *t, uint32_t pid)
{
	struct tasks_process *p = find(t, pid);

	if (p)
		return p;
	p = vec_add(&t->processes);

	uint64_t *at = p ? map_add(&t->pids, pid, NULL) : NULL;

	if (at)
		*at = t->processes.n - 1;
	else if (p)
		t->processes.n--;
	return at ? p : NULL;
}

struct maps *tasks_maps(struct tasks *t, uint32_t pid)
{
	struct tasks_process *p = find(t, pid);

	if (!p)
		return NULL;
	p->used = true;
	return p->maps;
}

uint32_t tasks_next_generations(struct tasks *t, size_t n)
{
	uint32_t first;

	if (t->generations < TASKS_UNKNOWN)
		t->generations = TASKS_UNKNOWN;
	if (n > TASKS_GENERATIONS - t->generations)
		return 0;
	first = t->generations + 1;
	t->generations += (uint32_t)n;
	return first;
}

uint32_t tasks_next_generation(struct tasks *t)
{
	return tasks_next_generations(t, 1);
}

uint32_t tasks_generation(struct tasks *t, uint32_t pid)
{
	struct tasks_process *p = find(t, pid);

	if (p && !p->generation)
		p->generation = tasks_next_generation(t);
	return p ? p->generation : TASKS_UNKNOWN;
}

struct maps **tasks_space(struct tasks *t, uint32_t pid)
{
	struct tasks_process *p = add(t, pid);

	if (!p)
		return NULL;
	p->dead = false;
	p->generation = 0;
	if (p->exec) {
		maps_free(p->maps);
		p->maps = NULL;
		p->exec = false;
	}
	return &p->maps;
}

int tasks_fork(struct tasks *t, uint32_t pid, uint32_t parent)
{
	struct maps **to = tasks_space(t, pid);

	if (!to)
		return -ENOMEM;
	if (pid == parent)
		return 0;

	struct maps *old = *to;

	*to = maps_share(tasks_maps(t, parent));
	maps_free(old);
	find(t, pid)->generation = tasks_generation(t, parent);
	return 0;
}

int tasks_exec(struct tasks *t, uint32_t pid)
{
	struct tasks_process *p = add(t, pid);

	if (!p)
		return -ENOMEM;
	p->exec = true;
	return 0;
}

/* Free the maps of a process that ended TASKS_DEAD exits ago, unless they were looked up since: threads live on. */
static void bury(struct tasks *t, uint32_t pid)
{
	struct tasks_process *p = find(t, pid);

	if (!p || !p->dead || p->used)
		return;
	maps_free(p->maps);
	p->maps = NULL;
	p->generation = 0;
}

void tasks_exit(struct tasks *t, uint32_t pid)
{
	size_t i = t->n_dead % TASKS_DEAD;
	struct tasks_process *p = find(t, pid);

	if (!p || p->dead)
		return;
	p->dead = true;
	p->used = false;
	if (t->n_dead++ >= TASKS_DEAD)
		bury(t, t->dead[i]);
	t->dead[i] = pid;
}

static struct tasks_names *add_names(struct tasks *t, uint32_t page)
{
	struct tasks_names *names = vec_add(&t->comms);
	uint64_t *at = names ? map_add(&t->names, page, NULL) : NULL;

	if (at) {
		*names = (struct tasks_names){ 0 };
		*at = t->comms.n - 1;
	} else if (names) {
		t->comms.n--;
	}
	return at ? names : NULL;
}

int tasks_set_comm(struct tasks *t, uint32_t tid, const char *comm)
{
	const uint64_t *at = map_get(&t->names, tid / TASKS_NAMES);
	struct tasks_names *names = at ? &t->comms.v[*at] : add_names(t, tid / TASKS_NAMES);

	if (!names)
		return -ENOMEM;
	names->of[tid % TASKS_NAMES] = comm;
	return 0;
}

const char *tasks_comm(const struct tasks *t, uint32_t tid)
{
	const uint64_t *at = map_get(&t->names, tid / TASKS_NAMES);

	return at ? t->comms.v[*at].of[tid % TASKS_NAMES] : NULL;
}
