/* syscalls.h - system calls as they occur: a profiler (prof/prof.h), which cmd/cmd_trace.c runs. */
#ifndef SYSCALLS_SYSCALLS_H
#define SYSCALLS_SYSCALLS_H

#include "prof/prof.h"

extern const struct prof_kind syscalls_trace;          /* sonde trace */
extern const struct prof_kind syscalls_trace_faults;   /* ... -F, whose samples have addresses */

#endif
