/* offcpu.c - see offcpu.h. */
#include "record/offcpu.h"

struct key {
	uint32_t pid, tid, state, stack;
};

void offcpu_deinit(struct offcpu *o)
{
	names_deinit(&o->stacks);
	names_deinit(&o->keys);
	vec_free(&o->rows);
	map_deinit(&o->task);
	map_deinit(&o->of_pid);
	vec_free(&o->waits);
}

/* Number of a stack, which is added if it is new. NAMES_NONE: no memory, or, with *full, too many. */
static uint32_t stack_of(struct offcpu *o, struct bytes stack, bool *full)
{
	const char *bytes = stack.n ? (const char *)stack.p : "";
	uint32_t id = names_find(&o->stacks, bytes, stack.n);

	if (id != NAMES_NONE)
		return id;
	*full = stack.n > OFFCPU_STACKS_MAX - o->stack_bytes;
	if (*full)
		return NAMES_NONE;
	o->stack_bytes += stack.n;
	return names_add(&o->stacks, bytes, stack.n);
}

static uint32_t row_of(struct offcpu *o, const struct key *k, bool *full)
{
	uint32_t id = names_find(&o->keys, (const char *)k, sizeof(*k));
	struct offcpu_row *row;
	uint64_t *first;

	if (id != NAMES_NONE)
		return id;
	*full = o->rows.n == OFFCPU_ROWS_MAX;
	first = *full ? NULL : map_add(&o->of_pid, k->pid, NULL);
	if (!first)
		return NAMES_NONE;
	id = names_add(&o->keys, (const char *)k, sizeof(*k));
	row = id == NAMES_NONE ? NULL : vec_add(&o->rows);
	if (!row)
		return NAMES_NONE;
	*row = (struct offcpu_row){ .pid = k->pid, .tid = k->tid, .state = k->state, .stack = k->stack,
				    .next = (uint32_t)*first };
	*first = o->rows.n;
	return id;
}

/* The entry of a task. NULL: no memory, or, with *full, too many tasks. */
static struct offcpu_wait *wait_of(struct offcpu *o, uint32_t tid, bool *full)
{
	uint64_t *at = map_get(&o->task, tid);

	if (at)
		return &o->waits.v[*at];
	*full = o->waits.n == OFFCPU_TASKS_MAX;
	at = *full ? NULL : map_add(&o->task, tid, NULL);
	if (!at || vec_reserve(&o->waits, 1))
		return NULL;
	*at = o->waits.n;
	return vec_add(&o->waits);
}

int offcpu_leaves(struct offcpu *o, const struct offcpu_out *w)
{
	struct key k = { .pid = w->pid, .tid = w->tid, .state = (uint32_t)w->state };
	struct offcpu_wait *wait;
	bool full = false;
	uint32_t row;

	if (w->state != OFFCPU_SLEEPS && w->state != OFFCPU_BLOCKED)
		return 0;
	k.stack = stack_of(o, w->stack, &full);
	row = k.stack == NAMES_NONE ? NAMES_NONE : row_of(o, &k, &full);
	wait = row == NAMES_NONE ? NULL : wait_of(o, w->tid, &full);
	if (wait)
		*wait = (struct offcpu_wait){ .since = w->time, .row = row };
	o->dropped += full;
	return wait || full ? 0 : -ENOMEM;
}

void offcpu_returns(struct offcpu *o, uint32_t tid, uint64_t time)
{
	const uint64_t *at = map_get(&o->task, tid);
	struct offcpu_wait *wait = at ? &o->waits.v[*at] : NULL;
	struct offcpu_row *row;

	if (!wait || !wait->since)
		return;
	row = &o->rows.v[wait->row];
	row->ns += time > wait->since ? time - wait->since : 0;
	row->times++;
	wait->since = 0;
}

uint32_t offcpu_first(const struct offcpu *o, uint32_t pid)
{
	const uint64_t *at = map_get(&o->of_pid, pid);

	return at ? (uint32_t)*at : 0;
}

struct bytes offcpu_stack(const struct offcpu *o, const struct offcpu_row *r)
{
	return (struct bytes){ (const uint8_t *)names_str(&o->stacks, r->stack), o->stacks.list.v[r->stack].len };
}
