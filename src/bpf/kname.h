/*
 * kname.h - the symbol of a single kernel address: a BPF program prints it as %pS, run by BPF_PROG_TEST_RUN (Linux
 * 5.14). /proc/kallsyms has 160,000 lines and more: generating and reading it takes longer than everything else before
 * a first screen, which shows some hundred functions. If an address has several symbols this is the kernel's choice,
 * which may differ from ours by kallsyms.
 */
#ifndef BPF_KNAME_H
#define BPF_KNAME_H

#include "base/err.h"
#include "sys/bpf.h"

struct kname {
	const struct bpf *bpf;
	int format, place, prog;      /* descriptors: maps of output and address, program. -1: not open */
};

/* -EPERM, -EINVAL ...: not supported by this kernel, or not permitted. */
int kname_open(struct kname *k, const struct bpf *bpf, struct err *e);
void kname_close(struct kname *k);

/*
 * For sym_want.namer: "vfs_read+0x1c/0x340", "ext4_map+0x0/0x20 [ext4]", or a number if there is no symbol. 0 or
 * -errno.
 */
int kname_ask(void *kname, uint64_t addr, char *text, size_t n);

#endif
