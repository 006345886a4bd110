/* argmem.c - loads and attaches the programs of argmem.h, and reads what they write. */
#include "bpf/argmem.h"

#include "bpf/ktypes.h"

static int make_maps(struct argmem *m, struct err *e)
{
	static const struct bpf_map_make makes[] = {
		{ BPF_MAP_RINGBUF, 0, 0, ARGMEM_RING, 0 },
		{ BPF_MAP_ARRAY, 4, sizeof(struct argmem_plan), ARGMEM_PLANS, 0 },
		{ BPF_MAP_HASH, 4, 4, ARGMEM_TASKS, 0 },
		{ BPF_MAP_ARRAY, 4, 8, 1, 0 },
		{ BPF_MAP_HASH, 4, 4, ARGMEM_TASKS, 0 },
	};
	int *const to[] = { &m->map, &m->plans, &m->tasks, &m->lost, &m->again };

	for (size_t i = 0; i < ARRAY_SIZE(makes); i++) {
		*to[i] = program_map(m->want.bpf, &makes[i], e);
		if (*to[i] < 0)
			return *to[i];
	}
	return 0;
}

static int attach(struct argmem *m, const struct asm_prog *a, const char *event, struct err *e)
{
	struct bpf_raw_tracepoint at = { .name = (uintptr_t)event };
	unsigned i = m->n_progs;

	m->progs[i] = program_load(m->want.bpf, a, BPF_PROG_RAW_TRACEPOINT, e);
	if (m->progs[i] < 0)
		return m->progs[i];
	m->n_insns += a->n;
	m->n_progs++;
	at.prog = (uint32_t)m->progs[i];
	m->links[i] = m->want.bpf->call(m->want.bpf, BPF_RAW_TRACEPOINT, &at, sizeof(at));
	return m->links[i] < 0 ? err_set(e, -m->links[i], "%s: the kernel attaches no program to it: %s", event,
					 err_name(-m->links[i])) : 0;
}

/* Follow children; possible only if BTF has the offset of a task's pid. */
static int follow(struct argmem *m, struct asm_prog *a, const struct argmem_maps *maps, struct err *e)
{
	struct kmember pid;
	struct ktypes types;
	int r;

	if (m->want.all)
		return 0;
	argmem_build_exit(a, maps);
	r = attach(m, a, "sched_process_exit", e);
	if (r || !m->want.children || ktypes_open(&types, m->want.sys, NULL))
		return r;
	m->follows = !ktypes_member(&types, "task_struct", "pid", &pid, NULL);
	ktypes_close(&types);
	if (!m->follows)
		return 0;
	argmem_build_fork(a, maps, pid.off);
	return attach(m, a, "sched_process_fork", e);
}

static int load(struct argmem *m, struct err *e)
{
	static const struct {
		const char *event;
		enum argmem_when when;
	} at[] = { { "sys_enter", ARGMEM_BEGIN }, { "sys_enter", ARGMEM_LIST_BEGIN }, { "sys_exit", ARGMEM_AGAIN },
		   { "sys_exit", ARGMEM_END }, { "sys_exit", ARGMEM_LIST_END } };
	const struct argmem_maps maps = { m->map, m->plans, m->tasks, m->lost, m->again };
	struct asm_prog *a = malloc(sizeof(*a));
	int r = a ? 0 : err_nomem(e);

	for (size_t i = 0; !r && i < ARRAY_SIZE(at); i++) {
		argmem_build(a, &m->want, &maps, at[i].when);
		r = attach(m, a, at[i].event, e);
	}
	r = r ? r : follow(m, a, &maps, e);
	free(a);
	return r;
}

int argmem_open(struct argmem *m, const struct argmem_want *w, struct err *e)
{
	int r;

	*m = (struct argmem){ .want = *w, .map = -1, .plans = -1, .tasks = -1, .lost = -1,
				.again = -1 };
	for (size_t i = 0; i < ARRAY_SIZE(m->progs); i++)
		m->progs[i] = m->links[i] = -1;
	if (!w->regs)
		return err_set(e, EOPNOTSUPP, "it is not known where this machine keeps arguments of calls");
	r = make_maps(m, e);
	if (!r) {
		r = bpf_ring_init(&m->ring, w->sys, m->map, ARGMEM_RING);
		if (r)
			err_set(e, -r, "the ring of a program cannot be mapped: %s", err_name(-r));
	}
	r = r ? r : load(m, e);
	if (r)
		argmem_close(m);
	return r;
}

static void close_fd(const struct argmem *m, int *fd)
{
	if (*fd >= 0)
		m->want.sys->close(m->want.sys, *fd);
	*fd = -1;
}

void argmem_close(struct argmem *m)
{
	if (!m->want.sys)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(m->progs); i++) {
		close_fd(m, &m->links[i]);
		close_fd(m, &m->progs[i]);
	}
	bpf_ring_deinit(&m->ring, m->want.sys);
	close_fd(m, &m->map);
	close_fd(m, &m->plans);
	close_fd(m, &m->tasks);
	close_fd(m, &m->lost);
	close_fd(m, &m->again);
}

static int put_plan(const struct argmem *m, uint32_t key, const struct argmem_what *what, unsigned n)
{
	const uint16_t *regs = m->want.regs->arg;
	struct argmem_plan plan = { .n = n };

	for (unsigned i = 0; i < n; i++)
		plan.v[i] = (struct argmem_fetch){
			.from = regs[what[i].arg], .how = what[i].how, .count = regs[what[i].count],
			.each = MAX(what[i].each, 1u), .most = what[i].most,
		};
	if (n == 1 && what->how == ARGMEM_LIST)
		plan.v[1].from = regs[what->arg + 1];
	return n ? program_map_put(m->want.bpf, m->plans, &key, &plan) : 0;
}

int argmem_plan(const struct argmem *m, uint32_t nr, bool at_end, const struct argmem_what *what, unsigned n)
{
	unsigned lists = n && n <= ARGMEM_MOST && argmem_is_list(what[n - 1].how);
	int r;

	if (nr >= ARGMEM_CALLS || n > ARGMEM_MOST)
		return -EINVAL;
	r = put_plan(m, nr + argmem_plans_of(at_end ? ARGMEM_END : ARGMEM_BEGIN), what, n - lists);
	return r ? r : put_plan(m, nr + argmem_plans_of(at_end ? ARGMEM_LIST_END : ARGMEM_LIST_BEGIN),
				what + n - lists, lists);
}

int argmem_task(const struct argmem *m, uint32_t tid)
{
	uint32_t one = 1;

	return program_map_put(m->want.bpf, m->tasks, &tid, &one);
}

static void check_items(struct argmem_rec *rec, size_t n)
{
	struct argmem_item it;

	if (rec->got > (int32_t)MIN(n / sizeof(it), (size_t)ARGMEM_ITEMS))
		rec->got = -EFAULT;
	for (int32_t i = 0; i < rec->got; i++) {
		memcpy(&it, rec->bytes + (size_t)i * sizeof(it), sizeof(it));
		if (it.got > ARGMEM_TEXT)
			it.got = -EFAULT;
		memcpy(rec->bytes + (size_t)i * sizeof(it), &it, sizeof(it));
	}
}

/* Mark the parts that a short record lacks as empty. */
static void check_parts(struct argmem_rec *rec, size_t n)
{
	for (size_t i = 0; i < ARGMEM_MOST; i++) {
		struct argmem_part *part = &rec->part[i];

		if (n < offsetof(struct argmem_rec, part) + (i + 1) * sizeof(*part))
			*part = (struct argmem_part){ .got = -ENOENT };
		if (part->got > ARGMEM_BYTES)
			part->got = -EFAULT;
	}
}

/* Limit the counts of a record of n bytes to what it has. */
static void check_counts(struct argmem_rec *rec, size_t n)
{
	size_t room = n < offsetof(struct argmem_rec, bytes) ? 0 : n - offsetof(struct argmem_rec, bytes);

	switch (rec->when) {
	case ARGMEM_LIST_BEGIN:
	case ARGMEM_LIST_END: check_items(rec, room); break;
	case ARGMEM_LONG:
	case ARGMEM_ENV: rec->got = rec->got > (int32_t)room ? -EFAULT : rec->got; break;
	default: check_parts(rec, n); break;
	}
}

bool argmem_next(struct argmem *m, struct argmem_rec *rec)
{
	const uint8_t *p;
	size_t n;

	while ((p = bpf_ring_next(&m->ring, &n)) && (n < offsetof(struct argmem_rec, bytes) || n > sizeof(*rec)))
		m->undecodable++;
	if (p) {
		memcpy(rec, p, n);
		check_counts(rec, n);
	}
	bpf_ring_release(&m->ring);
	return p;
}

uint64_t argmem_lost(const struct argmem *m)
{
	uint64_t n = 0;
	uint32_t key = 0;

	if (m->want.bpf && m->lost >= 0)
		program_map_get(m->want.bpf, m->lost, &key, &n);
	return n + m->undecodable;
}
