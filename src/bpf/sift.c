/* sift.c - the program that filters samples. */
#include "bpf/sift.h"

#include "abi/perf_event.h"

#include <sys/utsname.h>

/* GIC_PRIO_IRQON (arch/arm64/include/asm/ptrace.h): no interrupts are masked. */
enum { PRIORITY_UNMASKED = 0xe0 };

enum { SEEN = 0, PASSED = 8, UNKNOWN = 16, COUNTS = 24 };

/* Preserved registers. */
#define CONTEXT R6
#define COUNTERS R7
#define TASK R8

struct making {
	struct asm_prog *a;
	const struct sift_want *want;
	const struct sift_kernel *kernel;
	struct asm_label drop, unknown;
	int16_t slot;
};

static void count(struct asm_prog *a, int16_t which)
{
	asm_imm(a, ASM_MOV, R1, 1);
	asm_add_to(a, COUNTERS, which, R1);
}

static void begin(struct making *m, int counts)
{
	struct asm_prog *a = m->a;

	asm_reg(a, ASM_MOV, CONTEXT, R1);
	m->slot = asm_slot(a);
	asm_imm(a, ASM_MOV, R1, 0);
	asm_store(a, ASM_8, R10, m->slot, R1);
	asm_map(a, R1, counts);
	asm_address(a, R2, m->slot);
	asm_call(a, BPF_LOOKUP_ELEM);
	asm_jump_imm(a, ASM_JEQ, R0, 0, &m->drop);
	asm_reg(a, ASM_MOV, COUNTERS, R0);
	count(a, SEEN);
}

/* R1: the value at an offset of the address in `from`. */
static void read_member(struct making *m, enum asm_reg from, const struct kmember *what)
{
	struct asm_prog *a = m->a;
	bool is_wide = what->size == 8;

	asm_address(a, R1, m->slot);
	asm_imm(a, ASM_MOV, R2, is_wide ? 8 : 4);
	asm_reg(a, ASM_MOV, R3, from);
	asm_imm(a, ASM_ADD, R3, (int32_t)what->off);
	asm_call(a, m->kernel->read);
	asm_jump_imm(a, ASM_JNE, R0, 0, &m->unknown);
	asm_load(a, is_wide ? ASM_8 : ASM_4, R1, R10, m->slot);
}

/* Interrupts are disabled if the flags say so, or (pseudo-NMI) if the priority mask does. */
static void check_irqs(struct making *m)
{
	struct asm_prog *a = m->a;
	const struct arch_flags *f = m->kernel->flags;
	bool off = m->want->irqs_off;
	struct asm_label pass = { 0 };

	asm_load(a, ASM_8, R1, CONTEXT, (int16_t)f->off);
	asm_imm(a, ASM_AND, R1, INT32_C(1) << f->irq_bit);
	/* Either of the two suffices: jump if the flags already say "disabled". */
	asm_jump_imm(a, f->irqs_off_if_set ? ASM_JNE : ASM_JEQ, R1, 0, off ? &pass : &m->drop);
	if (m->kernel->has_mask) {
		read_member(m, CONTEXT, &m->kernel->ctx_regs);
		asm_reg(a, ASM_MOV, R9, R1);
		read_member(m, R9, &m->kernel->mask);
		asm_jump_imm(a, ASM_JNE, R1, PRIORITY_UNMASKED, off ? &pass : &m->drop);
	}
	if (off)
		asm_jump(a, &m->drop);
	asm_here(a, &pass);
}

static void check_pid(struct making *m)
{
	struct asm_prog *a = m->a;

	asm_call(a, BPF_PID_TGID);
	asm_imm(a, ASM_RSH, R0, 32);
	asm_jump_imm(a, ASM_JEQ, R0, (int32_t)m->want->not_pid, &m->drop);
}

static void check_resched(struct making *m)
{
	read_member(m, TASK, &m->kernel->task_flags);
	asm_imm(m->a, ASM_AND, R1, INT32_C(1) << m->kernel->resched_bit);
	asm_jump_imm(m->a, m->want->resched ? ASM_JEQ : ASM_JNE, R1, 0, &m->drop);
}

static void check_policy(struct making *m)
{
	read_member(m, TASK, &m->kernel->policy);
	asm_jump_imm(m->a, ASM_JNE, R1, (int32_t)m->want->policy, &m->drop);
}

/* One or two comparisons for each range of priorities. */
static void check_prio(struct making *m)
{
	struct asm_prog *a = m->a;
	const struct cpus *c = &m->want->prios;
	struct asm_label pass = { 0 };

	read_member(m, TASK, &m->kernel->prio);
	for (int from = cpus_next(c, 0); from >= 0; ) {
		struct asm_label next = { 0 };
		int to = from;

		while (cpus_has(c, (unsigned)to + 1))
			to++;
		asm_jump_imm(a, ASM_JLT, R1, from, &next);
		asm_jump_imm(a, ASM_JLE, R1, to, &pass);
		asm_here(a, &next);
		from = cpus_next(c, (unsigned)to + 1);
	}
	asm_jump(a, &m->drop);
	asm_here(a, &pass);
}

/* For every task, real-time ones too: its CFS entity leads to the CPU's run queue. */
static void check_run(struct making *m)
{
	struct asm_prog *a = m->a;
	const struct sift_want *w = m->want;

	read_member(m, TASK, &m->kernel->cfs_rq);
	asm_reg(a, ASM_MOV, R9, R1);
	read_member(m, R9, &m->kernel->rq);
	asm_reg(a, ASM_MOV, R9, R1);
	read_member(m, R9, &m->kernel->nr_running);
	if (w->asked & SIFT_LEAST_RUN)
		asm_jump_imm(a, ASM_JLT, R1, (int32_t)w->least_run, &m->drop);
	if (w->asked & SIFT_MOST_RUN)
		asm_jump_imm(a, ASM_JGT, R1, (int32_t)w->most_run, &m->drop);
}

static void check_all(struct making *m)
{
	unsigned asked = m->want->asked;

	if (asked & SIFT_IRQS)
		check_irqs(m);
	if (asked & SIFT_NOT_PID)
		check_pid(m);
	if (asked & (SIFT_RESCHED | SIFT_POLICY | SIFT_PRIO | SIFT_LEAST_RUN | SIFT_MOST_RUN)) {
		asm_call(m->a, BPF_CURRENT_TASK);
		asm_reg(m->a, ASM_MOV, TASK, R0);
	}
	if (asked & SIFT_RESCHED)
		check_resched(m);
	if (asked & SIFT_POLICY)
		check_policy(m);
	if (asked & SIFT_PRIO)
		check_prio(m);
	if (asked & (SIFT_LEAST_RUN | SIFT_MOST_RUN))
		check_run(m);
}

void sift_build(struct asm_prog *a, const struct sift_want *w, const struct sift_kernel *k, int counts)
{
	struct making m = { .a = a, .want = w, .kernel = k };
	bool reads;

	asm_init(a);
	begin(&m, counts);
	check_all(&m);
	count(a, PASSED);
	asm_imm(a, ASM_MOV, R0, 1);
	asm_exit(a);
	/* Old verifiers reject unreachable code: emit this only if it is used. */
	reads = m.unknown.last;
	asm_here(a, &m.unknown);
	if (reads)
		count(a, UNKNOWN);
	asm_here(a, &m.drop);
	asm_imm(a, ASM_MOV, R0, 0);
	asm_exit(a);
}

/* --- the running kernel --- */

int sift_resched_bit(const struct arch *a, unsigned major, unsigned minor)
{
	unsigned version = major << 8 | MIN(minor, 255u);

	if (version >= a->resched_from)
		return a->resched_bit_from;
	return a->resched_bit;
}

static int look_resched(struct sift_kernel *k, const struct ktypes *t, const struct sys *sys, struct err *e)
{
	struct utsname u;
	struct sv rest, word;
	uint64_t major = 0, minor = 0;
	int r = sys->uname(sys, &u), bit;

	if (r)
		return err_set(e, -r, "uname: %s", err_name(-r));
	rest = sv_from(u.release);
	if (sv_cut(&rest, '.', &word))
		str_u64(word, 10, &major);
	if (sv_cut(&rest, '.', &word))
		str_u64((struct sv){ word.s, strspn(word.s, "0123456789") }, 10, &minor);
	bit = sift_resched_bit(arch_native(), (unsigned)major, (unsigned)minor);
	if (bit < 0)
		return err_set(e, EOPNOTSUPP, "--tif_need_resched: it is not known which bit that is in Linux %.40s",
			       u.release);
	k->resched_bit = (unsigned)bit;
	return ktypes_member(t, "task_struct", "thread_info.flags", &k->task_flags, e);
}

static int look_run(struct sift_kernel *k, const struct ktypes *t, struct err *e)
{
	int r = ktypes_member(t, "task_struct", "se.cfs_rq", &k->cfs_rq, e);

	r = r ? r : ktypes_member(t, "cfs_rq", "rq", &k->rq, e);
	if (r == -ENOENT) {
		err_set(e, EOPNOTSUPP, "--nr_running_min, _max: from no task does this kernel lead to its CPU's queue");
		return err_hint(e, "build it with CONFIG_FAIR_GROUP_SCHED");
	}
	return r ? r : ktypes_member(t, "rq", "nr_running", &k->nr_running, e);
}

/* arm64 with pseudo-NMI (Linux 5.1): disabling interrupts masks them by priority. */
static bool masks_priorities(const struct sys *sys)
{
	char line[4096];
	const char *is = sys_read_text(sys, "/proc/cmdline", line, sizeof(line)) > 0
			 ? strstr(line, "irqchip.gicv3_pseudo_nmi=") : NULL;

	return is && is[25] && strchr("1yYtT", is[25]);
}

bool sift_sees_masked(const struct sys *sys)
{
	return !arch_native()->flags.irqs_off_if_set || masks_priorities(sys);
}

/* The member is called pmr since 6.13. */
static int look_mask(struct sift_kernel *k, const struct ktypes *t, const struct sys *sys, struct err *e)
{
	k->has_mask = masks_priorities(sys);
	if (!k->has_mask)
		return 0;
	if (ktypes_member(t, "pt_regs", "pmr_save", &k->mask, e)) {
		int r = ktypes_member(t, "pt_regs", "pmr", &k->mask, e);

		if (r)
			return r;
	}
	return ktypes_member(t, "bpf_perf_event_data_kern", "regs", &k->ctx_regs, e);
}

static int look(struct sift_kernel *k, const struct ktypes *t, const struct sift_want *w, const struct sys *sys,
		struct err *e)
{
	int r = 0;

	if (w->asked & SIFT_RESCHED)
		r = look_resched(k, t, sys, e);
	if (!r && w->asked & SIFT_POLICY)
		r = ktypes_member(t, "task_struct", "policy", &k->policy, e);
	if (!r && w->asked & SIFT_PRIO)
		r = ktypes_member(t, "task_struct", "prio", &k->prio, e);
	if (!r && w->asked & (SIFT_LEAST_RUN | SIFT_MOST_RUN))
		r = look_run(k, t, e);
	if (!r && w->asked & SIFT_IRQS)
		r = look_mask(k, t, sys, e);
	return r;
}

/* -ENOENT, -EOPNOTSUPP: this kernel lacks what the conditions need. */
static int look_up(struct sift_kernel *k, const struct sift_want *w, const struct sys *sys, struct err *e)
{
	struct ktypes t;
	int r;

	*k = (struct sift_kernel){ .flags = &arch_native()->flags, .read = BPF_PROBE_READ_KERNEL };
	if (!(w->asked & ~(unsigned)SIFT_NOT_PID))
		return 0;
	r = ktypes_open(&t, sys, e);
	if (r)
		return r;
	r = look(k, &t, w, sys, e);
	ktypes_close(&t);
	return r;
}

/* --- */

static int load(struct sift *f, const struct sift_want *w, struct sift_kernel *k, struct err *e)
{
	struct asm_prog *a = malloc(sizeof(*a));

	if (!a)
		return err_nomem(e);
	sift_build(a, w, k, f->map);
	f->prog = program_load(f->bpf, a, BPF_PROG_PERF_EVENT, e);
	if (f->prog == -EINVAL) {
		/* Before 5.5 a single helper reads all memory. */
		k->read = BPF_PROBE_READ;
		sift_build(a, w, k, f->map);
		f->prog = program_load(f->bpf, a, BPF_PROG_PERF_EVENT, e);
	}
	f->n_insns = a->n;
	free(a);
	return f->prog < 0 ? f->prog : 0;
}

int sift_open(struct sift *f, const struct sift_want *w, const struct sys *sys, const struct bpf *bpf,
		struct err *e)
{
	struct bpf_map_make counts = {
		.type = BPF_MAP_ARRAY, .key_size = 4, .value_size = COUNTS, .max_entries = 1,
	};
	struct sift_kernel k;
	int r;

	*f = (struct sift){ .sys = sys, .bpf = bpf, .prog = -1, .map = -1 };
	r = look_up(&k, w, sys, e);
	if (r)
		return r;
	f->map = program_map(bpf, &counts, e);
	r = f->map < 0 ? f->map : load(f, w, &k, e);
	if (r)
		sift_close(f);
	return r;
}

void sift_close(struct sift *f)
{
	if (f->prog >= 0)
		f->sys->close(f->sys, f->prog);
	if (f->map >= 0)
		f->sys->close(f->sys, f->map);
	f->prog = f->map = -1;
}

int sift_attach(const struct sift *f, int fd, struct err *e)
{
	int r = f->sys->ioctl(f->sys, fd, PERF_IOC_SET_BPF, (uintptr_t)f->prog);

	return r < 0 ? err_set(e, -r, "the kernel does not take the filter for this event: %s", err_name(-r)) : 0;
}

struct sift_counts sift_counts(const struct sift *f)
{
	uint64_t v[COUNTS / 8] = { 0 };
	uint32_t key = 0;

	program_map_get(f->bpf, f->map, &key, v);
	return (struct sift_counts){
		.seen = v[SEEN / 8], .passed = v[PASSED / 8], .unknown = v[UNKNOWN / 8],
		.missed = program_missed(f->bpf, f->prog),
	};
}
