/*
 * strangers.h - files of the processes that a recording is about, as they see them: containers have their own root,
 * their own mounts and their own numbers of processes. Only of those that still live.
 */
#ifndef SOURCE_STRANGERS_H
#define SOURCE_STRANGERS_H

#include "sys/sys.h"

/*
 * Map a file that the process sees under that path, or has mapped from there and is gone since; ino: the number it must
 * have, 0: any. -ENOENT also when the process sees what we see, -ESTALE: it is another file by now.
 */
int strangers_map(const struct sys *s, int pid, uint64_t ino, const char *path, struct sv *bytes);

/*
 * The text of /tmp/perf-PID.map, in pieces, until `feed` returns non-zero, which is passed on. -EPERM: it is neither
 * the process's user's nor root's (of a process that has ended: neither ours nor root's), and may tell anything.
 */
int strangers_jit(const struct sys *s, int pid, int (*feed)(void *to, const char *text, size_t n), void *to);

#endif
