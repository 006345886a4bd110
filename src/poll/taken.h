/*
 * taken.h - what takes the CPU from threads that poll, as tracepoints tell it: gaps (analyse/gaps.h) of the threads
 * that were found, or that turn out to be meant, with names of who took them.
 *
 *	taken_events(&specs, NULL, e), taken_cpus(&t, &target, e)       what to ask for, and where
 *	taken_begin(&t, feed, e)                                  t.gaps.piece, .gap and .arg are set
 *	taken_hit(&t, hit), taken_lost(&t, cpu)                   each; -ENOMEM
 */
#ifndef POLL_TAKEN_H
#define POLL_TAKEN_H

#include "analyse/gaps.h"
#include "engine/feed.h"
#include "poll/program.h"
#include "poll/threads.h"

/* A thread that is watched, in the order of gaps' threads: those found, then others. */
struct taken_thread {
	uint32_t pid;
	uint64_t from, to;               /* ns: seen */
	uint64_t faults;                 /* so far, as the kernel counts them */
	uint32_t cpu;
	uint64_t ticks, taken;           /* timers' interrupts; others that ran instead */
};

struct taken {
	struct gaps gaps;
	struct poll_threads found;       /* live, at the start */
	struct poll_choice choice;       /* of the others */
	VEC(struct taken_thread) threads;
	struct names who;                /* of what is no thread, and who asks for names */
	struct feed *feed;
	/* The rest is its own. */
	char *cpus;                      /* the feed's target */
	struct map of;                   /* thread -> index + 1; 0: it is not meant */
	uint8_t *source;                 /* by tap */
};

/*
 * Those that this kernel has; the first must be there. Of these threads only, if not NULL: then it is not known who
 * else has run while one was away, but for the first of them.
 */
int taken_events(struct specs *s, const struct program_ids *only, struct err *e);

/* Where these threads run: their CPUs, if each is pinned to one, else all. */
int taken_cpus(struct taken *t, struct target_want *w, struct err *e);

int taken_begin(struct taken *t, struct feed *f, struct err *e);
int taken_hit(struct taken *t, const struct hit *h);
void taken_lost(struct taken *t, uint32_t cpu);
void taken_close(struct taken *t);

/* Who, of a piece: of a thread its name, for which there is always one. */
const char *taken_by(struct taken *t, const struct gap_piece *g);
/* The name as a number that stays; NAMES_NONE: no memory. */
uint32_t taken_name(struct taken *t, const char *name);

/* "preempted" */
const char *taken_cause(enum gap_cause c);

#endif
