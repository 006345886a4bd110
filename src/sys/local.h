/*
 * local.h - sockets of programs on this machine (unix(7)): those that a process listens on, and a connection to one.
 * Descriptors are read and written as those of net.h, and do not block.
 */
#ifndef SYS_LOCAL_H
#define SYS_LOCAL_H

#include "sys/sys.h"

enum local_kind { LOCAL_STREAM, LOCAL_SEQPACKET };

/* To where process `pid` has that path, of any length, in its own root. A descriptor, or -errno. */
int local_connect(const struct sys *sys, enum local_kind kind, int pid, const char *path);

/*
 * Call each(arg, path) for every path that process `pid` listens on, as it has named it. Non-zero of each ends it and
 * is returned; -errno.
 */
int local_listening(const struct sys *sys, int pid, int (*each)(void *arg, const char *path), void *arg);

#endif
