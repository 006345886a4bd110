/*
 * filter.h - which samples of a PMU or of a timer are written: decided by a program of the event's own, before the sample
 * is made. What is asked for is what perf-prof calls --irqs_disabled, --tif_need_resched, --exclude_pid, --sched_policy,
 * --prio and --nr_running_min/max; of the task and the CPU that were interrupted.
 */
#ifndef BPF_FILTER_H
#define BPF_FILTER_H

#include "arch/arch.h"
#include "bpf/ktypes.h"
#include "bpf/program.h"

enum filter_ask {
	FILTER_IRQS = 1, FILTER_RESCHED = 2, FILTER_NOT_PID = 4, FILTER_POLICY = 8, FILTER_PRIO = 16,
	FILTER_LEAST_RUN = 32, FILTER_MOST_RUN = 64,
};

enum { FILTER_PRIOS = 140 };             /* 0-99 real time, 100-139 the rest, as the kernel counts them */

struct filter_want {
	unsigned asked;                  /* enum filter_ask */
	bool irqs_off, resched;          /* as they must be */
	uint32_t not_pid, policy, least_run, most_run;
	struct cpus prios;
};

/* What depends on the running kernel. */
struct filter_kernel {
	const struct arch_flags *flags;
	enum bpf_helper read;
	unsigned resched_bit;            /* in thread_info.flags */
	struct kmember task_flags, policy, prio, cfs_rq, rq, nr_running;
	/* Where interrupts are masked by priority (arm64's pseudo-NMI): the registers' address, the mask in them. */
	struct kmember ctx_regs, mask;
	bool has_mask;
};

/* -ENOENT, -EOPNOTSUPP: what is asked for cannot be found in this kernel. */
int filter_look(struct filter_kernel *k, const struct filter_want *w, const struct sys *sys, struct err *e);

/* Of kernels that call this machine theirs: the bit that says that a task should leave its CPU. -1: not known. */
int filter_resched_bit(const struct arch *a, unsigned major, unsigned minor);

/* Can a counter's interrupt come while others are off? Of x86 it can, of arm64 if the kernel was booted for it. */
bool filter_sees_masked(const struct sys *sys);

/* counts: a map that filter_open made. */
void filter_build(struct asm_prog *a, const struct filter_want *w, const struct filter_kernel *k, int counts);

struct filter_counts {
	uint64_t seen, passed;
	uint64_t unknown;                /* the kernel's memory could not be read: they are left out */
	uint64_t missed;                 /* another program ran: they are left out, where the kernel counts them */
};

struct filter {
	const struct sys *sys;
	const struct bpf *bpf;
	int prog, map;                   /* -1: not open */
	unsigned n_insns;
};

/* Loaded: 0 or -errno. */
int filter_open(struct filter *f, const struct filter_want *w, const struct sys *sys, const struct bpf *bpf,
		struct err *e);
void filter_close(struct filter *f);

/* To an event that samples, a descriptor of perf_event_open. */
int filter_attach(const struct filter *f, int fd, struct err *e);

struct filter_counts filter_counts(const struct filter *f);

#endif
