/* bpf/lockowner: its program runs over locks and tasks that are made here; and what is read of its ring. */
#include "bpf/lockowner.h"

#include "analyse/contention.h"
#include "bpf_machine.h"
#include "bpf_ring_fake.h"

enum { RING = 5, PLACE = 6, WORD_AT = 8, RT_AT = 16, ON_CPU_AT = 20, PID_AT = 24, COMM_AT = 32, EVENTS_AT = 48 };
enum { DEPTH = 3, FROM_PID = 70001, RELEASE = 70002 };

static struct {
	struct bpf_machine m;
	struct asm_prog a;
	uint64_t lock[4], ctx[2];
	_Alignas(8) uint8_t owner[64], current[64];
	struct lockowner_rec rec;
	uint64_t ips[DEPTH];             /* behind it */
	unsigned n_rec, held, depth;
	bool full, gone;
	const void *unreadable;
} k;

static const struct lockowner_kernel kernel = {
	.locks = {
		{ LOCK_MUTEX, WORD_AT, 0 }, { LOCK_MUTEX | LOCK_SPIN, WORD_AT, 0 },
		{ LOCK_READ, WORD_AT, 1 }, { LOCK_WRITE, WORD_AT, 1 }, { LOCK_RT, RT_AT, 0 },
	},
	.n = 5, .pid = PID_AT, .comm = COMM_AT, .events = EVENTS_AT,
	.on_cpu = ON_CPU_AT, .event = 70000, .task_from_pid = FROM_PID, .task_release = RELEASE,
};

static uint64_t output(struct bpf_machine *m)
{
	CHECK_EQ(m->r[1], RING);
	CHECK_EQ(m->r[2], (uintptr_t)&k.rec);
	CHECK_EQ(m->r[3], sizeof(k.rec) + k.depth * sizeof(uint64_t));
	CHECK_EQ(m->r[4], BPF_RB_NO_WAKEUP);
	k.n_rec += !k.full;
	return k.full ? (uint64_t)-EAGAIN : 0;
}

static uint64_t place(struct bpf_machine *m)
{
	uint32_t key;

	memcpy(&key, machine_at(m, m->r[2], sizeof(key)), sizeof(key));
	CHECK_EQ(m->r[1], PLACE);
	CHECK_EQ(key, 0);
	return (uintptr_t)&k.rec;
}

static uint64_t read_kernel(struct bpf_machine *m)
{
	void *to = machine_at(m, m->r[1], m->r[2]);

	if (m->r[3] == (uintptr_t)k.unreadable) {
		memset(to, 0, m->r[2]);
		return (uint64_t)-EFAULT;
	}
	memcpy(to, machine_at(m, m->r[3], m->r[2]), m->r[2]);
	return 0;
}

static uint64_t task_from_pid(struct bpf_machine *m)
{
	CHECK_EQ(m->r[1], 99);
	k.held += !k.gone;
	return k.gone ? 0 : (uintptr_t)k.owner;
}

/* Two places: less than there is room for. */
static uint64_t task_stack(struct bpf_machine *m)
{
	uint64_t *to = machine_at(m, m->r[2], DEPTH * sizeof(*to));

	CHECK_EQ(m->r[1], (uintptr_t)k.owner);
	CHECK_EQ(m->r[2], (uintptr_t)&k.ips);
	CHECK_EQ(m->r[3], DEPTH * sizeof(*to));
	CHECK_EQ(m->r[4], 0);
	CHECK_EQ(k.held, 1);
	to[0] = 0x1000;
	to[1] = 0x2000;
	return 2 * sizeof(*to);
}

static uint64_t task_release(struct bpf_machine *m)
{
	CHECK_EQ(m->r[1], (uintptr_t)k.owner);
	k.held--;
	return 0;
}

static uint64_t call(struct bpf_machine *m, int helper, bool *bad)
{
	switch (helper) {
	case BPF_PID_TGID: return UINT64_C(7) << 32 | 71;
	case BPF_KTIME_GET_NS: return 1234;
	case BPF_CPU_ID: return 3;
	case BPF_CURRENT_TASK: return (uintptr_t)k.current;
	case BPF_LOOKUP_ELEM: return place(m);
	case BPF_RINGBUF_OUTPUT: return output(m);
	case BPF_PROBE_READ_KERNEL: return read_kernel(m);
	case BPF_GET_TASK_STACK: return task_stack(m);
	case MACHINE_KERNEL + FROM_PID: return task_from_pid(m);
	case MACHINE_KERNEL + RELEASE: return task_release(m);
	default: *bad = true; return 0;
	}
}

static void set_up(void)
{
	uint32_t pid = 99;

	memset(&k, 0, sizeof(k));
	k.m.call = call;
	memcpy(k.owner + PID_AT, &pid, sizeof(pid));
	memcpy(k.owner + COMM_AT, "fifteen letters", 16);
	machine_memory(&k.m, k.lock, sizeof(k.lock));
	machine_memory(&k.m, k.ctx, sizeof(k.ctx));
	machine_memory(&k.m, k.owner, sizeof(k.owner));
	machine_memory(&k.m, k.current, sizeof(k.current));
	machine_memory(&k.m, &k.rec, sizeof(k.rec) + sizeof(k.ips));
}

/* A task begins to wait; how many records there are. */
static unsigned run(uint32_t flags, uint64_t word, bool watched)
{
	struct lockowner_kernel of = kernel;

	of.watched = watched;
	of.depth = k.depth;
	k.n_rec = 0;
	k.lock[WORD_AT / 8] = word;
	k.ctx[0] = (uintptr_t)k.lock;
	k.ctx[1] = flags;
	lockowner_build(&k.a, &of, RING, PLACE);
	CHECK_EQ(asm_end(&k.a, NULL), 0);
	k.m.steps = 0;
	CHECK_EQ(machine_run(&k.m, k.a.v, k.a.n, k.ctx), 0);
	CHECK(k.m.deepest < 64);
	return k.n_rec;
}

static uint64_t owner(unsigned flags)
{
	return (uintptr_t)k.owner | flags;
}

TEST(lockowner_reads_the_owner_in_mutexes_and_rwsems)
{
	static const struct { uint32_t kind; unsigned flags; } v[] = {
		{ LOCK_MUTEX, 0 }, { LOCK_MUTEX | LOCK_SPIN, 1 }, { LOCK_MUTEX, 7 }, { LOCK_WRITE, 0 },
		{ LOCK_READ, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		set_up();
		CHECK_EQ(run(v[i].kind, owner(v[i].flags), false), 1);
		CHECK_EQ(k.rec.state, LOCKOWNER_TASK);
		CHECK_EQ(k.rec.owner, 99);
		CHECK_STR(k.rec.comm, "fifteen letters");
		CHECK_EQ(k.rec.tid, 71);
		CHECK_EQ(k.rec.time, 1234);
		CHECK_EQ(k.rec.cpu, 3);
		CHECK_EQ(k.rec.lock, (uintptr_t)k.lock);
	}
}

TEST(lockowner_reads_the_owner_of_a_lock_of_real_time)
{
	set_up();
	k.lock[RT_AT / 8] = owner(1);
	CHECK_EQ(run(LOCK_RT, 0, false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_TASK);
	CHECK_EQ(k.rec.owner, 99);
}

/* The last of them to have come may be gone. */
TEST(lockowner_names_no_reader)
{
	set_up();
	CHECK_EQ(run(LOCK_WRITE, owner(1), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_READERS);
	CHECK_EQ(run(LOCK_READ, owner(3), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_READERS);
	/* The same bit of a mutex says that somebody waits. */
	CHECK_EQ(run(LOCK_MUTEX, owner(1), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_TASK);
}

TEST(lockowner_tells_when_nobody_has_it)
{
	set_up();
	CHECK_EQ(run(LOCK_MUTEX, 0, false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_NOBODY);
	CHECK_EQ(run(LOCK_MUTEX, 4, false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_NOBODY);
}

TEST(lockowner_tells_what_it_cannot_read)
{
	set_up();
	k.unreadable = &k.lock[WORD_AT / 8];
	CHECK_EQ(run(LOCK_MUTEX, owner(0), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_UNREAD);
	k.unreadable = k.owner + PID_AT;
	CHECK_EQ(run(LOCK_MUTEX, owner(0), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_UNREAD);
	k.unreadable = k.owner + COMM_AT;
	CHECK_EQ(run(LOCK_MUTEX, owner(0), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_UNREAD);
}

TEST(lockowner_passes_locks_that_do_not_tell)
{
	static const uint32_t kinds[] = {
		0, LOCK_SPIN, LOCK_SPIN | LOCK_READ, LOCK_SPIN | LOCK_WRITE, LOCK_PERCPU | LOCK_WRITE,
		LOCK_RT | LOCK_READ,
	};
	const struct lockowner l = { .kernel = kernel };

	set_up();
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		CHECK_EQ(run(kinds[i], owner(0), false), 0);
		CHECK(!lockowner_is_told(&l, kinds[i]));
	}
	CHECK(lockowner_is_told(&l, LOCK_MUTEX | LOCK_SPIN));
	CHECK(lockowner_is_told(&l, LOCK_WRITE));
}

TEST(lockowner_reads_of_the_watched_alone)
{
	uint64_t events = UINT64_C(0xffff000012345678);

	set_up();
	CHECK_EQ(run(LOCK_MUTEX, owner(0), true), 0);
	memcpy(k.current + EVENTS_AT, &events, sizeof(events));
	CHECK_EQ(run(LOCK_MUTEX, owner(0), true), 1);
	CHECK_EQ(k.rec.owner, 99);
	k.unreadable = k.current + EVENTS_AT;
	CHECK_EQ(run(LOCK_MUTEX, owner(0), true), 0);
}

TEST(lockowner_takes_the_stack_of_an_owner_that_sleeps)
{
	uint32_t on_cpu = 1;

	set_up();
	k.depth = DEPTH;
	CHECK_EQ(run(LOCK_MUTEX, owner(0), false), 1);
	CHECK_EQ(k.rec.owner, 99);
	CHECK_EQ(k.rec.stack, 16);
	CHECK_EQ(k.ips[1], 0x2000);
	CHECK_EQ(k.held, 0);
	/* No other CPU knows where one is that runs. */
	memcpy(k.owner + ON_CPU_AT, &on_cpu, sizeof(on_cpu));
	CHECK_EQ(run(LOCK_MUTEX, owner(0), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_TASK);
	CHECK_EQ(k.rec.stack, LOCKOWNER_RUNS);
	CHECK_EQ(run(LOCK_MUTEX, 0, false), 1);
	CHECK_EQ(k.rec.stack, 0);
}

TEST(lockowner_takes_no_stack_of_who_is_gone)
{
	set_up();
	k.depth = DEPTH;
	k.gone = true;
	CHECK_EQ(run(LOCK_MUTEX, owner(0), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_TASK);
	CHECK_EQ(k.rec.stack, 0);
	CHECK_EQ(run(LOCK_WRITE, owner(1), false), 1);
	CHECK_EQ(k.rec.state, LOCKOWNER_READERS);
	CHECK_EQ(k.rec.stack, 0);
}

TEST(lockowner_lives_with_a_full_ring)
{
	set_up();
	k.full = true;
	CHECK_EQ(run(LOCK_MUTEX, owner(0), false), 0);
}

TEST(lockowner_reads_its_ring)
{
	struct lockowner l = { .sys = &ring_sys };
	struct lockowner_rec rec = { .tid = 5, .owner = 6, .state = LOCKOWNER_TASK }, got;
	const uint64_t *ips;

	memset(rec.comm, 'x', sizeof(rec.comm));
	CHECK_EQ(bpf_ring_init(&l.ring, &ring_sys, 3, RING_BYTES), 0);
	CHECK(!lockowner_next(&l, &got, &ips));
	/* What is not as long is none. */
	write_ring(0, &rec, sizeof(rec) - 8);
	write_ring(0, &rec, sizeof(rec));
	CHECK(lockowner_next(&l, &got, &ips));
	CHECK_EQ(got.owner, 6);
	CHECK_EQ(strlen(got.comm), LOCKOWNER_COMM - 1);
	CHECK(!lockowner_next(&l, &got, &ips));
	bpf_ring_deinit(&l.ring, &ring_sys);
}

TEST(lockowner_reads_stacks_in_its_ring)
{
	struct lockowner l = { .sys = &ring_sys, .kernel.depth = 2 };
	struct { struct lockowner_rec rec; uint64_t ips[2]; } w = { { .stack = 16 }, { 10, 20 } };
	struct lockowner_rec got;
	const uint64_t *ips;

	CHECK_EQ(bpf_ring_init(&l.ring, &ring_sys, 3, RING_BYTES), 0);
	write_ring(0, &w.rec, sizeof(w.rec));
	write_ring(0, &w, sizeof(w));
	w.rec.stack = 1 << 20;
	write_ring(0, &w, sizeof(w));
	CHECK(lockowner_next(&l, &got, &ips));
	CHECK_EQ(got.stack, 16);
	CHECK_EQ(ips[0], 10);
	CHECK_EQ(ips[1], 20);
	/* No more than there is room for. */
	CHECK(lockowner_next(&l, &got, &ips));
	CHECK_EQ(got.stack, 16);
	CHECK(!lockowner_next(&l, &got, &ips));
	bpf_ring_deinit(&l.ring, &ring_sys);
}
