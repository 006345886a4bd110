/* bpf.h - the system call bpf(2), as a table of one function that tests replace; its commands are in abi/bpf.h. */
#ifndef SYS_BPF_H
#define SYS_BPF_H

#include <stddef.h>

struct bpf {
	void *arg;        /* the fake's own state */
	/* Returns the command's result or -errno; descriptors are close-on-exec. */
	int (*call)(const struct bpf *b, int cmd, void *attr, size_t n);
};

extern const struct bpf bpf_live;
/* For makers of maps and programs, which count as locked memory before 5.11: a refused call is made without limit. */
extern const struct bpf bpf_making;

#endif
