/* notify.h - a descriptor that becomes readable when a file is written, by anybody and through any path. */
#ifndef SYS_NOTIFY_H
#define SYS_NOTIFY_H

#include "sys/sys.h"

/* A descriptor, or -errno. It has no cost until the file is written. */
int notify_open(const struct sys *sys, const char *path);

/* Consume the event: not readable any more until the next write. */
void notify_take(const struct sys *sys, int fd);

#endif
