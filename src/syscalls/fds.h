/*
 * fds.h - the files of descriptors at the time of a call. Learnt from the calls that open, copy and close them; a
 * descriptor that is older is read from /proc when it is first used.
 */
#ifndef SYSCALLS_FDS_H
#define SYSCALLS_FDS_H

#include "base/map.h"
#include "sys/sys.h"

enum { FDS_MOST = 1 << 17, FDS_PATHS = 1 << 15 };   /* beyond these limits everything is dropped and learnt again */

struct fds {
	const struct sys *sys;           /* NULL: a recording, for which /proc would be of another time */
	bool learns;                     /* all calls that change fds are traced; else /proc is read at each use */
	char now[PATH_MAX];
	struct map of;                   /* pid << 32 | descriptor -> life << 32 | (path's index + 2; 1: none) */
	struct map lives, parents;       /* lives: pid -> generation, raised by e.g. execve; parents: pid -> pid */
	struct names paths;
};

void fds_deinit(struct fds *f);

/* Valid until the next call of a function here; NULL: unknown. */
const char *fds_path(struct fds *f, uint32_t pid, int fd);

/* The descriptor has this path from now on; n 0: unknown. Returns 0 or -ENOMEM, as the next three do. */
int fds_set(struct fds *f, uint32_t pid, int fd, const char *path, size_t n);
int fds_copy(struct fds *f, uint32_t pid, int from, int to);
/* All descriptors of a process may have changed: they are learnt again. */
int fds_forget(struct fds *f, uint32_t pid);
int fds_child(struct fds *f, uint32_t parent, uint32_t child);

/* Reads /proc now. Returns the length; 0: nothing there. */
size_t fds_now(const struct fds *f, uint32_t pid, int fd, char *path, size_t size);

#endif
