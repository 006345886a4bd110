/*
 * inside.h - files of a process with another root, mostly a container's: below ROOT/, which is /proc/PID/root. Absolute
 * links there are resolved in that root; the kernel would resolve them in ours.
 */
#ifndef SYS_INSIDE_H
#define SYS_INSIDE_H

#include "sys/sys.h"

/* Convert an absolute path in that root to one of ours, with links resolved; false: too long, or too many links. */
bool inside_path(const struct sys *s, const char *root, char path[PATH_MAX]);

/*
 * Open a file there for reading, with additional flags. The kernel confines the path to the root (openat2, Linux 5.6);
 * on older ones links are resolved before, and could change in between.
 */
int inside_open(const struct sys *s, const char *root, const char *path, int flags);

/* Does the process have another root or mount namespace? False also when it is gone, or may not be inspected. */
bool inside_differs(const struct sys *s, int pid);

/* Write /proc/PID/root to buf. */
const char *inside_root(int pid, char buf[32]);

#endif
