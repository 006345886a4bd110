/* bpf/sift: the program is run over tasks and queues that are made here, and asked for each condition. */
#include "bpf/sift.h"
#include "bpf_machine.h"
#include "btf_build.h"

/* Not the kernel's places: the program must take what it is told. */
struct fake_queue { uint64_t pad[3]; uint32_t nr_running; };
struct fake_cfs { uint64_t pad; struct fake_queue *rq; };
struct fake_task { uint64_t flags, pad; uint32_t policy, prio; struct fake_cfs *cfs; };
struct fake_regs { uint64_t pad[5], mask; };
struct fake_ctx { struct fake_regs *regs; uint64_t pad[32], pstate; };

static struct {
	uint64_t counts[3];
	struct fake_queue queue;
	struct fake_cfs cfs;
	struct fake_task task;
	struct fake_regs regs;
	struct fake_ctx ctx;
	uint64_t pid_tgid;
	bool unreadable;
	struct asm_prog prog;
	struct bpf_machine m;
} f;

static const struct arch_flags arm_flags = { .off = 264, .irq_bit = 7, .irqs_off_if_set = true };
static const struct arch_flags x86_flags = { .off = 264, .irq_bit = 9 };

static struct sift_kernel kernel(void)
{
	return (struct sift_kernel){
		.flags = &arm_flags, .read = BPF_PROBE_READ_KERNEL, .resched_bit = 1,
		.task_flags = { offsetof(struct fake_task, flags), 8 },
		.policy = { offsetof(struct fake_task, policy), 4 }, .prio = { offsetof(struct fake_task, prio), 4 },
		.cfs_rq = { offsetof(struct fake_task, cfs), 8 }, .rq = { offsetof(struct fake_cfs, rq), 8 },
		.nr_running = { offsetof(struct fake_queue, nr_running), 4 },
		.ctx_regs = { 0, 8 }, .mask = { offsetof(struct fake_regs, mask), 8 },
	};
}

static uint64_t call(struct bpf_machine *m, int helper, bool *bad)
{
	switch (helper) {
	case BPF_LOOKUP_ELEM:
		CHECK_EQ(m->r[1], 77);
		CHECK_EQ(machine_load(m, 0, m->r[2]) & UINT32_MAX, 0);
		return (uintptr_t)f.counts;
	case BPF_CURRENT_TASK:
		return (uintptr_t)&f.task;
	case BPF_PID_TGID:
		return f.pid_tgid;
	case BPF_PROBE_READ_KERNEL:
		if (f.unreadable)
			return (uint64_t)-EPERM;
		memcpy(machine_at(m, m->r[1], m->r[2]), machine_at(m, m->r[3], m->r[2]), m->r[2]);
		return 0;
	default:
		*bad = true;
		return 0;
	}
}

static void set_up(const struct sift_want *w, const struct sift_kernel *k)
{
	memset(&f, 0, sizeof(f));
	f.m.call = call;
	machine_memory(&f.m, f.counts, sizeof(f.counts));
	machine_memory(&f.m, &f.queue, sizeof(f.queue));
	machine_memory(&f.m, &f.cfs, sizeof(f.cfs));
	machine_memory(&f.m, &f.task, sizeof(f.task));
	machine_memory(&f.m, &f.regs, sizeof(f.regs));
	machine_memory(&f.m, &f.ctx, sizeof(f.ctx));
	f.task.cfs = &f.cfs;
	f.cfs.rq = &f.queue;
	f.ctx.regs = &f.regs;
	f.regs.mask = 0xe0;
	sift_build(&f.prog, w, k, 77);
	CHECK_EQ(asm_end(&f.prog, NULL), 0);
}

static bool passes(void)
{
	uint64_t r;

	f.m.steps = 0;
	r = machine_run(&f.m, f.prog.v, f.prog.n, &f.ctx);
	CHECK(r <= 1);
	CHECK(f.m.deepest <= ASM_STACK);
	return r;
}

static struct sift_want want(unsigned asked)
{
	return (struct sift_want){ .asked = asked };
}

TEST(bpf_filter_by_interrupts)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(SIFT_IRQS);

	set_up(&w, &k);
	CHECK(passes());
	f.ctx.pstate = 0x80;
	CHECK(!passes());
	w.irqs_off = true;
	set_up(&w, &k);
	CHECK(!passes());
	f.ctx.pstate = ~0x80ull;
	CHECK(!passes());
	f.ctx.pstate = 0x80;
	CHECK(passes());
	CHECK_EQ(f.counts[0], 3);
	CHECK_EQ(f.counts[1], 1);
	CHECK_EQ(f.counts[2], 0);
}

TEST(bpf_filter_by_interrupts_of_x86)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(SIFT_IRQS);

	k.flags = &x86_flags;
	w.irqs_off = true;
	set_up(&w, &k);
	CHECK(passes());
	f.ctx.pstate = 0x200;
	CHECK(!passes());
}

TEST(bpf_filter_by_masked_priorities)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(SIFT_IRQS);

	k.has_mask = true;
	set_up(&w, &k);
	CHECK(passes());
	f.regs.mask = 0x60;
	CHECK(!passes());
	w.irqs_off = true;
	set_up(&w, &k);
	CHECK(!passes());
	f.regs.mask = 0x60;
	CHECK(passes());
	f.regs.mask = 0xe0;
	f.ctx.pstate = 0x80;
	CHECK(passes());
	f.unreadable = true;
	f.ctx.pstate = 0;
	CHECK(!passes());
	CHECK_EQ(f.counts[2], 1);
}

TEST(bpf_filter_by_need_resched)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(SIFT_RESCHED);

	w.resched = true;
	set_up(&w, &k);
	f.task.flags = ~2ull;
	CHECK(!passes());
	f.task.flags = 2;
	CHECK(passes());
	w.resched = false;
	set_up(&w, &k);
	CHECK(passes());
	f.task.flags = 2;
	CHECK(!passes());
}

/* The process, not the thread. */
TEST(bpf_filter_leaves_out_a_process)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(SIFT_NOT_PID);

	w.not_pid = 1234;
	set_up(&w, &k);
	f.pid_tgid = 1234ull << 32 | 1300;
	CHECK(!passes());
	f.pid_tgid = 1300ull << 32 | 1234;
	CHECK(passes());
}

TEST(bpf_filter_by_policy_and_priority)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(SIFT_POLICY | SIFT_PRIO);

	w.policy = 1;
	CHECK_EQ(cpus_parse(&w.prios, SV("0,10-19,98-120"), NULL), 0);
	set_up(&w, &k);
	f.task.policy = 1;
	for (unsigned prio = 0; prio < SIFT_PRIOS; prio++) {
		f.task.prio = prio;
		CHECK_EQ(passes(), cpus_has(&w.prios, prio));
	}
	f.task.prio = UINT32_MAX;
	CHECK(!passes());
	f.task.prio = 10;
	f.task.policy = 0;
	CHECK(!passes());
}

TEST(bpf_filter_by_the_queues_length)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(SIFT_LEAST_RUN | SIFT_MOST_RUN);

	w.least_run = 2;
	w.most_run = 3;
	set_up(&w, &k);
	for (unsigned n = 0; n < 6; n++) {
		f.queue.nr_running = n;
		CHECK_EQ(passes(), n == 2 || n == 3);
	}
	f.unreadable = true;
	CHECK(!passes());
	CHECK_EQ(f.counts[0], 7);
	CHECK_EQ(f.counts[1], 2);
	CHECK_EQ(f.counts[2], 1);
}

/* Every other priority: the longest list there is, beside all else. */
TEST(bpf_filter_of_everything_has_room)
{
	struct sift_kernel k = kernel();
	struct sift_want w = want(127);

	for (unsigned i = 0; i < SIFT_PRIOS; i += 2)
		cpus_set(&w.prios, i);
	w.most_run = 1;
	k.has_mask = true;
	set_up(&w, &k);
	f.pid_tgid = 1;
	CHECK(!passes());
	f.pid_tgid = 1ull << 32;
	CHECK(passes());
	f.task.prio = 7;
	CHECK(!passes());
}

TEST(bpf_filter_knows_the_bit_of_each_kernel)
{
	CHECK_EQ(sift_resched_bit(&arch_x86_64, 6, 17), 3);
	CHECK_EQ(sift_resched_bit(&arch_x86_64, 6, 18), 4);
	CHECK_EQ(sift_resched_bit(&arch_aarch64, 5, 10), 1);
	CHECK_EQ(sift_resched_bit(&arch_aarch64, 7, 1), 1);
	CHECK_EQ(sift_resched_bit(&arch_aarch64, 8, 0), -1);
}
