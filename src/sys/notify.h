/* notify.h - a descriptor that is readable after somebody has written to a file, whoever and through which path. */
#ifndef SYS_NOTIFY_H
#define SYS_NOTIFY_H

#include "sys/sys.h"

/* A descriptor, or -errno. It costs nothing until something is written. */
int notify_open(const struct sys *sys, const char *path);

/* Not readable any more until the next write. */
void notify_take(const struct sys *sys, int fd);

#endif
