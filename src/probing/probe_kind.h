/* probe_kind.h - which kind of probe one of a program is: what the kernel does for a hit depends on the instruction. */
#ifndef PROBING_PROBE_KIND_H
#define PROBING_PROBE_KIND_H

#include "probe/cost.h"
#include "sys/sys.h"

/* In the file, for the running machine. What cannot be read counts as PROBE_OF_PROGRAM. */
enum probe_kind probe_kind_at(const struct sys *sys, const char *path, uint64_t file_offset, bool is_return);

#endif
