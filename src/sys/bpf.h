/* bpf.h - the system call bpf(2), as a table of one that tests replace; what it is asked stands in abi/bpf.h. */
#ifndef SYS_BPF_H
#define SYS_BPF_H

#include <stddef.h>

struct bpf {
	void *arg;        /* the fake's own state */
	/* What the command answers, or -errno; descriptors are closed on exec. */
	int (*call)(const struct bpf *b, int cmd, void *attr, size_t n);
};

extern const struct bpf bpf_live;
/* For who makes maps and programs, which count as locked memory before 5.11. */
extern const struct bpf bpf_making;

#endif
