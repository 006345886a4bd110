/*
 * piped.h - read all of a recording from a pipe: its reader needs random access, and the build-ids may come at its end.
 * A small one is kept in memory, a larger one in an unnamed temporary file.
 */
#ifndef SOURCE_PIPED_H
#define SOURCE_PIPED_H

#include "perf/record.h"
#include "sys/sys.h"

/*
 * Read fd to its end. `first` are bytes that were read from it before: malloc'ed, and taken over. *owned: *to is
 * malloc'ed, since it is small or no file could be made; else it is mapped, see sys_unmap_recording(). 0 or -errno.
 */
int piped_read(const struct sys *sys, int fd, struct bytes first, struct bytes *to, bool *owned, struct err *e);

#endif
