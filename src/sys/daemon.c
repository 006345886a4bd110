/* daemon.c - fork, and a pipe whose one byte says that the rest goes on by itself. */
#include "sys/daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int await(int pid, int word, struct daemon *d)
{
	char byte;
	int status = 0;
	ssize_t n;

	while ((n = read(word, &byte, 1)) < 0 && errno == EINTR)
		;
	close(word);
	if (n != 1) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		d->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	return 1;
}

int daemon_begin(struct daemon *d, struct err *e)
{
	int word[2], parent = getpid();

	*d = (struct daemon){ .word = -1 };
	if (pipe2(word, O_CLOEXEC))
		return err_set(e, errno, "cannot make a pipe: %s", err_name(errno));

	pid_t pid = fork();
	int code = errno;

	if (pid > 0) {
		close(word[1]);
		return await(pid, word[0], d);
	}
	close(word[0]);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		setsid();
		d->word = word[1];
		return 0;
	}
	close(word[1]);
	return err_set(e, code, "cannot fork: %s", err_name(code));
}

void daemon_ready(struct daemon *d)
{
	int null;

	if (d->word < 0)
		return;
	prctl(PR_SET_PDEATHSIG, 0);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
	while (write(d->word, "r", 1) < 0 && errno == EINTR)
		;
	close(d->word);
	d->word = -1;
}
