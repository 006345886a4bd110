/*
 * synth.h - synthesizes side records for what existed before the recording began: the kernel and its modules, every
 * process with its threads, names and executable mappings. Read from /proc; processes that end meanwhile are left out.
 */
#ifndef RECORD_SYNTH_H
#define RECORD_SYNTH_H

#include "record/dsos.h"
#include "perf/write.h"
#include "sys/sys.h"

struct synth {
	const struct sys *sys;
	struct out *out;              /* records go here */
	struct perf_write_id id;      /* trailer of the recording's records; time 0 */
	struct dsos *dsos;            /* mapped files are added */
	uint64_t tasks, maps;         /* how many were written */
	bool kernel_start;            /* the end of the kernel's text (far down in kallsyms) is not needed */
	bool kernel_hidden;           /* kptr_restrict hides the addresses: there is no kernel record */
};

/* CGROUP records for all control groups of perf's hierarchy (v1: perf_event, else v2), with the kernel's ids. */
int synth_cgroups(struct synth *s, struct err *e);

/*
 * KSYMBOL records for the functions of all loaded BPF programs, named bpf_prog_TAG_NAME as in the kernel, and for
 * trampolines (bpf_trampoline_N). PROGRAMS: without trampolines, which need all of kallsyms; for those who ask the
 * kernel for single names (sym/asked.h), which has these, too. EVENTS: also a BPF_EVENT for each program. Programs that
 * we may not see are left out.
 */
enum synth_bpf { SYNTH_BPF_PROGRAMS, SYNTH_BPF_SYMBOLS, SYNTH_BPF_EVENTS };
struct bpf;
void synth_bpf(struct synth *s, const struct bpf *bpf, enum synth_bpf what);

void synth_kernel_text(struct synth *s);   /* MMAP of the kernel's text alone */
int synth_kernel(struct synth *s);    /* MMAP of the kernel's text and of each module */
/* The process of this pid or tid, with all its threads; 0 also if it has just ended. */
int synth_process(struct synth *s, int pid);
/* The processes of these threads, each once. */
int synth_tasks(struct synth *s, const int *tids, size_t n, struct err *e);
int synth_all(struct synth *s, struct err *e);

#endif
