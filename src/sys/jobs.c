/* jobs.c - a ring of pieces, and threads that run the oldest ones first. */
#include "sys/jobs.h"

#include "sys/thread.h"

#include <unistd.h>

enum { STACK = 512 << 10, ROOM = 2 * JOBS_MAX };

enum state { WAITS, RUNS, DONE };

struct piece {
	void *what;
	enum state state;
};

struct jobs {
	void (*run)(void *piece);
	pthread_mutex_t lock;
	pthread_cond_t given, done;
	/* All below is protected by the lock. */
	struct piece ring[ROOM];
	size_t taken, begun, given_n;   /* sequence numbers: taken <= begun <= given_n */
	bool ended;
	pthread_t thread[JOBS_MAX];
	unsigned threads;               /* started */
};

unsigned jobs_default(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return (unsigned)MIN(MAX(n, 1L), (long)JOBS_MAX);
}

/* Run the oldest piece not yet begun. Called with the lock, which is released meanwhile. */
static void run_one(struct jobs *j)
{
	struct piece *p = &j->ring[j->begun++ % ROOM];

	p->state = RUNS;
	pthread_mutex_unlock(&j->lock);
	j->run(p->what);
	pthread_mutex_lock(&j->lock);
	p->state = DONE;
	pthread_cond_broadcast(&j->done);
}

static void *work(void *arg)
{
	struct jobs *j = arg;

	pthread_mutex_lock(&j->lock);
	while (!j->ended) {
		if (j->begun < j->given_n)
			run_one(j);
		else
			pthread_cond_wait(&j->given, &j->lock);
	}
	pthread_mutex_unlock(&j->lock);
	return NULL;
}

struct jobs *jobs_new(unsigned threads, void (*run)(void *piece))
{
	struct jobs *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->run = run;
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->given, NULL);
	pthread_cond_init(&j->done, NULL);
	while (j->threads + 1 < MIN(threads, (unsigned)JOBS_MAX) &&
	       !thread_start(&j->thread[j->threads], STACK, work, j))
		j->threads++;
	return j;
}

void jobs_free(struct jobs *j)
{
	if (!j)
		return;
	pthread_mutex_lock(&j->lock);
	j->ended = true;
	pthread_cond_broadcast(&j->given);
	pthread_mutex_unlock(&j->lock);
	while (j->threads)
		pthread_join(j->thread[--j->threads], NULL);
	pthread_mutex_destroy(&j->lock);
	pthread_cond_destroy(&j->given);
	pthread_cond_destroy(&j->done);
	free(j);
}

size_t jobs_room(const struct jobs *j)
{
	return j->threads ? j->threads + 1 : 1;
}

void jobs_give(struct jobs *j, void *piece)
{
	pthread_mutex_lock(&j->lock);
	j->ring[j->given_n++ % ROOM] = (struct piece){ .what = piece };
	pthread_cond_signal(&j->given);
	pthread_mutex_unlock(&j->lock);
}

void *jobs_take(struct jobs *j)
{
	void *what = NULL;

	pthread_mutex_lock(&j->lock);
	if (j->taken < j->given_n) {
		struct piece *p = &j->ring[j->taken % ROOM];

		while (p->state != DONE) {
			if (j->begun < j->given_n)
				run_one(j);
			else
				pthread_cond_wait(&j->done, &j->lock);
		}
		what = p->what;
		j->taken++;
	}
	pthread_mutex_unlock(&j->lock);
	return what;
}
