/* facts.h - what a recording tells about the machine it was made on, read from uname, /proc and /sys. */
#ifndef MACHINE_FACTS_H
#define MACHINE_FACTS_H

#include "obj/elf/build_id.h"
#include "perf/feature.h"
#include "sys/sys.h"

/* HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, PMU_MAPPINGS. What cannot be read is
 * left out. */
void facts_collect(struct feature_set *f, const struct sys *sys, const char *version);

/* CPUs that there may be, and those that are on. False: not known. */
bool facts_cpus(const struct sys *sys, uint32_t *available, uint32_t *online);

/*
 * Linkers put the note right behind the program headers. Where it is, one read is enough; to map a large file and take
 * that back again costs a kernel on many CPUs more, and one that is emulated much more. False: it is not there.
 */
bool facts_head_build_id(const struct sys *sys, int fd, struct build_id *id);

/* Build id of a loaded module ("[ext4]"), of a file. False: none. */
bool facts_module_build_id(const struct sys *sys, const char *quoted, struct build_id *id);
bool facts_file_build_id(const struct sys *sys, const char *path, struct build_id *id);
bool facts_fd_build_id(const struct sys *sys, int fd, const char *path, struct build_id *id);

#endif
