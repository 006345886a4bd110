/* Pieces of work come back in the order in which they were given, each done once. */
#include "sys/jobs.h"
#include "t.h"

#include <pthread.h>
#include <unistd.h>

struct piece {
	unsigned n, runs;
	pthread_t by;
};

/* How many must be begun before the first one ends: on a busy machine one thread would do all of them otherwise. */
static unsigned at_once;
static _Atomic unsigned begun;

/* The first ones take longest. */
static void run(void *arg)
{
	struct piece *p = arg;

	begun++;
	while (!p->n && begun < at_once)
		usleep(100);
	usleep(p->n < 4 ? 2000 : 0);
	p->runs++;
	p->by = pthread_self();
}

/* How many of the pieces other threads than this one did. */
static unsigned check(unsigned threads)
{
	enum { N = 500 };
	static struct piece piece[N];
	struct jobs *j = jobs_new(threads, run);
	size_t given = 0, taken = 0;
	unsigned others = 0;

	at_once = MIN(threads, 2);
	begun = 0;
	memset(piece, 0, sizeof(piece));
	while (taken < N) {
		while (given < N && given - taken < jobs_room(j)) {
			piece[given].n = (unsigned)given;
			jobs_give(j, &piece[given++]);
		}
		CHECK(jobs_take(j) == &piece[taken]);
		CHECK_EQ(piece[taken].runs, 1);
		others += !pthread_equal(piece[taken].by, pthread_self());
		taken++;
	}
	CHECK(!jobs_take(j));
	jobs_free(j);
	return others;
}

TEST(jobs_come_back_in_order)
{
	CHECK_EQ(check(1), 0);
	CHECK(check(2) > 0);
	CHECK(check(7) > 0);
	CHECK(jobs_default() >= 1 && jobs_default() <= JOBS_MAX);
}

TEST(jobs_free_what_never_began)
{
	struct jobs *j = jobs_new(3, run);

	CHECK(j && jobs_room(j) >= 1);
	jobs_free(NULL);
	jobs_free(j);
}
