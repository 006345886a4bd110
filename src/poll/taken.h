/*
 * taken.h - what takes the CPU away from polling threads, from tracepoints: gaps (analyse/gaps.h) of the threads that
 * were found at the start or match the choice later, with the names of what took them.
 *
 *	taken_events(&specs, NULL, e), taken_cpus(&t, &target, e)       which events to open, on which CPUs
 *	taken_begin(&t, feed, e)                                  with t.gaps.piece, .gap and .arg set
 *	taken_hit(&t, hit), taken_lost(&t, cpu)                   for each event, each loss; -ENOMEM
 */
#ifndef POLL_TAKEN_H
#define POLL_TAKEN_H

#include "analyse/gaps.h"
#include "engine/feed.h"
#include "poll/program.h"
#include "poll/threads.h"

/* A watched thread; indexed like gaps.threads: those found at the start, then others. */
struct taken_thread {
	uint32_t pid;
	uint64_t from, to;               /* ns: the times of its first and last event */
	uint64_t faults;                 /* total page faults, as the kernel counts them */
	uint32_t cpu;
	uint64_t ticks, taken;           /* timer interrupts; times that another thread ran instead */
};

struct taken {
	struct gaps gaps;
	struct poll_threads found;       /* live: threads that exist at the start */
	struct poll_choice choice;       /* which other threads to watch */
	VEC(struct taken_thread) threads;
	struct names who;                /* names of interrupts, and those of taken_name() */
	struct feed *feed;
	/* Private. */
	char *cpus;                      /* the feed's target */
	struct map of;                   /* tid -> index + 1; 0: the thread is not watched */
	uint8_t *source;                 /* by tap: index of its row in sources[] */
};

/*
 * Add those of the events that this kernel has; sched_switch must be there. only: filter by these threads; then of the
 * threads that run while one of them is away, only the first is known.
 */
int taken_events(struct specs *s, const struct program_ids *only, struct err *e);

/* The CPUs to measure: those of the threads, if each is pinned to one, else all. */
int taken_cpus(struct taken *t, struct target_want *w, struct err *e);

int taken_begin(struct taken *t, struct feed *f, struct err *e);
int taken_hit(struct taken *t, const struct hit *h);
void taken_lost(struct taken *t, uint32_t cpu);
void taken_close(struct taken *t);

/* The name of what took a piece of a gap; never NULL. */
const char *taken_by(struct taken *t, const struct gap_piece *g);
/* A permanent id of the name, for gap_piece.who; NAMES_NONE: no memory. */
uint32_t taken_name(struct taken *t, const char *name);

/* E.g. "preempted". */
const char *taken_cause(enum gap_cause c);

#endif
