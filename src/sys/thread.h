/*
 * thread.h - threads of this process: those that share its work (jobs.h), and those that stand for tasks. They block
 * all signals, except SIGBUS for their own reads of a truncated file (cut.h).
 */
#ifndef SYS_THREAD_H
#define SYS_THREAD_H

#include "base/base.h"

#include <pthread.h>

/* stack: bytes, rounded up to what a thread needs. 0, or -errno. */
int thread_start(pthread_t *t, size_t stack, void *(*run)(void *arg), void *arg);

/* For the calling thread: set its name, cut as names of tasks are; sleep. */
void thread_name(const char *name);
void thread_sleep(uint64_t ns);

#endif
