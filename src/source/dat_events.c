/* dat_events.c - formats to perf events. */
#include "source/dat_events.h"

/* Fields in which probes and other events have the address of their place in the code. */
static const char *const places[] = { "__probe_ip", "__probe_func", "ip", "call_site", "caller" };

bool dat_is_function(const struct tevent *event)
{
	switch (event->kind) {
	case KIND_KERNEL_STACK:
	case KIND_USER_STACK:
	case KIND_FUNCTION:
	case KIND_FUNC_REPEATS:
	case KIND_GRAPH_ENTRY:
	case KIND_GRAPH_RETADDR_ENTRY:
	case KIND_GRAPH_EXIT:
		return true;
	default:
		return false;
	}
}

static void set_place(struct dat_kind *k)
{
	const struct tfmt *f = &k->event->fmt;

	for (size_t p = 0; !k->ip && p < ARRAY_SIZE(places); p++) {
		const struct tfield *at = tfmt_field(f, places[p]);

		k->ip = at && at->kind <= TFIELD_POINTER && at->size == f->long_size ? at : NULL;
	}
}

static void set_name(struct dat_kind *k, unsigned which, unsigned pid, unsigned comm)
{
	k->role = DAT_NAMES;
	k->names[which].pid = k->event->field[pid];
	k->names[which].comm = k->event->field[comm];
}

static void set_ip(struct dat_kind *k, enum dat_role role, unsigned ip)
{
	k->ip = k->event->field[ip];
	k->role = k->ip ? role : DAT_PLAIN;
}

static void set_role(struct dat_kind *k)
{
	switch (k->event->kind) {
	case KIND_KERNEL_STACK:
		set_ip(k, DAT_KERNEL_STACK, STACK_CALLER);
		break;
	case KIND_USER_STACK:
		set_ip(k, DAT_USER_STACK, STACK_CALLER);
		k->tgid = k->event->field[STACK_TGID];
		break;
	case KIND_FUNCTION:
	case KIND_FUNC_REPEATS:
		set_ip(k, DAT_FUNCTION, FUNCTION_IP);
		k->parent = k->event->field[FUNCTION_PARENT_IP];
		break;
	case KIND_GRAPH_ENTRY:
	case KIND_GRAPH_RETADDR_ENTRY:
		set_ip(k, DAT_GRAPH_ENTRY, GRAPH_FUNC);
		break;
	case KIND_GRAPH_EXIT:
		set_ip(k, DAT_GRAPH_EXIT, GRAPH_FUNC);
		break;
	case KIND_SCHED_SWITCH:
		set_name(k, 0, SWITCH_PREV_PID, SWITCH_PREV_COMM);
		set_name(k, 1, SWITCH_NEXT_PID, SWITCH_NEXT_COMM);
		break;
	case KIND_SCHED_WAKEUP:
		set_name(k, 0, WAKEUP_PID, WAKEUP_COMM);
		break;
	case KIND_SCHED_FORK:
		set_name(k, 0, FORK_PARENT_PID, FORK_PARENT_COMM);
		set_name(k, 1, FORK_CHILD_PID, FORK_CHILD_COMM);
		break;
	case KIND_SCHED_EXEC:
		set_name(k, 0, EXEC_PID, EXEC_FILENAME);
		k->path = true;
		break;
	case KIND_TASK_RENAME:
		set_name(k, 0, RENAME_PID, RENAME_NEWCOMM);
		break;
	case KIND_TASK_NEWTASK:
		set_name(k, 0, NEWTASK_PID, NEWTASK_COMM);
		break;
	default:
		set_place(k);
	}
}

int64_t dat_kind_of(struct dat_kinds *k, const struct tevents *t, const void *raw, size_t n)
{
	const struct tevent *event = tevents_of(t, raw, n);
	struct dat_kind *new;
	uint64_t *at;

	if (!event)
		return -ENOENT;
	at = map_add(&k->by_id, event->fmt.id, NULL);
	if (!at || *at)
		return at ? (int64_t)*at - 1 : -ENOMEM;
	new = vec_add(&k->v);
	if (!new)
		return -ENOMEM;
	*at = k->v.n;
	new->event = event;
	set_role(new);
	return (int64_t)k->v.n - 1;
}

int dat_take_tgid(struct dat_kinds *k, const struct dat_kind *kind, const void *raw, size_t n, uint32_t *tgid)
{
	const struct tfield *pid = kind->event->common[COMMON_PID];
	uint64_t process, tid, *at;

	if (!kind->tgid || !pid || !tfmt_u64(kind->tgid, raw, n, &process) || !tfmt_u64(pid, raw, n, &tid) || !process)
		return 0;
	at = map_add(&k->tgids, (uint32_t)tid, NULL);
	if (!at)
		return -ENOMEM;
	*at = *tgid = (uint32_t)process;
	return 1;
}

void dat_kinds_deinit(struct dat_kinds *k)
{
	vec_free(&k->v);
	map_deinit(&k->by_id);
	map_deinit(&k->tgids);
}

static bool has_chain(const struct dat_kind *k)
{
	return k->stacked || (k->role != DAT_PLAIN && k->role != DAT_NAMES);
}

int dat_events_make(const struct dat_kinds *k, struct perf_head *h)
{
	for (size_t i = h->events.n; i < k->v.n; i++) {
		const struct tfmt *fmt = &k->v.v[i].event->fmt;
		size_t system = strlen(fmt->system), name = strlen(fmt->name);
		struct perf_attr attr = {
			.type = PERF_TRACEPOINT,
			.size = sizeof(attr),
			.config = fmt->id,
			.sample_period = 1,
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
				       PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |
				       (has_chain(&k->v.v[i]) ? PERF_SAMPLE_CALLCHAIN : 0),
		};
		struct perf_event *ev = perf_head_add(h, &attr);
		char *label = arena_alloc(&h->arena, system + name + 2);

		if (!ev || !label)
			return -ENOMEM;
		memcpy(label, fmt->system, system);
		label[system] = ':';
		memcpy(label + system + 1, fmt->name, name);
		ev->name = ev->label = label;
	}
	return 0;
}
