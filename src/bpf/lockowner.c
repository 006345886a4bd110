/* lockowner.c - load and attach the program of lockowner.h, and read its records. */
#include "bpf/lockowner.h"

#include "analyse/contention.h"

/* On PREEMPT_RT mutexes and spinlocks contain an rt_mutex_base, and the other kinds have no owner word. */
static const struct {
	uint32_t flags;
	const char *of;
	uint32_t readers;
} kinds[LOCKOWNER_LOCKS] = {
	{ LOCK_MUTEX, "mutex", 0 }, { LOCK_MUTEX | LOCK_SPIN, "mutex", 0 },
	{ LOCK_READ, "rw_semaphore", 1 }, { LOCK_WRITE, "rw_semaphore", 1 },
	{ LOCK_RT, "rt_mutex_base", 0 },
};

static int find_members(struct lockowner_kernel *k, const struct ktypes *types, struct err *e)
{
	struct kmember m;
	int r;

	k->n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!ktypes_member(types, kinds[i].of, "owner", &m, NULL) && m.size == 8)
			k->locks[k->n++] = (struct lockowner_lock){ kinds[i].flags, m.off, kinds[i].readers };
	if (!k->n)
		return err_set(e, EOPNOTSUPP, "no lock of this kernel tells its owner");
	r = ktypes_member(types, "task_struct", "pid", &m, e);
	k->pid = m.off;
	r = r ? r : ktypes_member(types, "task_struct", "comm", &m, e);
	k->comm = m.off;
	if (!r && m.size != LOCKOWNER_COMM)
		return err_set(e, EOPNOTSUPP, "names of tasks have %u bytes in this kernel", m.size);
	r = r ? r : ktypes_member(types, "task_struct", "perf_event_ctxp", &m, e);
	/* Before Linux 6.2 it is an array of two, hardware and software; tracepoints are in the second. */
	k->events = m.off + m.size - 8;
	return r;
}

static int find_stacks(struct lockowner_kernel *k, const struct ktypes *types, struct err *e)
{
	struct kmember m = { 0 };

	k->event = ktypes_type(types, "btf_trace_contention_begin");
	k->task_from_pid = ktypes_function(types, "bpf_task_from_pid");
	k->task_release = ktypes_function(types, "bpf_task_release");
	if (!k->event || !k->task_from_pid || !k->task_release)
		return err_set(e, EOPNOTSUPP, "this kernel gives programs no task by its number (Linux 6.2)");
	if (!ktypes_member(types, "task_struct", "on_cpu", &m, NULL) && m.size == 4)
		k->on_cpu = m.off;
	return 0;
}

static int look(struct lockowner *l, struct err *e)
{
	struct ktypes types;
	int r = ktypes_open(&types, l->sys, e);

	if (r)
		return r;
	r = find_members(&l->kernel, &types, e);
	r = r || !l->kernel.depth ? r : find_stacks(&l->kernel, &types, e);
	ktypes_close(&types);
	return r;
}

static size_t record_bytes(const struct lockowner *l)
{
	return sizeof(struct lockowner_rec) + l->kernel.depth * sizeof(uint64_t);
}

static int make_maps(struct lockowner *l, struct err *e)
{
	static const struct bpf_map_make make = { BPF_MAP_RINGBUF, 0, 0, LOCKOWNER_RING, 0 };
	const struct bpf_map_make place = { BPF_MAP_PERCPU_ARRAY, 4, (uint32_t)record_bytes(l), 1, 0 };
	int r;

	l->place = program_map(l->bpf, &place, e);
	if (l->place < 0)
		return l->place;
	l->map = program_map(l->bpf, &make, e);
	if (l->map < 0)
		return l->map;
	r = bpf_ring_init(&l->ring, l->sys, l->map, LOCKOWNER_RING);
	return r ? err_set(e, -r, "the ring of a program cannot be mapped: %s", err_name(-r)) : 0;
}

static int attach(struct lockowner *l, struct err *e)
{
	const struct lockowner_kernel *k = &l->kernel;
	/* A program with BTF types has its tracepoint from loading. */
	struct bpf_raw_tracepoint at = { .name = k->depth ? 0 : (uintptr_t)"contention_begin" };
	struct asm_prog *a = malloc(sizeof(*a));

	if (!a)
		return err_nomem(e);
	lockowner_build(a, k, l->map, l->place);
	l->prog = k->depth ? program_load_typed(l->bpf, a, k->event, e)
			   : program_load(l->bpf, a, BPF_PROG_RAW_TRACEPOINT, e);
	free(a);
	if (l->prog < 0)
		return l->prog;
	at.prog = (uint32_t)l->prog;
	l->link = l->bpf->call(l->bpf, BPF_RAW_TRACEPOINT, &at, sizeof(at));
	return l->link < 0 ? err_set(e, -l->link, "contention_begin: the kernel attaches no program to it: %s",
				     err_name(-l->link)) : 0;
}

int lockowner_open(struct lockowner *l, const struct lockowner_want *w, struct err *e)
{
	int r;

	*l = (struct lockowner){ .sys = w->sys, .bpf = w->bpf, .kernel = { .watched = w->watched, .depth = w->depth },
				 .map = -1, .place = -1, .prog = -1, .link = -1 };
	if (!program_has_our_tids(w->sys))
		return err_set(e, EOPNOTSUPP, "in a process namespace programs know no task by its number");
	r = look(l, e);
	r = r ? r : make_maps(l, e);
	r = r ? r : attach(l, e);
	if (r)
		lockowner_close(l);
	return r;
}

static void close_fd(const struct lockowner *l, int *fd)
{
	if (*fd >= 0)
		l->sys->close(l->sys, *fd);
	*fd = -1;
}

void lockowner_close(struct lockowner *l)
{
	if (!l->bpf)
		return;
	close_fd(l, &l->link);
	close_fd(l, &l->prog);
	bpf_ring_deinit(&l->ring, l->sys);
	close_fd(l, &l->map);
	close_fd(l, &l->place);
}

bool lockowner_next(struct lockowner *l, struct lockowner_rec *rec, const uint64_t **ips)
{
	size_t room = record_bytes(l) - sizeof(*rec), n;
	const uint8_t *p;

	bpf_ring_release(&l->ring);
	do
		p = bpf_ring_next(&l->ring, &n);
	while (p && n != sizeof(*rec) + room);
	if (p) {
		memcpy(rec, p, sizeof(*rec));
		rec->comm[LOCKOWNER_COMM - 1] = '\0';
		rec->stack = MIN(rec->stack, (int64_t)room);
		*ips = (const uint64_t *)(const void *)(p + sizeof(*rec));
	}
	return p;
}

bool lockowner_is_told(const struct lockowner *l, uint32_t flags)
{
	unsigned i = 0;

	while (i < l->kernel.n && l->kernel.locks[i].flags != (flags & LOCK_FLAGS))
		i++;
	return i < l->kernel.n;
}
