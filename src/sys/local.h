/*
 * local.h - unix sockets (unix(7)): list those on which a process listens, and connect to one. Descriptors are
 * non-blocking, and used as those of net.h.
 */
#ifndef SYS_LOCAL_H
#define SYS_LOCAL_H

#include "sys/sys.h"

enum local_kind { LOCAL_STREAM, LOCAL_SEQPACKET };

/* Connect to a path, of any length, in the root of process `pid`. A descriptor, or -errno. */
int local_connect(const struct sys *sys, enum local_kind kind, int pid, const char *path);

/*
 * Call each(arg, path) for every path on which process `pid` listens, as it was bound, until `each` returns non-zero,
 * which is returned; -errno.
 */
int local_listening(const struct sys *sys, int pid, int (*each)(void *arg, const char *path), void *arg);

#endif
