/* What is in the background and the foreground that waits for its word, with the death of the latter at bad moments. */
#include "sys/daemon.h"
#include "t.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void ask(int sig UNUSED)
{
	asked = 1;
}

/* Nobody reads the word. Children of a process of several threads, as an emulated one is, change hands before that. */
static bool is_unread(int word)
{
	struct pollfd fd = { .fd = word };

	return poll(&fd, 1, 0) == 1 && fd.revents & POLLERR;
}

/* 'T': it was asked to end by the time its word was given; 'G': it goes on; 'k': the foreground could not be killed. */
static char background(struct daemon *d, bool foreground_dies)
{
	pid_t foreground = getppid();

	signal(SIGTERM, ask);
	signal(SIGPIPE, SIG_IGN);
	/* As between the two steps of daemon_ready. */
	if (foreground_dies && (prctl(PR_SET_PDEATHSIG, 0) || kill(foreground, SIGKILL)))
		return 'k';
	while (foreground_dies && !is_unread(d->word))
		usleep(1000);
	daemon_ready(d);
	return asked ? 'T' : 'G';
}

/* Status of the foreground as waitpid has it; *fate is what the background said. */
static int run(bool foreground_dies, char *fate)
{
	int fate_of[2], status = -1;
	struct daemon d;

	*fate = '?';
	CHECK(!pipe(fate_of));

	pid_t pid = fork();

	if (!pid) {
		int r = daemon_begin(&d, NULL);

		if (r)
			_exit(r > 0 ? d.status : 99);

		char c = background(&d, foreground_dies);

		_exit(write(fate_of[1], &c, 1) != 1);
	}
	close(fate_of[1]);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(read(fate_of[0], fate, 1), 1);
	close(fate_of[0]);
	return status;
}

TEST(daemon_goes_on_when_its_foreground_has_its_word)
{
	char fate;
	int status = run(false, &fate);

	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
	CHECK_EQ(fate, 'G');
}

TEST(daemon_is_asked_to_end_when_its_foreground_died_before_the_word)
{
	char fate;
	int status = run(true, &fate);

	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	CHECK_EQ(fate, 'T');
}
