/*
 * kcore.h - the running kernel's memory, /proc/kcore: an ELF file whose segments are what is mapped. Only with
 * CAP_SYS_RAWIO, and not where the kernel is locked down.
 */
#ifndef SYS_KCORE_H
#define SYS_KCORE_H

#include "sys/sys.h"

/* n bytes at an address of the kernel's. 0, or -errno with the reason in e. */
int sys_kcore_read(const struct sys *sys, uint64_t addr, void *to, size_t n, struct err *e);

#endif
