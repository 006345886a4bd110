/*
 * worker.h - a function run in a process of its own: readers of the trace buffers, and guards that put things back when
 * this process dies.
 *
 * The child keeps all descriptors. Ctrl-C and its like are not for it: SIGINT, SIGQUIT, SIGTERM, SIGHUP and SIGTSTP
 * stay blocked, and it learns of the end through a pipe (its read end sees EOF when the starter closes it, or dies).
 */
#ifndef SYS_WORKER_H
#define SYS_WORKER_H

#include "base/err.h"

enum worker_life {
	WORKER_DIES_WITH_US,    /* SIGKILL as soon as the process that started it is gone */
	WORKER_OUTLIVES_US,
};

/* Run fn(arg) and exit with its return value (0..255). Process id, or -errno. */
int worker_start(enum worker_life life, int (*fn)(void *arg), void *arg, struct err *e);

/* Wait for its end: its exit status, 128 + signal, or -errno. */
int worker_wait(int pid);

void worker_kill(int pid);

/* A pipe that holds `bytes` if the kernel lets it; closed on exec. */
int worker_pipe(int fd[2], size_t bytes, struct err *e);

/* For the worker itself: real-time priority (SCHED_FIFO, 1..99). */
int worker_realtime(unsigned priority);

/* So: only on this CPU. -errno: it is where it was. */
int worker_pin(unsigned cpu);

#endif
