/* taskprof_rows.c - merge rows of tasks with equal names, sort rows, label them. */
#include "analyse/taskprof.h"

#include "base/sort.h"

/* --- tasks of one name --------------------------------------------------------------------------------------- */

static void time_merge(struct taskprof_time *m, bool first, const struct taskprof_time *o)
{
	if (first || o->max > m->max) {
		m->max = o->max;
		m->max_ts = o->max_ts;
	}
	if (first || o->min < m->min) {
		m->min = o->min;
		m->min_ts = o->min_ts;
	}
}

/* first[i]: the first task with the same name as task i. */
static int first_tasks(const struct taskprof *t, uint32_t *first)
{
	struct names seen = { 0 };
	uint32_t *task_of = calloc(t->tasks.n + 1, sizeof(*task_of)), n = 0;
	int r = task_of ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < t->tasks.n && !r; i++) {
		const struct taskprof_task *k = &t->tasks.v[i];
		uint32_t id;

		first[i] = i;
		if (k->owner != TASKPROF_TASK || !*k->comm)
			continue;
		id = names_add(&seen, k->comm, strlen(k->comm));
		if (id == NAMES_NONE)
			r = -ENOMEM;
		else if (id == n)
			task_of[n++] = i;
		else
			first[i] = task_of[id];
	}
	names_deinit(&seen);
	free(task_of);
	return r;
}

/* to[i]: the row into which row i is merged; rows that were merged into others are emptied. */
static int first_rows(struct taskprof *t, const uint32_t *first, uint32_t *to)
{
	struct names seen = { 0 };
	int r = 0;

	for (uint32_t i = 0; i < t->rows.n && !r; i++) {
		struct taskprof_row *row = &t->rows.v[i], *o;
		struct { uint64_t val; uint32_t task, what, event, zero; } key = {
			row->val, first[row->task], row->what, row->event, 0,
		};
		uint32_t id = names_add(&seen, (const char *)&key, sizeof(key));

		if (id == NAMES_NONE) {
			r = -ENOMEM;
			break;
		}
		/* The merged rows are the first ones of the vector. */
		to[i] = id;
		o = &t->rows.v[id];
		if (id == i || !o->count) {
			*o = *row;
		} else {
			time_merge(&o->time, false, &row->time);
			o->count += row->count;
			o->total += row->total;
		}
		o->task = first[row->task];
		o->node = 0;
		if (id != i)
			row->count = 0;
	}
	if (!r)
		t->rows.n = seen.list.n;
	names_deinit(&seen);
	return r;
}

static int merge_stacks(struct taskprof *t, const uint32_t *row_to)
{
	struct calltree new;
	size_t n = t->stacks.nodes.n;
	uint32_t *to = calloc(n, sizeof(*to));
	struct taskprof_time *times = calloc(n, sizeof(*times));
	int r = to && times && !calltree_init(&new) ? 0 : -ENOMEM;

	for (uint32_t i = 1; !r && i < n; i++) {
		const struct ct_node *c = &t->stacks.nodes.v[i];
		uint32_t key = c->parent || !c->key ? c->key : row_to[c->key - 1] + 1;

		to[i] = calltree_child(&new, to[c->parent], key);
		if (to[i] == CALLTREE_NONE) {
			calltree_deinit(&new);
			r = -ENOMEM;
			break;
		}
		if (!c->parent && c->key)
			t->rows.v[key - 1].node = to[i];
		if (c->samples)
			time_merge(&times[to[i]], !new.nodes.v[to[i]].samples, &t->times.v[i]);
		calltree_add(&new, to[i], c->self, c->samples);
	}
	free(to);
	if (r) {
		free(times);
		return r;
	}
	calltree_deinit(&t->stacks);
	vec_free(&t->times);
	t->stacks = new;
	t->times.v = times;
	t->times.n = t->times.cap = n;
	return 0;
}

int taskprof_by_comm(struct taskprof *t)
{
	uint32_t *first = calloc(t->tasks.n + 1, sizeof(*first)), *to = calloc(t->rows.n + 1, sizeof(*to));
	int r = first && to ? first_tasks(t, first) : -ENOMEM;

	if (!r)
		r = first_rows(t, first, to);
	if (!r)
		r = merge_stacks(t, to);
	free(first);
	free(to);
	return r;
}

/* --- order --------------------------------------------------------------------------------------------------- */

static int by_order(const void *arg, uint32_t ia, uint32_t ib)
{
	const struct taskprof *t = arg;
	const struct taskprof_row *a = &t->rows.v[ia], *b = &t->rows.v[ib];
	uint32_t ka = MIN(a->what, (uint32_t)TASKPROF_FUNCTION), kb = MIN(b->what, (uint32_t)TASKPROF_FUNCTION);

	if (ka != kb)
		return ka < kb ? -1 : 1;
	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return a->count > b->count ? -1 : a->count < b->count;
}

uint32_t *taskprof_rows(const struct taskprof *t, uint32_t task, size_t *n)
{
	uint32_t *v = malloc((t->rows.n + 1) * sizeof(*v)), *spare = malloc((t->rows.n + 1) * sizeof(*v));

	*n = 0;
	for (uint32_t i = 0; v && spare && i < t->rows.n; i++)
		if (t->rows.v[i].task == task && t->rows.v[i].count)
			v[(*n)++] = i;
	if (v && spare)
		sort_u32(v, spare, *n, by_order, t);
	if (!spare) {
		free(v);
		v = NULL;
	}
	free(spare);
	return v;
}

/* --- words --------------------------------------------------------------------------------------------------- */

static void put_state(uint64_t val, struct out *o)
{
	if (val & TASKPROF_PREEMPTED)
		out_str(o, "R+");
	else if (!val)
		out_char(o, 'R');
	for (unsigned i = 0; i < 8; i++)
		if (val >> i & 1)
			out_char(o, "SDTtXZPI"[i]);
}

static void put_pair(const struct taskprof *t, const struct taskprof_row *r, struct out *o)
{
	const struct taskprof_pair *p = &t->pairs[r->what - TASKPROF_PAIR];
	const char *start = p->start_kind ? tkind_name(p->start_kind) : p->start, *colon = strchr(start, ':');

	if (p->flags & TASKPROF_CALL && r->label != NAMES_NONE) {
		out_printf(o, "func: %.500s()", names_str(&t->frames, r->label));
		return;
	}
	out_str(o, colon ? colon + 1 : start);
	out_char(o, ':');
	if (r->val == UINT64_MAX)
		out_str(o, "others");
	else if (p->flags & TASKPROF_VECTOR && tkind_softirq(r->val))
		out_str(o, tkind_softirq(r->val));
	else if (r->val <= INT32_MAX)
		out_u64(o, r->val);
	else
		out_printf(o, "0x%llx", (unsigned long long)r->val);
	if (r->label != NAMES_NONE)
		out_printf(o, " %.200s", names_str(&t->frames, r->label));
}

void taskprof_label(const struct taskprof *t, const struct taskprof_row *r, struct out *o)
{
	switch (r->what) {
	case TASKPROF_RUN:
		out_str(o, "running");
		break;
	case TASKPROF_SWITCH:
		out_printf(o, "%s:", tkind_name(KIND_SCHED_SWITCH));
		put_state(r->val, o);
		break;
	case TASKPROF_WAKEUP:
		out_str(o, tkind_name(KIND_SCHED_WAKEUP));
		break;
	case TASKPROF_FUNCTION:
		out_printf(o, "func: %.500s()", names_str(&t->frames, r->label));
		break;
	case TASKPROF_EVENT:
		out_str(o, names_str(&t->frames, r->label));
		break;
	default:
		put_pair(t, r, o);
	}
}
