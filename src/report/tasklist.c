/* tasklist.c - see tasklist.h. */
#include "report/tasklist.h"

/* The task with this tid, which is added if it is new. NULL: no memory. */
static struct tasklist_task *task_of(struct tasklist *l, uint32_t pid, uint32_t tid)
{
	bool is_first = !l->v.n;
	struct tasklist_task *t = is_first ? vec_add(&l->v) : l->v.v;
	uint64_t *i = t ? map_add(&l->by_tid, tid, NULL) : NULL;

	if (is_first && t)
		*t = (struct tasklist_task){ .name = NAMES_NONE };
	if (!i || *i)
		return i ? &l->v.v[*i] : NULL;
	t = vec_add(&l->v);
	if (!t)
		return NULL;
	*i = l->v.n - 1;
	*t = (struct tasklist_task){ .pid = pid, .tid = tid, .ppid = TASKLIST_NONE, .name = NAMES_NONE };
	return t;
}

static int take_comm(struct tasklist *l, const struct side *d)
{
	struct tasklist_task *t = task_of(l, d->pid, d->tid);

	if (!t)
		return -ENOMEM;
	t->name = names_add(&l->names, d->comm.name, strlen(d->comm.name));
	if (t->name == NAMES_NONE)
		return -ENOMEM;
	return d->comm.exec && l->with_maps ? tasks_exec(&l->spaces, d->pid) : 0;
}

/* A FORK record: if its tid was used before, that entry becomes the new task. */
static int take_fork(struct tasklist *l, const struct side *d)
{
	struct tasklist_task *parent = task_of(l, d->task.ppid, d->task.ptid), *t;
	uint32_t name = parent ? parent->name : NAMES_NONE;

	t = parent ? task_of(l, d->pid, d->tid) : NULL;
	if (!t)
		return -ENOMEM;
	*t = (struct tasklist_task){ .pid = d->pid, .tid = d->tid, .ppid = d->task.ptid, .name = name };
	if (!l->with_maps || d->task.made_up || d->pid == d->task.ppid)
		return 0;
	return tasks_fork(&l->spaces, d->pid, d->task.ppid);
}

static int take_map(struct tasklist *l, const struct side *d)
{
	const struct side_map *m = &d->map;
	struct tasklist_file f = { .ino = m->ino, .prot = m->prot & 7, .is_shared = m->flags & 1 };
	struct maps **space;
	uint32_t i;
	int r;

	if (!l->with_maps || m->kernel || m->data || d->pid == UINT32_MAX)
		return 0;
	f.name = names_add(&l->names, m->name, strlen(m->name));
	i = f.name == NAMES_NONE ? NAMES_NONE : names_add(&l->file_keys, (const char *)&f, sizeof(f));
	space = i == NAMES_NONE ? NULL : tasks_space(&l->spaces, d->pid);
	if (!space || (i == l->files.n && !vec_add(&l->files)))
		return -ENOMEM;
	l->files.v[i] = f;
	r = maps_put(space, &(struct maps_range){ m->start, m->start + m->len, m->pgoff, i });
	/* Invalid ranges, and those beyond the limit, are ignored. */
	return r == -ENOMEM ? r : 0;
}

static int take_side(struct tasklist *l, const struct side *d)
{
	switch (d->type) {
	case PERF_REC_COMM:
		return take_comm(l, d);
	case PERF_REC_FORK:
		return take_fork(l, d);
	case PERF_REC_EXIT:
		return task_of(l, d->pid, d->tid) ? 0 : -ENOMEM;
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return take_map(l, d);
	}
	return 0;
}

int tasklist_take(struct tasklist *l, const struct session_item *item)
{
	const struct sample *s = &item->sample;

	if (!item->event)
		return take_side(l, &item->side);
	/* For a task that has ended the kernel writes no tid. */
	return s->tid == UINT32_MAX || task_of(l, s->pid, s->tid) ? 0 : -ENOMEM;
}

/* --- the tree of tasks --------------------------------------------------------------------------------------- */

static int by_tid(const void *a, const void *b)
{
	const struct tasklist_task *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static uint32_t parent_of(const struct tasklist *l, const struct tasklist_task *t)
{
	uint64_t *i = t->ppid == TASKLIST_NONE ? NULL : map_get(&l->by_tid, (uint64_t)t->ppid);

	return i ? (uint32_t)*i : 0;
}

/* Reused tids may make a cycle of parents: cut it at one task, which then has no parent. seen: zeroed, one per task. */
static void cut_circles(struct tasklist *l, uint32_t *seen)
{
	for (uint32_t i = 1; i < l->v.n; i++) {
		uint32_t at = i;

		for (; at && !seen[at]; at = l->v.v[at].parent)
			seen[at] = i;
		if (at && seen[at] == i)
			l->v.v[at].parent = 0;
	}
}

int tasklist_link(struct tasklist *l)
{
	struct tasklist_task *v = l->v.v;
	uint32_t *seen = calloc(l->v.n + 1, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	if (l->v.n)
		qsort(v + 1, l->v.n - 1, sizeof(*v), by_tid);
	for (size_t i = 1; i < l->v.n; i++)
		*map_get(&l->by_tid, v[i].tid) = i;
	for (size_t i = 1; i < l->v.n; i++)
		v[i].parent = parent_of(l, &v[i]);
	cut_circles(l, seen);
	free(seen);
	/* Backwards, since each task is prepended to its parent's children. */
	for (size_t i = l->v.n; i-- > 1;) {
		v[i].next = v[v[i].parent].child;
		v[v[i].parent].child = (uint32_t)i;
	}
	return 0;
}

void tasklist_deinit(struct tasklist *l)
{
	names_deinit(&l->names);
	names_deinit(&l->file_keys);
	vec_free(&l->files);
	tasks_deinit(&l->spaces);
	map_deinit(&l->by_tid);
	vec_free(&l->v);
}
