/*
 * guard.h - a process that waits for this one's death, and then undoes what SIGKILL left. It has a session of its own
 * (to be spared by signals to our process group) and keeps only one descriptor, so as not to hold pipes open.
 */
#ifndef SYS_GUARD_H
#define SYS_GUARD_H

#include "base/err.h"

/*
 * Run fn(arg) in the guard when this process dies. Returns the pid, or -errno. keep_fd: the descriptor to keep, -1:
 * none.
 */
int guard_start(int keep_fd, void (*fn)(void *arg), void *arg, struct err *e);

/* Dismiss the guard. */
void guard_end(int pid);

#endif
