/* daemon.c - fork, and a pipe on which one byte says that setup is complete. */
#include "sys/daemon.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORD, SAID, PIPES };        /* one pipe each from the background: ready byte, messages */

/* Forward all messages so far. False: the pipe is closed. */
static bool pass_on(int from)
{
	char text[1024];
	ssize_t n;

	while ((n = read(from, text, sizeof(text))) > 0)
		for (ssize_t at = 0, done; at < n; at += done) {
			done = write(STDERR_FILENO, text + at, (size_t)(n - at));
			if (done <= 0)
				break;
		}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static int await(int pid, const int from[PIPES], struct daemon *d)
{
	struct pollfd fds[PIPES] = { { .fd = from[WORD], .events = POLLIN }, { .fd = from[SAID], .events = POLLIN } };
	char byte;
	int status = 0;
	ssize_t n = -1;

	fcntl(from[SAID], F_SETFL, O_NONBLOCK);
	while (n < 0) {
		if (poll(fds, PIPES, -1) < 0)
			continue;
		if (fds[WORD].revents)
			n = read(from[WORD], &byte, 1);
		/* Messages were written before the ready byte: forward them first. */
		if (!pass_on(from[SAID]))
			fds[SAID].fd = -1;
	}
	if (n != 1) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		pass_on(from[SAID]);
		d->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	for (int i = 0; i < PIPES; i++)
		close(from[i]);
	return 1;
}

static void give_up(int from, int to)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = from; null >= 0 && fd <= to; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}

static void go_to_background(const int word[2], const int said[2], int parent, struct daemon *d)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	setsid();
	close(word[0]);
	close(said[0]);
	give_up(STDIN_FILENO, STDOUT_FILENO);
	dup2(said[1], STDERR_FILENO);
	close(said[1]);
	d->word = word[1];
}

int daemon_begin(struct daemon *d, struct err *e)
{
	int word[2], said[2], parent = getpid();

	*d = (struct daemon){ .word = -1 };
	if (pipe2(word, O_CLOEXEC))
		return err_set(e, errno, "cannot make a pipe: %s", err_name(errno));
	if (pipe2(said, O_CLOEXEC)) {
		err_set(e, errno, "cannot make a pipe: %s", err_name(errno));
		close(word[0]);
		close(word[1]);
		return -e->code;
	}

	pid_t pid = fork();
	int code = errno;

	if (!pid) {
		go_to_background(word, said, parent, d);
		return 0;
	}
	close(word[1]);
	close(said[1]);
	if (pid > 0)
		return await(pid, (const int[PIPES]){ word[0], said[0] }, d);
	close(word[0]);
	close(said[0]);
	return err_set(e, code, "cannot fork: %s", err_name(code));
}

void daemon_ready(struct daemon *d)
{
	ssize_t n;

	if (d->word < 0)
		return;
	prctl(PR_SET_PDEATHSIG, 0);
	give_up(STDIN_FILENO, STDERR_FILENO);
	while ((n = write(d->word, "r", 1)) < 0 && errno == EINTR)
		;
	close(d->word);
	d->word = -1;
	/* The foreground died just before: treat it as its death until now, which sends SIGTERM. */
	if (n != 1)
		raise(SIGTERM);
}
