/* test_worker.c - forked functions. */
#include "sys/worker.h"
#include "t.h"

#include <signal.h>

static int answer(void *arg)
{
	return *(int *)arg;
}

/* It goes on whatever comes, also before it runs for the first time. */
TEST(worker_goes_on_from_its_first_moment)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGQUIT };
	struct err e;
	int seven = 7;

	for (int i = 0; i < 100; i++) {
		int pid = worker_start(WORKER_OUTLIVES_US, answer, &seven, &e);

		CHECK(pid > 0);
		kill(pid, signals[i % 4]);
		CHECK_EQ(worker_wait(pid), 7);
	}
}

/* What is not blocked before is not blocked behind it. */
TEST(worker_leaves_the_mask_of_signals)
{
	sigset_t before, after;
	struct err e;
	int seven = 7;

	sigprocmask(SIG_SETMASK, NULL, &before);
	worker_wait(worker_start(WORKER_DIES_WITH_US, answer, &seven, &e));
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int i = 1; i < 32; i++)
		CHECK_EQ(sigismember(&before, i), sigismember(&after, i));
}
