/* fifo.h - named pipes and their group. */
#ifndef SYS_FIFO_H
#define SYS_FIFO_H

#include "sys/sys.h"

enum { FIFO_GROUP_OURS = -1 };

/* Make it with exactly these permissions. An existing fifo gets them, too; another file: -EEXIST. */
int fifo_make(const struct sys *sys, const char *path, unsigned mode, int64_t gid, struct err *e);

/* Make a folder and its parents; existing ones are not changed. */
int fifo_folder(const struct sys *sys, const char *path, unsigned mode, struct err *e);

/* Look up a group of /etc/group, or parse a number. -ENOENT. */
int fifo_group(const struct sys *sys, const char *name, int64_t *gid, struct err *e);

#endif
