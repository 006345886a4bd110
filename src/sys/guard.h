/*
 * guard.h - a process that does nothing but wait for this one's death, and then puts things back: what SIGKILL leaves
 * undone. It has a session of its own (a signal for our group is not for it) and keeps one descriptor open, so that no
 * pipe stays open because of it.
 */
#ifndef SYS_GUARD_H
#define SYS_GUARD_H

#include "base/err.h"

/* When this process is gone, run fn(arg) there. Process id, or -errno. keep_fd: the descriptor it keeps, -1 none. */
int guard_start(int keep_fd, void (*fn)(void *arg), void *arg, struct err *e);

/* Not needed any more. */
void guard_end(int pid);

#endif
