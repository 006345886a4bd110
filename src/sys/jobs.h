/*
 * jobs.h - pieces of work done by several threads, and taken back in the order in which they were given: whoever puts
 * the results together gets the same whatever the number of threads.
 *
 * The thread that takes works, too, on what nobody has begun. One thread is that one alone: nothing is started then.
 */
#ifndef SYS_JOBS_H
#define SYS_JOBS_H

#include "base/base.h"

struct jobs;

enum { JOBS_MAX = 64 };

/* CPUs that this process may run on, at most JOBS_MAX. */
unsigned jobs_default(void);

/*
 * So many threads, this one included; fewer where no more can be started. run may be called by any of them, for
 * different pieces at a time. NULL: no memory.
 */
struct jobs *jobs_new(unsigned threads, void (*run)(void *piece));

/* Everything given must have been taken. May be NULL. */
void jobs_free(struct jobs *j);

/* How many pieces may be given before one is taken: enough for all threads to have something to do. */
size_t jobs_room(const struct jobs *j);

void jobs_give(struct jobs *j, void *piece);

/* The oldest piece, done. NULL: none was given. */
void *jobs_take(struct jobs *j);

#endif
