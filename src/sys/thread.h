/*
 * thread.h - a thread of this process: those that share its work (jobs.h), and those that stand for tasks. Signals are
 * for the threads that were there before, but for what a thread's own reading of a file that is cut tells it (cut.h).
 */
#ifndef SYS_THREAD_H
#define SYS_THREAD_H

#include "base/base.h"

#include <pthread.h>

/* stack: bytes, more where a thread needs more. 0, or -errno. */
int thread_start(pthread_t *t, size_t stack, void *(*run)(void *arg), void *arg);

/* For the thread itself: what it is called, cut as tasks' names are, and a sleep. */
void thread_name(const char *name);
void thread_sleep(uint64_t ns);

#endif
