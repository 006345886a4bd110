/* fifo.h - named pipes, and what group has them. */
#ifndef SYS_FIFO_H
#define SYS_FIFO_H

#include "sys/sys.h"

enum { FIFO_GROUP_OURS = -1 };

/* With exactly these permissions. One that is there gets them; something else that is there: -EEXIST. */
int fifo_make(const struct sys *sys, const char *path, unsigned mode, int64_t gid, struct err *e);

/* A folder and those above it; what is there stays as it is. */
int fifo_folder(const struct sys *sys, const char *path, unsigned mode, struct err *e);

/* Of a group of /etc/group, or a number. -ENOENT. */
int fifo_group(const struct sys *sys, const char *name, int64_t *gid, struct err *e);

#endif
