/* bpf/taskset: who is counted, from its exec to the middle of its exit, and what it starts. */
#include "bpf/taskset.h"
#include "bpf_machine.h"

enum { TASKS = 21, LOSSES, PID_AT = 24, EVENTS_AT = 40, MOST = 4 };

/* As the kernel has it: a number at PID_AT, at EVENTS_AT the address of its perf events, or 0. */
struct task {
	uint8_t bytes[64];
};

static struct {
	struct { uint32_t tid; uint64_t state; } v[MOST];
	size_t n;
	uint64_t lost, ctx[2];
	uint32_t tid;                    /* that runs */
	struct task task[2];
	bool unreadable;
	struct bpf_machine m;
	struct asm_prog a;
} k;

static struct taskset_maps maps = { TASKS, LOSSES, PID_AT, EVENTS_AT, false };

static uint64_t *state_of(uint32_t tid)
{
	for (size_t i = 0; i < k.n; i++)
		if (k.v[i].tid == tid)
			return &k.v[i].state;
	return NULL;
}

static uint64_t update(uint32_t tid, uint64_t state)
{
	uint64_t *to = state_of(tid);

	if (!to && k.n == MOST)
		return (uint64_t)-E2BIG;
	if (!to) {
		k.v[k.n].tid = tid;
		to = &k.v[k.n++].state;
	}
	*to = state;
	return 0;
}

static uint64_t drop(uint32_t tid)
{
	for (size_t i = 0; i < k.n; i++)
		if (k.v[i].tid == tid) {
			k.v[i] = k.v[--k.n];
			return 0;
		}
	return (uint64_t)-ENOENT;
}

static uint64_t call(struct bpf_machine *m, int helper, bool *bad)
{
	uint64_t state;
	uint32_t key;

	switch (helper) {
	case BPF_PID_TGID: return 77ull << 32 | k.tid;
	case BPF_CURRENT_TASK_BTF:
		*bad = !maps.is_typed;
		return (uintptr_t)&k.task[0];
	case BPF_CURRENT_TASK:
		*bad = maps.is_typed;
		return (uintptr_t)&k.task[0];
	case BPF_PROBE_READ_KERNEL:
		if (k.unreadable)
			return (uint64_t)-EFAULT;
		memcpy(machine_at(m, m->r[1], m->r[2]), machine_at(m, m->r[3], m->r[2]), m->r[2]);
		return 0;
	case BPF_LOOKUP_ELEM:
		memcpy(&key, machine_at(m, m->r[2], 4), 4);
		CHECK(m->r[1] == TASKS || !key);
		return m->r[1] == TASKS ? (uintptr_t)state_of(key) : (uintptr_t)&k.lost;
	case BPF_UPDATE_ELEM:
		memcpy(&key, machine_at(m, m->r[2], 4), 4);
		memcpy(&state, machine_at(m, m->r[3], 8), 8);
		return update(key, state);
	case BPF_DELETE_ELEM:
		memcpy(&key, machine_at(m, m->r[2], 4), 4);
		return drop(key);
	default: *bad = true; return 0;
	}
}

/* The perf events of the task that runs. */
static void have_events(uint64_t at)
{
	memcpy(k.task[0].bytes + EVENTS_AT, &at, sizeof(at));
}

static void set_up(void)
{
	memset(&k, 0, sizeof(k));
	maps.is_typed = false;
	have_events(0xffff000012345678);
	k.m.call = call;
	machine_memory(&k.m, k.v, sizeof(k.v));
	machine_memory(&k.m, &k.lost, sizeof(k.lost));
	machine_memory(&k.m, k.ctx, sizeof(k.ctx));
	machine_memory(&k.m, k.task, sizeof(k.task));
}

static void put(uint32_t tid, uint64_t state)
{
	CHECK_EQ(update(tid, state), 0);
}

static uint64_t run(void)
{
	struct err e = { 0 };

	CHECK_SAY(!asm_end(&k.a, &e), "%s", e.text);
	k.m.steps = 0;
	return machine_run(&k.m, k.a.v, k.a.n, k.ctx);
}

/* Is the thread that runs one of them? */
static bool passes(void)
{
	struct asm_label out = { 0 }, failed = { 0 };
	int16_t slots[2];

	asm_init(&k.a);
	slots[0] = asm_slot(&k.a);
	slots[1] = asm_slot(&k.a);
	taskset_check(&k.a, &maps, slots, &out, &failed);
	asm_imm(&k.a, ASM_MOV, R0, 1);
	asm_exit(&k.a);
	asm_here(&k.a, &out);
	asm_here(&k.a, &failed);
	asm_imm(&k.a, ASM_MOV, R0, 0);
	asm_exit(&k.a);
	return run();
}

static void turn(void (*build)(struct asm_prog *a, const struct taskset_maps *m))
{
	build(&k.a, &maps);
	CHECK_EQ(run(), 0);
}

static void start(uint32_t tid)
{
	memcpy(k.task[1].bytes + PID_AT, &tid, sizeof(tid));
	k.ctx[1] = (uintptr_t)&k.task[1];
	turn(taskset_build_fork);
}

TEST(taskset_counts_its_own_alone)
{
	set_up();
	put(5, TASKSET_COUNTED);
	k.tid = 5;
	CHECK(passes());
	k.tid = 6;
	CHECK(!passes());
}

TEST(taskset_begins_with_the_exec)
{
	set_up();
	put(5, TASKSET_HELD);
	k.tid = 5;
	CHECK(!passes());
	k.tid = 6;
	turn(taskset_build_exec);
	k.tid = 5;
	CHECK(!passes());
	turn(taskset_build_exec);
	CHECK(passes());
}

TEST(taskset_follows_what_its_tasks_start)
{
	set_up();
	put(5, TASKSET_COUNTED);
	k.tid = 6;
	start(60);
	k.tid = 5;
	start(50);
	k.tid = 50;
	CHECK(passes());
	start(51);
	CHECK_EQ(*state_of(51), TASKSET_COUNTED);
	CHECK(!state_of(60));
	CHECK_EQ(k.lost, 0);
}

TEST(taskset_tells_what_it_could_not_follow)
{
	set_up();
	put(5, TASKSET_COUNTED);
	k.tid = 5;
	k.unreadable = true;
	start(50);
	k.unreadable = false;
	for (uint32_t tid = 51; tid < 56; tid++)
		start(tid);
	CHECK_EQ(k.n, MOST);
	CHECK_EQ(k.lost, 3);
}

TEST(taskset_counts_until_perf_has_taken_its_events)
{
	set_up();
	put(5, TASKSET_COUNTED);
	k.tid = 5;
	CHECK(passes());
	k.unreadable = true;
	CHECK(!passes());
	k.unreadable = false;
	maps.is_typed = true;
	CHECK(passes());
	have_events(0);
	CHECK(!passes());
	maps.is_typed = false;
	CHECK(!passes());
}

/* The number may be another's as soon as the task is gone. */
TEST(taskset_forgets_who_is_gone)
{
	uint32_t tid = 5;

	set_up();
	put(5, TASKSET_COUNTED);
	put(6, TASKSET_COUNTED);
	memcpy(k.task[0].bytes + PID_AT, &tid, sizeof(tid));
	k.ctx[0] = (uintptr_t)&k.task[0];
	turn(taskset_build_free);
	CHECK(!state_of(5) && state_of(6));
	k.tid = 5;
	CHECK(!passes());
	turn(taskset_build_free);
	CHECK_EQ(k.n, 1);
}
