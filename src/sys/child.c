/* child.c - fork, hold, exec, wait; signalfd. */
#include "sys/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void wanted_signals(sigset_t *set)
{
	static const int list[] = { SIGINT, SIGTERM, SIGCHLD, SIGWINCH };
	struct sigaction hup;

	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		sigaddset(set, list[i]);
	/* A blocked signal is queued even if it is ignored: leave SIGHUP alone under nohup. */
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

static void in_child(int go, int report, const struct child_how *how, char *const argv[])
{
	sigset_t none;
	char byte;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	/* EOF: the parent has cancelled, or died. */
	if (read(go, &byte, 1) != 1)
		_exit(0);
	if (how && how->out == CHILD_STDOUT_IS_STDERR)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (how && how->out == CHILD_NO_STDIO) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
			dup2(null, fd);
	}

	int code = how && how->as ? -account_become(how->as) : 0;

	if (!code) {
		execvp(argv[0], argv);
		code = errno;
	}

	ssize_t n = write(report, &code, sizeof(code));

	_exit(n == sizeof(code) ? 127 : 126);
}

/* ptrace it to get a stop at its exit, while the process still exists. */
static int watch_end(struct child *c, const struct child_how *how, struct err *e)
{
	int code;

	c->leaving = how->leaving;
	c->arg = how->arg;
	if (!ptrace(PTRACE_SEIZE, c->pid, NULL, (void *)PTRACE_O_TRACEEXIT))
		return 0;
	code = errno;
	child_stop(c);
	return err_set(e, code, "cannot follow the command to its end: %s", err_name(code));
}

/* Continue from a ptrace stop, and deliver the signal that caused it. False: it has ended. */
static bool went_on(const struct child *c, int status)
{
	int signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
	int event = status >> 16;

	if (!WIFSTOPPED(status))
		return false;
	if (event == PTRACE_EVENT_EXIT)
		c->leaving(c->arg, c->pid);
	/* Group stop (Ctrl-Z): leave it stopped until SIGCONT. */
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
		ptrace(PTRACE_LISTEN, c->pid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, c->pid, NULL, (void *)(intptr_t)(event ? 0 : signal));
	return true;
}

/* A held child exits without exec; for a running one only the descriptors are closed. */
static void child_cancel(struct child *c)
{
	if (c->go_fd >= 0)
		close(c->go_fd);
	if (c->err_fd >= 0)
		close(c->err_fd);
	c->go_fd = c->err_fd = -1;
}

int child_hold(struct child *c, char *const argv[], const struct child_how *how, struct err *e)
{
	int go[2], report[2];

	if (pipe2(go, O_CLOEXEC))
		return err_set(e, errno, "cannot make a pipe: %s", err_name(errno));
	if (pipe2(report, O_CLOEXEC)) {
		int code = errno;

		close(go[0]);
		close(go[1]);
		return err_set(e, code, "cannot make a pipe: %s", err_name(code));
	}

	pid_t pid = fork();
	int code = errno;

	if (pid == 0) {
		close(go[1]);
		in_child(go[0], report[1], how, argv);
	}
	close(go[0]);
	close(report[1]);
	*c = (struct child){ .pid = pid, .go_fd = go[1], .err_fd = report[0] };
	if (pid < 0) {
		child_cancel(c);
		return err_set(e, code, "cannot fork: %s", err_name(code));
	}
	return how && how->leaving ? watch_end(c, how, e) : 0;
}

bool child_in_path(const char *name)
{
	const char *path = getenv("PATH");
	struct sv rest = sv_from(path ? path : "/bin:/usr/bin"), dir;
	char full[PATH_MAX];

	while (sv_cut(&rest, ':', &dir)) {
		snprintf(full, sizeof(full), "%.*s/%s", (int)MIN(dir.n, 4000u), dir.s, name);
		if (!access(full, X_OK))
			return true;
	}
	return false;
}

int child_go(struct child *c, const char *name, struct err *e)
{
	int code = 0;
	ssize_t n = write(c->go_fd, "g", 1);

	while ((n = read(c->err_fd, &code, sizeof(code))) < 0 && errno == EINTR)
		;
	child_cancel(c);
	if (n != sizeof(code))
		return 0;
	child_wait(c, NULL);
	/* It was reaped: the pid may be reused. */
	c->pid = 0;
	return err_set(e, code, "cannot run '%s': %s", name, err_name(code));
}

void child_terminate(const struct child *c)
{
	kill(c->pid, SIGTERM);
}

void child_stop(struct child *c)
{
	child_cancel(c);
	if (c->pid <= 0)
		return;
	kill(c->pid, SIGTERM);
	child_wait(c, NULL);
	c->pid = 0;
}

int sys_self(void)
{
	return getpid();
}

static int shell_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_wait(const struct child *c, struct rusage *ru)
{
	int status = 0;
	pid_t r;

	do
		r = wait4(c->pid, &status, 0, ru);
	while ((r < 0 && errno == EINTR) || (r == c->pid && went_on(c, status)));
	return r == c->pid ? shell_status(status) : 0;
}

int child_poll(const struct child *c, int *status, struct rusage *ru)
{
	int raw = 0;

	do
		if (wait4(c->pid, &raw, WNOHANG, ru) != c->pid)
			return 0;
	while (went_on(c, raw));
	*status = shell_status(raw);
	return 1;
}

int signals_open(bool asked, struct err *e)
{
	sigset_t set;

	/* If SIGCHLD was ignored by our parent, the kernel would discard exit statuses. */
	signal(SIGCHLD, SIG_DFL);
	wanted_signals(&set);
	if (asked)
		sigaddset(&set, SIGUSR2);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return err_set(e, errno, "cannot block signals: %s", err_name(errno));

	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);

	return fd < 0 ? err_set(e, errno, "cannot make a signal descriptor: %s", err_name(errno)) : fd;
}

int signals_next(const struct sys *s, int fd)
{
	struct signalfd_siginfo info;

	return s->read(s, fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

void signals_close(int fd)
{
	sigset_t set;

	close(fd);
	wanted_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
