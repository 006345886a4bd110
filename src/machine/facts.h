/* facts.h - what a recording contains about its machine, read from uname, /proc and /sys. */
#ifndef MACHINE_FACTS_H
#define MACHINE_FACTS_H

#include "obj/elf/build_id.h"
#include "perf/feature.h"
#include "sys/sys.h"

/* HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, PMU_MAPPINGS. Unreadable ones are omitted. */
void facts_collect(struct feature_set *f, const struct sys *sys, const char *version);

/* Number of possible and of online CPUs. False: unknown. */
bool facts_cpus(const struct sys *sys, uint32_t *available, uint32_t *online);

/*
 * Linkers put the build-id note right behind the program headers. There a single read finds it; mapping and unmapping a
 * large file costs more on a kernel with many CPUs, and much more on an emulated one. False: it is elsewhere.
 */
bool facts_head_build_id(const struct sys *sys, int fd, struct build_id *id);

/* Build-id of a loaded module ("[ext4]"), or of a file. False: none. */
bool facts_module_build_id(const struct sys *sys, const char *quoted, struct build_id *id);
bool facts_file_build_id(const struct sys *sys, const char *path, struct build_id *id);
bool facts_fd_build_id(const struct sys *sys, int fd, const char *path, struct build_id *id);

#endif
