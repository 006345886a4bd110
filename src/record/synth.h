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

/* Every control group of the hierarchy that events know (v1's perf_event, else v2): ids as the kernel's records have
 * them. */
int synth_cgroups(struct synth *s, struct err *e);

/*
 * KSYMBOL for each function of the BPF programs that are loaded, called bpf_prog_TAG_NAME as the kernel calls them, and
 * for what the kernel has made to get to them (bpf_trampoline_N), but for PROGRAMS: whoever asks the kernel for names
 * gets these, too, and need not have its list read. With EVENTS also a BPF_EVENT for each program.
 * Nothing of those that we may not see.
 */
enum synth_bpf { SYNTH_BPF_PROGRAMS, SYNTH_BPF_SYMBOLS, SYNTH_BPF_EVENTS };
struct bpf;
void synth_bpf(struct synth *s, const struct bpf *bpf, enum synth_bpf what);

void synth_kernel_text(struct synth *s);   /* MMAP of the kernel's text alone */
int synth_kernel(struct synth *s);    /* MMAP of the kernel's text and of each module */
/* The process that this thread or process id belongs to, with all its threads; 0 also when it has just ended. */
int synth_process(struct synth *s, int pid);
/* The processes that these threads belong to, each once. */
int synth_tasks(struct synth *s, const int *tids, size_t n, struct err *e);
int synth_all(struct synth *s, struct err *e);

#endif
