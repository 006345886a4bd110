/*
 * kname.h - the symbol of a single kernel address: a BPF program prints it as %pS, run by BPF_PROG_RUN (Linux 5.14).
 * The whole list, /proc/kallsyms, has 160,000 lines and more: the kernel's and our work on it takes longer than
 * everything else before top's first screen, which shows some hundred functions. If an address has several symbols,
 * the kernel's choice sometimes differs from the one that we make from the list.
 */
#ifndef BPF_KNAME_H
#define BPF_KNAME_H

#include "base/err.h"
#include "sys/bpf.h"

struct kname {
	const struct bpf *bpf;
	int format, place, prog;      /* descriptors, -1: not open. Maps: the format "%pS"; the address and its text */
};

/* -EPERM, -EINVAL ...: the kernel is too old, or we may not. */
int kname_open(struct kname *k, const struct bpf *bpf, struct err *e);
void kname_close(struct kname *k);

/*
 * For sym_want.namer: "vfs_read+0x1c/0x340", "ext4_map+0x0/0x20 [ext4]", or the address as a number if there is no
 * symbol. 0 or -errno.
 */
int kname_ask(void *kname, uint64_t addr, char *text, size_t n);

#endif
