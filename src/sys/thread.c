/* thread.c - see thread.h. */
#include "sys/thread.h"

#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

int thread_start(pthread_t *t, size_t stack, void *(*run)(void *arg), void *arg)
{
	sigset_t all, old;
	pthread_attr_t attr;
	int r;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, MAX(stack, (size_t)PTHREAD_STACK_MIN));
	r = -pthread_create(t, &attr, run, arg);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r;
}

void thread_name(const char *name)
{
	prctl(PR_SET_NAME, name);
}

void thread_sleep(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S) };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}
