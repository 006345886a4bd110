/*
 * jobs.h - work on pieces in several threads, with results in the order of submission: so merged results do not depend
 * on the number of threads.
 *
 * The thread that takes results also runs pieces that no thread has begun. With one thread nothing is started.
 */
#ifndef SYS_JOBS_H
#define SYS_JOBS_H

#include "base/base.h"

struct jobs;

enum { JOBS_MAX = 64 };

/* Number of CPUs in our affinity mask, at most JOBS_MAX. */
unsigned jobs_default(void);

/*
 * threads: including the caller's; fewer if no more can be started. run is called concurrently for different pieces.
 * NULL: no memory.
 */
struct jobs *jobs_new(unsigned threads, void (*run)(void *piece));

/* All pieces must have been taken. j may be NULL. */
void jobs_free(struct jobs *j);

/* Number of pieces to submit before taking one: enough to keep all threads busy. */
size_t jobs_room(const struct jobs *j);

void jobs_give(struct jobs *j, void *piece);

/* The oldest piece, when it is done. NULL: none was submitted. */
void *jobs_take(struct jobs *j);

#endif
