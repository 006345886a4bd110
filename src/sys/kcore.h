/*
 * kcore.h - the running kernel's memory by /proc/kcore: an ELF file whose segments are the mapped memory. Needs
 * CAP_SYS_RAWIO, and a kernel that is not locked down.
 */
#ifndef SYS_KCORE_H
#define SYS_KCORE_H

#include "sys/sys.h"

/* Read n bytes at a kernel address. 0, or -errno with the reason in e. */
int sys_kcore_read(const struct sys *sys, uint64_t addr, void *to, size_t n, struct err *e);

#endif
