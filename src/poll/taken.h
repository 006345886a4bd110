/*
 * taken.h - what takes the CPU from polling threads, by tracepoints: gaps (analyse/gaps.h) of the threads that were
 * found, or that turn out to be targets, with the names of their causes.
 *
 *  taken_events(&specs, NULL, e), taken_cpus(&t, &target, e)       events and CPUs to open
 *  taken_begin(&t, feed, e)                                        after t.gaps.piece, .gap and .arg are set
 *  taken_hit(&t, hit), taken_lost(&t, cpu)                         for each; -ENOMEM
 */
#ifndef POLL_TAKEN_H
#define POLL_TAKEN_H

#include "analyse/gaps.h"
#include "engine/feed.h"
#include "poll/program.h"
#include "poll/threads.h"

/* A watched thread, in the order of gaps' threads: those found first, then others. */
struct taken_thread {
	uint32_t pid;
	uint64_t from, to;               /* ns: first and last event */
	uint64_t faults;                 /* page faults so far, by the kernel's count */
	uint32_t cpu;
	uint64_t ticks, taken;           /* timer interrupts; other interruptions */
};

struct taken {
	struct gaps gaps;
	struct poll_threads found;       /* live: threads that existed at the start */
	struct poll_choice choice;       /* which other threads are targets */
	VEC(struct taken_thread) threads;
	struct names who;                /* names of causes that are not threads; also queried names */
	struct feed *feed;
	/* Private to taken.c. */
	char *cpus;                      /* the target of the feed */
	struct map of;                   /* tid -> index + 1; 0: not a target */
	uint8_t *source;                 /* by tap */
};

/*
 * Add the events that this kernel has; the first one is required. only: filter for these threads, if not NULL: then
 * only the first of the other threads that ran meanwhile is known.
 */
int taken_events(struct specs *s, const struct program_ids *only, struct err *e);

/* Restrict to the CPUs of these threads, if each is pinned to one; otherwise all CPUs. */
int taken_cpus(struct taken *t, struct target_want *w, struct err *e);

int taken_begin(struct taken *t, struct feed *f, struct err *e);
int taken_hit(struct taken *t, const struct hit *h);
void taken_lost(struct taken *t, uint32_t cpu);
void taken_close(struct taken *t);

/* Name of a piece's cause; for a thread its name, which always exists. */
const char *taken_by(struct taken *t, const struct gap_piece *g);
/* Number of a name, permanent; NAMES_NONE: no memory. */
uint32_t taken_name(struct taken *t, const char *name);

/* "preempted" */
const char *taken_cause(enum gap_cause c);

#endif
