/*
 * sift.h - a filter for samples of a PMU or timer: a BPF program attached to the event decides before the sample is
 * made. The conditions are perf-prof's --irqs_disabled, --tif_need_resched, --exclude_pid, --sched_policy, --prio and
 * --nr_running_min/max, for the interrupted task and CPU.
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

enum { SIFT_PRIOS = 140 };             /* 0-99 real-time, 100-139 others, as in the kernel */

struct sift_want {
	unsigned asked;                  /* enum sift_ask */
	bool irqs_off, resched;          /* required values */
	uint32_t not_pid, policy, least_run, most_run;
	struct cpus prios;
};

/* Facts about the running kernel. */
struct sift_kernel {
	const struct arch_flags *flags;
	enum bpf_helper read;
	unsigned resched_bit;            /* in thread_info.flags */
	struct kmember task_flags, policy, prio, cfs_rq, rq, nr_running;
	/*
	 * Where interrupts are masked by priority (arm64's pseudo-NMI): the registers' address in the context, the mask
	 * in them.
	 */
	struct kmember ctx_regs, mask;
	bool has_mask;
};

/* The kernel's bit TIF_NEED_RESCHED for this architecture and version. -1: unknown. */
int sift_resched_bit(const struct arch *a, unsigned major, unsigned minor);

/* Can a PMU interrupt arrive while interrupts are disabled? Yes on x86; on arm64 if booted with pseudo-NMI. */
bool sift_sees_masked(const struct sys *sys);

/* counts: map made by sift_open. */
void sift_build(struct asm_prog *a, const struct sift_want *w, const struct sift_kernel *k, int counts);

struct sift_counts {
	uint64_t seen, passed;
	uint64_t unknown;                /* kernel memory could not be read: samples dropped */
	uint64_t missed;                 /* another program was running: samples dropped; if the kernel counts these */
};

struct sift {
	const struct sys *sys;
	const struct bpf *bpf;
	int prog, map;                   /* -1: not open */
	unsigned n_insns;
};

/* Load the program: 0 or -errno. */
int sift_open(struct sift *f, const struct sift_want *w, const struct sys *sys, const struct bpf *bpf,
		struct err *e);
void sift_close(struct sift *f);

/* Attach to a sampling event, a descriptor of perf_event_open. */
int sift_attach(const struct sift *f, int fd, struct err *e);

struct sift_counts sift_counts(const struct sift *f);

#endif
