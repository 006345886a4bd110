/* link.h - symbolic links and the folders that lead to a file, for what is not done while something is recorded. */
#ifndef SYS_LINK_H
#define SYS_LINK_H

#include "sys/sys.h"

/* path will lead to target. 0 or -errno. */
int link_make(const struct sys *s, const char *target, const char *path);

/* Where a link leads, with NUL; -errno. */
int link_read(const struct sys *s, const char *path, char *buf, size_t size);

/* The path without links; -errno. */
int link_real(const struct sys *s, const char *path, char buf[PATH_MAX]);

/* Make the folders of a path that are not there, the last one too. 0 or -errno. */
int link_folders(const struct sys *s, const char *path);

#endif
