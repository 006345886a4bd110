/*
 * kname.h - the name of one place of the running kernel at a time: a program that prints an address as %pS, run by hand
 * (Linux 5.14). The kernel's whole list, /proc/kallsyms, has 160,000 lines and more: to write and to read them takes
 * longer than all else that is done before a first screen, and a screen shows some hundred functions. Where a place has
several names this is the kernel's favourite, in some cases another one than the list's best.
 */
#ifndef BPF_KNAME_H
#define BPF_KNAME_H

#include "base/err.h"
#include "sys/bpf.h"

struct kname {
	const struct bpf *bpf;
	int format, place, prog;      /* maps: what is printed, and of what; descriptors. -1: not open */
};

/* -EPERM, -EINVAL ...: this kernel does not do it, or not for us. */
int kname_open(struct kname *k, const struct bpf *bpf, struct err *e);
void kname_close(struct kname *k);

/*
 * For sym_want.namer: "vfs_read+0x1c/0x340", "ext4_map+0x0/0x20 [ext4]", or a number where nothing is known. 0 or
 * -errno.
 */
int kname_ask(void *kname, uint64_t addr, char *text, size_t n);

#endif
