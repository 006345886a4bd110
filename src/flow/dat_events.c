/* dat_events.c - formats to perf events. */
#include "flow/dat_events.h"

static const struct {
	const char *event;    /* "system:name" */
	enum dat_role role;
	const char *ip, *parent;
	const char *names[4];
} roles[] = {
	{ "ftrace:kernel_stack", DAT_KERNEL_STACK, "caller", "", { 0 } },
	{ "ftrace:user_stack", DAT_USER_STACK, "caller", "", { 0 } },
	{ "ftrace:function", DAT_FUNCTION, "ip", "parent_ip", { 0 } },
	{ "ftrace:func_repeats", DAT_FUNCTION, "ip", "parent_ip", { 0 } },
	{ "ftrace:funcgraph_entry", DAT_GRAPH_ENTRY, "func", "", { 0 } },
	{ "ftrace:fgraph_retaddr_entry", DAT_GRAPH_ENTRY, "func", "", { 0 } },
	{ "ftrace:funcgraph_exit", DAT_GRAPH_EXIT, "func", "", { 0 } },
	{ "sched:sched_switch", DAT_NAMES, "", "", { "prev_pid", "prev_comm", "next_pid", "next_comm" } },
	{ "sched:sched_wakeup", DAT_NAMES, "", "", { "pid", "comm" } },
	{ "sched:sched_process_fork", DAT_NAMES, "", "", { "parent_pid", "parent_comm", "child_pid", "child_comm" } },
	{ "sched:sched_process_exec", DAT_NAMES, "", "", { "pid", "filename" } },
	{ "task:task_rename", DAT_NAMES, "", "", { "pid", "newcomm" } },
	{ "task:task_newtask", DAT_NAMES, "", "", { "pid", "comm" } },
};

/* Where probes and markers say they are. */
static const char *const places[] = { "__probe_ip", "__probe_func", "ip", "call_site", "caller" };

static bool named(const struct tfmt *f, const char *name)
{
	size_t n = strlen(f->system);

	return !strncmp(name, f->system, n) && name[n] == ':' && !strcmp(name + n + 1, f->name);
}

static const struct tfield *maybe(const struct tfmt *f, const char *name)
{
	return name && *name ? tfmt_field(f, name) : NULL;
}

static size_t role_of(const struct tfmt *f)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(roles) && !named(f, roles[i].event))
		i++;
	return i;
}

bool dat_is_function(const struct tevent *event)
{
	size_t i = role_of(&event->fmt);

	return i < ARRAY_SIZE(roles) && roles[i].role != DAT_NAMES;
}

static void set_role(struct dat_kind *k)
{
	const struct tfmt *f = &k->event->fmt;
	size_t i = role_of(f);

	if (i == ARRAY_SIZE(roles)) {
		for (size_t p = 0; !k->ip && p < ARRAY_SIZE(places); p++) {
			const struct tfield *at = tfmt_field(f, places[p]);

			k->ip = at && at->kind <= TFIELD_POINTER && at->size == f->long_size ? at : NULL;
		}
		return;
	}
	k->role = roles[i].role;
	k->ip = maybe(f, roles[i].ip);
	k->parent = maybe(f, roles[i].parent);
	k->tgid = k->role == DAT_USER_STACK ? tfmt_field(f, "tgid") : NULL;
	for (unsigned n = 0; n < 2; n++) {
		k->names[n].pid = maybe(f, roles[i].names[2 * n]);
		k->names[n].comm = maybe(f, roles[i].names[2 * n + 1]);
	}
	k->path = k->names[0].comm && !strcmp(k->names[0].comm->name, "filename");
	if (k->role != DAT_NAMES && !k->ip)
		k->role = DAT_PLAIN;
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
	new->common_pid = tfmt_field(&event->fmt, "common_pid");
	set_role(new);
	return (int64_t)k->v.n - 1;
}

static bool has_chain(const struct dat_kind *k)
{
	return k->stacked || (k->role != DAT_PLAIN && k->role != DAT_NAMES);
}

int dat_events_make(const struct dat_kinds *k, struct perf_file *f)
{
	for (size_t i = 0; i < k->v.n; i++) {
		const struct tfmt *fmt = &k->v.v[i].event->fmt;
		size_t system = strlen(fmt->system), name = strlen(fmt->name);
		struct perf_event *ev = vec_add(&f->events);
		char *label = arena_alloc(&f->arena, system + name + 2);

		if (!ev || !label)
			return -ENOMEM;
		memcpy(label, fmt->system, system);
		label[system] = ':';
		memcpy(label + system + 1, fmt->name, name);
		ev->attr = (struct perf_attr){
			.type = PERF_TRACEPOINT,
			.size = sizeof(ev->attr),
			.config = fmt->id,
			.sample_period = 1,
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
				       PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |
				       (has_chain(&k->v.v[i]) ? PERF_SAMPLE_CALLCHAIN : 0),
		};
		sample_layout_init(&ev->layout, &ev->attr);
		ev->name = ev->label = label;
		ev->group_leader = (uint32_t)i;
	}
	return 0;
}
