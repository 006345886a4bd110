/*
 * fds.h - the paths of file descriptors at the time of a call: learnt from the calls that open, copy and close them;
 * those that were open before are read from /proc when they are first used.
 */
#ifndef SYSCALLS_FDS_H
#define SYSCALLS_FDS_H

#include "base/map.h"
#include "sys/sys.h"

enum { FDS_MOST = 1 << 17, FDS_PATHS = 1 << 15 };   /* limits; beyond them everything is dropped and learnt again */

struct fds {
	const struct sys *sys;           /* NULL: /proc is not read, because events are from a recording */
	bool learns;                     /* all calls that change descriptors are seen; else read /proc at each use */
	char now[PATH_MAX];
	struct map of;                   /* pid << 32 | fd -> life of the process << 32 | index of path + 2, 1: none */
	struct map lives, parents;       /* by pid: number of its life, which an execve ends; its parent */
	struct names paths;
};

void fds_deinit(struct fds *f);

/* The path, valid until the next call of any of these functions; NULL: not known. */
const char *fds_path(struct fds *f, uint32_t pid, int fd);

/* Set the path from now on; n 0: it has none. All of these return 0 or -ENOMEM. */
int fds_set(struct fds *f, uint32_t pid, int fd, const char *path, size_t n);
int fds_copy(struct fds *f, uint32_t pid, int from, int to);

/* Forget all descriptors of a process, which may have changed. */
int fds_forget(struct fds *f, uint32_t pid);
int fds_child(struct fds *f, uint32_t parent, uint32_t child);

/* Read the current path from /proc: its length, 0: there is none. */
size_t fds_now(const struct fds *f, uint32_t pid, int fd, char *path, size_t size);

#endif
