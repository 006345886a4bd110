/*
 * fds.h - what descriptors stand for at the time of a call: learnt from calls that return or end them, and of those
 * that were there before from /proc when they are first met.
 */
#ifndef SYSCALLS_FDS_H
#define SYSCALLS_FDS_H

#include "base/map.h"
#include "sys/sys.h"

enum { FDS_MOST = 1 << 17, FDS_PATHS = 1 << 15 };   /* beyond it all is learnt again */

struct fds {
	const struct sys *sys;           /* NULL: nothing is read, what is there is of another time */
	bool learns;                     /* all calls that change them are seen; else each is read when it is met */
	char now[PATH_MAX];
	struct map of;                   /* process << 32 | descriptor -> which life << 32 | path, index + 2; 1: none */
	struct map lives, parents;       /* of processes: execve ends a life */
	struct names paths;
};

void fds_deinit(struct fds *f);

/* Until the next call of these; NULL: not known. */
const char *fds_path(struct fds *f, uint32_t pid, int fd);

/* It is this from now on; n 0: it is not known. 0 or -ENOMEM, as of the rest. */
int fds_set(struct fds *f, uint32_t pid, int fd, const char *path, size_t n);
int fds_copy(struct fds *f, uint32_t pid, int from, int to);
/* All of a process may be others now. */
int fds_forget(struct fds *f, uint32_t pid);
int fds_child(struct fds *f, uint32_t parent, uint32_t child);

/* What /proc says of it just now: the length, 0: nothing. */
size_t fds_now(const struct fds *f, uint32_t pid, int fd, char *path, size_t size);

#endif
