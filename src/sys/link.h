/* link.h - symbolic links and parent folders: functions outside of struct sys, not needed while recording. */
#ifndef SYS_LINK_H
#define SYS_LINK_H

#include "sys/sys.h"

/* Make a symbolic link at path to target. 0 or -errno. */
int link_make(const struct sys *s, const char *target, const char *path);

/* Read a link's target, NUL-terminated; -errno. */
int link_read(const struct sys *s, const char *path, char *buf, size_t size);

/* The path with all links resolved; -errno. */
int link_real(const struct sys *s, const char *path, char buf[PATH_MAX]);

/* Make all missing folders of a path, including the last. 0 or -errno. */
int link_folders(const struct sys *s, const char *path);

#endif
