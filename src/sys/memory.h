/* memory.h - how much memory this process may use. */
#ifndef SYS_MEMORY_H
#define SYS_MEMORY_H

#include "sys/sys.h"

/*
 * Bytes that the machine can give without swapping, or the limit of the control group that we are in or of one above
 * it, whichever is less. UINT64_MAX: nobody tells.
 */
uint64_t sys_memory_available(const struct sys *s);

#endif
