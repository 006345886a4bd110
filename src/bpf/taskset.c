/* taskset.c - loads and attaches the programs of taskset.h. */
#include "bpf/taskset.h"

static int make_maps(struct taskset *s, struct err *e)
{
	const struct bpf_map_make tasks = {
		BPF_MAP_HASH, 4, 8, (uint32_t)MAX((size_t)TASKSET_TASKS, MIN(2 * s->want.n, (size_t)1 << 22)), 0,
	};
	static const struct bpf_map_make losses = { BPF_MAP_ARRAY, 4, 8, 1, 0 };

	s->maps.tasks = program_map(s->want.bpf, &tasks, e);
	if (s->maps.tasks < 0)
		return s->maps.tasks;
	s->maps.losses = program_map(s->want.bpf, &losses, e);
	return MIN(s->maps.losses, 0);
}

static int find_members(struct taskset *s, struct err *e)
{
	struct kmember pid, events;
	struct ktypes types;
	int r = ktypes_open(&types, s->want.sys, e);

	if (r)
		return r;
	r = ktypes_member(&types, "task_struct", "pid", &pid, e);
	r = r ? r : ktypes_member(&types, "task_struct", "perf_event_ctxp", &events, e);
	ktypes_close(&types);
	if (r)
		return r;
	s->maps.pid = pid.off;
	/* Before 6.2 there are two contexts, hardware and software; the tracking event is in the second. */
	s->maps.events = events.off + events.size - 8;
	return 0;
}

static int attach(struct taskset *s, const struct asm_prog *a, const char *event, struct err *e)
{
	struct bpf_raw_tracepoint at = { .name = (uintptr_t)event };
	unsigned i = s->n_progs;

	s->progs[i] = program_load(s->want.bpf, a, BPF_PROG_RAW_TRACEPOINT, e);
	if (s->progs[i] < 0)
		return s->progs[i];
	s->n_insns += a->n;
	s->n_progs++;
	at.prog = (uint32_t)s->progs[i];
	s->links[i] = s->want.bpf->call(s->want.bpf, BPF_RAW_TRACEPOINT, &at, sizeof(at));
	return s->links[i] < 0 ? err_set(e, -s->links[i], "%s: the kernel attaches no program to it: %s", event,
					 err_name(-s->links[i])) : 0;
}

/* BTF-typed access to the current task: Linux 5.11. */
static void try_types(struct taskset *s, struct asm_prog *a)
{
	int prog;

	s->maps.is_typed = s->maps.events <= INT16_MAX;
	if (!s->maps.is_typed)
		return;
	taskset_build_typed(a, &s->maps);
	prog = program_load(s->want.bpf, a, BPF_PROG_RAW_TRACEPOINT, NULL);
	s->maps.is_typed = prog >= 0;
	if (prog >= 0)
		s->want.sys->close(s->want.sys, prog);
}

static int follow(struct taskset *s, struct err *e)
{
	const struct {
		const char *event;
		void (*build)(struct asm_prog *a, const struct taskset_maps *m);
		bool wanted;
	} at[TASKSET_PROGS] = {
		{ "sched_process_free", taskset_build_free, true },
		{ "sched_process_fork", taskset_build_fork, s->want.children },
		{ "task_rename", taskset_build_exec, s->want.held },
	};
	struct asm_prog *a = malloc(sizeof(*a));
	int r = a ? 0 : err_nomem(e);

	if (!r)
		try_types(s, a);
	for (size_t i = 0; !r && i < ARRAY_SIZE(at); i++) {
		if (!at[i].wanted)
			continue;
		at[i].build(a, &s->maps);
		r = attach(s, a, at[i].event, e);
	}
	free(a);
	return r;
}

/* A task that has ended before it could be tracked is left out: its tid may be reused. */
static int put_tasks(struct taskset *s, struct err *e)
{
	const struct taskset_want *w = &s->want;
	uint64_t state = w->held ? TASKSET_HELD : TASKSET_COUNTED;

	for (size_t i = 0; i < w->n; i++) {
		uint32_t tid = (uint32_t)w->tids[i];
		int r = program_map_put(w->bpf, s->maps.tasks, &tid, &state);
		char name[32];

		if (r)
			return err_set(e, -r, "the kernel takes no number of a task: %s", err_name(-r));
		if (sys_read_line(w->sys, name, sizeof(name), "/proc/%u/comm", tid) < 0)
			program_map_drop(w->bpf, s->maps.tasks, &tid);
	}
	return 0;
}

int taskset_open(struct taskset *s, const struct taskset_want *w, struct err *e)
{
	int r;

	*s = (struct taskset){ .want = *w, .maps = { .tasks = -1, .losses = -1 } };
	for (size_t i = 0; i < TASKSET_PROGS; i++)
		s->progs[i] = s->links[i] = -1;
	r = find_members(s, e);
	r = r ? r : make_maps(s, e);
	r = r ? r : follow(s, e);
	r = r ? r : put_tasks(s, e);
	if (r)
		taskset_close(s);
	return r;
}

static void close_fd(const struct taskset *s, int *fd)
{
	if (*fd >= 0)
		s->want.sys->close(s->want.sys, *fd);
	*fd = -1;
}

void taskset_close(struct taskset *s)
{
	for (size_t i = 0; i < TASKSET_PROGS; i++) {
		close_fd(s, &s->links[i]);
		close_fd(s, &s->progs[i]);
	}
	close_fd(s, &s->maps.tasks);
	close_fd(s, &s->maps.losses);
}

uint64_t taskset_lost(const struct taskset *s)
{
	uint32_t at = 0;
	uint64_t n = 0;

	program_map_get(s->want.bpf, s->maps.losses, &at, &n);
	for (size_t i = 0; i < s->n_progs; i++)
		n += program_missed(s->want.bpf, s->progs[i]);
	return n;
}
