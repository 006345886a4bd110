/*
 * inside.h - files as a process sees them that has another root, a container's mostly: below ROOT/, which is
 * /proc/PID/root. Absolute links there lead to places in that root, where the kernel would take ours.
 */
#ifndef SYS_INSIDE_H
#define SYS_INSIDE_H

#include "sys/sys.h"

/* An absolute path in that root becomes one of ours, without links; false: too long, or too many links. */
bool inside_path(const struct sys *s, const char *root, char path[PATH_MAX]);

/*
 * Open a file there to read it, with more flags. The kernel keeps the path inside (openat2 of 5.6); an older one is
 * given the path without links, which those inside may change meanwhile.
 */
int inside_open(const struct sys *s, const char *root, const char *path, int flags);

/* Has the process a root or a mount namespace that is not ours? False also when it is gone, or not ours to look at. */
bool inside_differs(const struct sys *s, int pid);

/* /proc/PID/root into buf of 32 bytes. */
const char *inside_root(int pid, char buf[32]);

#endif
