/* memory.h - how much memory this process may use. */
#ifndef SYS_MEMORY_H
#define SYS_MEMORY_H

#include "sys/sys.h"

/*
 * Memory available without swapping, or the limit of our cgroup or of one above it, whichever is less; bytes.
 * UINT64_MAX: unknown.
 */
uint64_t sys_memory_available(const struct sys *s);

#endif
