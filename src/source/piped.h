/*
 * piped.h - a recording that comes through a pipe, whole: who reads it goes back and forth, and what its files are may
 * be told at its end. A small one is kept in memory, a larger one in a file without a name.
 */
#ifndef SOURCE_PIPED_H
#define SOURCE_PIPED_H

#include "perf/record.h"
#include "sys/sys.h"

/*
 * Up to the end of fd, behind `first`, which was read of it before: malloc'ed, and taken over. *owned: the bytes are
 * malloc'ed, as where no file can be made; else they are mapped, for sys_unmap_recording. 0 or -errno.
 */
int piped_read(const struct sys *sys, int fd, struct bytes first, struct bytes *to, bool *owned, struct err *e);

#endif
