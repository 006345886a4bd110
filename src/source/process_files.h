/*
 * process_files.h - files as the recorded processes see them, since containers have their own root, mounts and pids.
 * Only for processes that still run.
 */
#ifndef SOURCE_PROCESS_FILES_H
#define SOURCE_PROCESS_FILES_H

#include "sys/sys.h"

/*
 * Map the file that the process sees at `path`, or one that it has mapped from there and that was deleted since. ino:
 * the inode number it must have, 0: any. -ENOENT also when the process sees the same file system as we do; -ESTALE: the
 * path now leads to another file.
 */
int process_files_map(const struct sys *s, int pid, uint64_t ino, const char *path, struct sv *bytes);

/*
 * Feed the text of /tmp/perf-PID.map in pieces, until `feed` returns non-zero, which is passed on. -EPERM: the file's
 * owner is neither the process's user nor root (for a process that has ended: neither we nor root), so it is not
 * trusted.
 */
int process_files_jit(const struct sys *s, int pid, int (*feed)(void *to, const char *text, size_t n), void *to);

#endif
