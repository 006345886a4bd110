/* guard.c - fork, close everything, wait for the parent's death. */
#include "sys/guard.h"
#include "sys/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FD_FIRST = 3, FD_MAX = 4096 };

struct guard {
	int keep_fd, parent;
	void (*fn)(void *arg);
	void *arg;
};

static void close_range_of(unsigned from, unsigned to)
{
#ifdef SYS_close_range
	if (from > to || !syscall(SYS_close_range, from, to, 0))
		return;
#endif
	/* Kernels before 5.9 have no close_range. */
	for (unsigned fd = from; fd <= MIN(to, (unsigned)FD_MAX); fd++)
		close((int)fd);
}

/*
 * No number below keep_fd is left free: when a process dies the kernel (since 4.4, kernel/task_work.c) releases its
 * files in descending order of descriptors. Files being written have higher numbers, so they are released before the
 * lock of keep_fd.
 */
static void let_go(int keep_fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; null >= 0 && fd < MAX((int)FD_FIRST, keep_fd); fd++)
		if (fd != keep_fd)
			dup2(null, fd);
	close_range_of((unsigned)MAX((int)FD_FIRST, keep_fd + 1), ~0u);
}

static int guard_run(void *arg)
{
	const struct guard *g = arg;
	sigset_t death;

	setsid();
	prctl(PR_SET_NAME, "sonde-guard");
	sigemptyset(&death);
	sigaddset(&death, SIGUSR1);
	sigprocmask(SIG_BLOCK, &death, NULL);
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
	let_go(g->keep_fd);
	/* The parent may have died before PR_SET_PDEATHSIG. */
	while (getppid() == g->parent)
		sigwaitinfo(&death, NULL);
	g->fn(g->arg);
	return 0;
}

int guard_start(int keep_fd, void (*fn)(void *arg), void *arg, struct err *e)
{
	struct guard g = { .keep_fd = keep_fd, .parent = getpid(), .fn = fn, .arg = arg };

	return worker_start(WORKER_OUTLIVES_US, guard_run, &g, e);
}

void guard_end(int pid)
{
	worker_kill(pid);
	worker_wait(pid);
}
