/*
 * worker.h - runs a function in a process of its own: readers of the trace buffers, and guards that undo changes when
 * this process dies.
 *
 * The child inherits all descriptors. Signals of the terminal are not for it: SIGINT, SIGQUIT, SIGTERM, SIGHUP and
 * SIGTSTP stay blocked. It is told to end through a pipe, whose read end sees EOF when the starter closes it, or dies.
 */
#ifndef SYS_WORKER_H
#define SYS_WORKER_H

#include "base/err.h"

enum worker_life {
	WORKER_DIES_WITH_US,    /* SIGKILL as soon as the starting process is gone */
	WORKER_OUTLIVES_US,
};

/* Run fn(arg) and exit with its return value (0..255). Returns the pid, or -errno. */
int worker_start(enum worker_life life, int (*fn)(void *arg), void *arg, struct err *e);

/* Wait for its end: exit status, 128 + signal, or -errno. */
int worker_wait(int pid);

void worker_kill(int pid);

/* A pipe with a buffer of `bytes`, if the kernel allows it; close-on-exec. */
int worker_pipe(int fd[2], size_t bytes, struct err *e);

/* For the worker itself: set real-time priority (SCHED_FIFO, 1..99). */
int worker_realtime(unsigned priority);

/* For the worker itself: run only on this CPU. -errno: not changed. */
int worker_pin(unsigned cpu);

#endif
