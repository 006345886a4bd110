/* worker.c - runs a function in a forked process. */
#include "sys/worker.h"

#include "base/str.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void keep_going(int how, sigset_t *before)
{
	static const int list[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		sigaddset(&set, list[i]);
	sigprocmask(how, &set, before);
}

int worker_start(enum worker_life life, int (*fn)(void *arg), void *arg, struct err *e)
{
	pid_t parent = getpid(), pid;
	sigset_t before;

	/* Block signals before the fork: one may arrive, or our terminal vanish, before the child runs. */
	keep_going(SIG_BLOCK, &before);
	pid = fork();
	if (pid)
		sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return err_set(e, errno, "cannot fork: %s", err_name(errno));
	if (pid > 0)
		return pid;
	keep_going(SIG_SETMASK, NULL);
	if (life == WORKER_DIES_WITH_US) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* The parent may have died before PR_SET_PDEATHSIG. */
		if (getppid() != parent)
			_exit(1);
	}
	_exit(fn(arg));
}

int worker_wait(int pid)
{
	int status = 0;
	pid_t r;

	while ((r = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
		;
	if (r < 0)
		return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void worker_kill(int pid)
{
	kill(pid, SIGKILL);
}

int worker_pipe(int fd[2], size_t bytes, struct err *e)
{
	if (pipe2(fd, O_CLOEXEC))
		return err_set(e, errno, "cannot make a pipe: %s", err_name(errno));
	if (bytes)
		fcntl(fd[1], F_SETPIPE_SZ, (int)MIN(bytes, 1u << 30));
	return 0;
}

int worker_realtime(unsigned priority)
{
	struct sched_param p = { .sched_priority = (int)priority };

	/* musl's sched_setscheduler always fails: it does not support process scheduling classes. */
	return syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &p) ? -errno : 0;
}

int worker_pin(unsigned cpu)
{
	unsigned long mask[CPUS_MAX / (8 * sizeof(long))] = { 0 };

	if (cpu >= CPUS_MAX)
		return -EINVAL;
	mask[cpu / (8 * sizeof(long))] = 1UL << cpu % (8 * sizeof(long));
	return syscall(SYS_sched_setaffinity, 0, sizeof(mask), mask) ? -errno : 0;
}
