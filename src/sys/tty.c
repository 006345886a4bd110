/* tty.c - terminals and pagers. */
#include "sys/tty.h"

#include "sys/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* TIOCGWINSZ's layout and number are the same on both architectures. */
static unsigned columns(int fd)
{
	struct winsize w = { 0 };
	const char *env = getenv("COLUMNS");
	uint64_t v;

	if (env && str_u64(sv_from(env), 10, &v) && v > 0 && v < 10000)
		return (unsigned)v;
	/* A serial line reports 0 columns. */
	return !ioctl(fd, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : 80;
}

bool tty_is(int fd)
{
	return isatty(fd) == 1;
}

void tty_setup(struct out *o, int fd)
{
	const char *term = getenv("TERM");

	if (!tty_is(fd))
		return;
	o->terminal = true;
	o->width = columns(fd);
	o->color = !getenv("NO_COLOR") && term && strcmp(term, "dumb");
}

static const char *choose_pager(void)
{
	static const char *const known[] = { "less", "more" };
	const char *p = getenv("SONDE_PAGER");

	if (!p)
		p = getenv("PAGER");
	if (p)
		return *p && strcmp(p, "cat") ? p : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (child_in_path(known[i]))
			return known[i];
	return NULL;
}

int tty_pager_begin(struct out *o)
{
	/* o->width is only set if tty_setup found a terminal. */
	const char *pager = o->width && tty_is(STDOUT_FILENO) ? choose_pager() : NULL;
	int fds[2];

	if (!pager || pipe2(fds, O_CLOEXEC))
		return 0;

	pid_t pid = fork();

	if (pid == 0) {
		dup2(fds[0], STDIN_FILENO);
		signal(SIGPIPE, SIG_DFL);
		/* less: keep short output on the screen, pass colours through. */
		setenv("LESS", "FRSX", 0);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		_exit(127);
	}
	close(fds[0]);
	if (pid > 0) {
		out_flush(o);
		dup2(fds[1], STDOUT_FILENO);
	}
	close(fds[1]);
	return pid > 0 ? pid : 0;
}

void tty_pager_end(struct out *o, int pager)
{
	if (!pager)
		return;
	out_flush(o);
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}
