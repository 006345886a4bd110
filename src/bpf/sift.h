/*
 * sift.h - which samples of a PMU or of a timer are written: decided by a program of the event's own, before the
 * sample is made. What is asked for is what perf-prof calls --irqs_disabled, --tif_need_resched, --exclude_pid,
 * --sched_policy, --prio and --nr_running_min/max; of the task and the CPU that were interrupted.
 */
#ifndef BPF_SIFT_H
#define BPF_SIFT_H

#include "arch/arch.h"
#include "bpf/ktypes.h"
#include "bpf/program.h"

enum sift_ask {
	SIFT_IRQS = 1, SIFT_RESCHED = 2, SIFT_NOT_PID = 4, SIFT_POLICY = 8, SIFT_PRIO = 16,
	SIFT_LEAST_RUN = 32, SIFT_MOST_RUN = 64,
};

enum { SIFT_PRIOS = 140 };             /* 0-99 real time, 100-139 the rest, as the kernel counts them */

struct sift_want {
	unsigned asked;                  /* enum sift_ask */
	bool irqs_off, resched;          /* as they must be */
	uint32_t not_pid, policy, least_run, most_run;
	struct cpus prios;
};

/* What depends on the running kernel. */
struct sift_kernel {
	const struct arch_flags *flags;
	enum bpf_helper read;
	unsigned resched_bit;            /* in thread_info.flags */
	struct kmember task_flags, policy, prio, cfs_rq, rq, nr_running;
	/* Where interrupts are masked by priority (arm64's pseudo-NMI): the registers' address, the mask in them. */
	struct kmember ctx_regs, mask;
	bool has_mask;
};

/* Of kernels that call this machine theirs: the bit that says that a task should leave its CPU. -1: not known. */
int sift_resched_bit(const struct arch *a, unsigned major, unsigned minor);

/* Can a counter's interrupt come while others are off? Of x86 it can, of arm64 if the kernel was booted for it. */
bool sift_sees_masked(const struct sys *sys);

/* counts: a map that sift_open made. */
void sift_build(struct asm_prog *a, const struct sift_want *w, const struct sift_kernel *k, int counts);

struct sift_counts {
	uint64_t seen, passed;
	uint64_t unknown;                /* the kernel's memory could not be read: they are left out */
	uint64_t missed;                 /* another program ran: they are left out, where the kernel counts them */
};

struct sift {
	const struct sys *sys;
	const struct bpf *bpf;
	int prog, map;                   /* -1: not open */
	unsigned n_insns;
};

/* Loaded: 0 or -errno. */
int sift_open(struct sift *f, const struct sift_want *w, const struct sys *sys, const struct bpf *bpf,
		struct err *e);
void sift_close(struct sift *f);

/* To an event that samples, a descriptor of perf_event_open. */
int sift_attach(const struct sift *f, int fd, struct err *e);

struct sift_counts sift_counts(const struct sift *f);

#endif
