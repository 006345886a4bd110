/*
 * sift.h - filter samples of a PMU or timer event by a BPF program that is attached to the event and runs before the
 * sample is written. The conditions are perf-prof's --irqs_disabled, --tif_need_resched, --exclude_pid,
 * --sched_policy, --prio and --nr_running_min/max, for the task and CPU that were interrupted.
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

enum { SIFT_PRIOS = 140 };             /* as in task_struct.prio: 0-99 real time, 100-139 others */

struct sift_want {
	unsigned asked;                  /* enum sift_ask */
	bool irqs_off, resched;          /* the values that they must have */
	uint32_t not_pid, policy, least_run, most_run;
	struct cpus prios;
};

/* Facts of the running kernel. */
struct sift_kernel {
	const struct arch_flags *flags;
	enum bpf_helper read;
	unsigned resched_bit;            /* of TIF_NEED_RESCHED in thread_info.flags */
	struct kmember task_flags, policy, prio, cfs_rq, rq, nr_running;
	/* With interrupts masked by priority (arm64's pseudo-NMI): the context's pointer to pt_regs, the mask there. */
	struct kmember ctx_regs, mask;
	bool has_mask;
};

/* The bit of TIF_NEED_RESCHED in that version of Linux. -1: not known. */
int sift_resched_bit(const struct arch *a, unsigned major, unsigned minor);

/* Can samples be taken while interrupts are off? On x86 (NMI) they can, on arm64 if booted with pseudo-NMI. */
bool sift_sees_masked(const struct sys *sys);

/* counts: descriptor of the map of counters that sift_open() made. */
void sift_build(struct asm_prog *a, const struct sift_want *w, const struct sift_kernel *k, int counts);

struct sift_counts {
	uint64_t seen, passed;
	uint64_t unknown;                /* dropped, because the kernel's memory could not be read */
	uint64_t missed;                 /* dropped, because a program was already running; see program_missed() */
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

/* Attach the program to a sampling event; fd: from perf_event_open. */
int sift_attach(const struct sift *f, int fd, struct err *e);

struct sift_counts sift_counts(const struct sift *f);

#endif
