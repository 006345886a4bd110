/*
 * ledger.h - an account of threads' time: each moment of a thread's life between the account's beginning and end counts
 * for exactly one cause, so that all causes add up to the threads' total time.
 *
 *	on a CPU       its own code; or an interrupt or soft interrupt that ran meanwhile, by name
 *	could run      which thread had its CPU, or that the CPU was idle
 *	off it         why and where it waits, and what ended the wait
 *	unknown        before the thread's first event, or across a loss of events
 *
 * A thread's first event tells what it did from the account's beginning on: a thread that is switched out has run, one
 * that is woken has waited. Names and places are ids of the caller; 0: not known.
 */
#ifndef WHY_LEDGER_H
#define WHY_LEDGER_H

#include "base/map.h"
#include "base/str.h"

enum ledger_cause {
	LEDGER_RUN, LEDGER_IRQ, LEDGER_SOFTIRQ,           /* on a CPU */
	LEDGER_BEHIND, LEDGER_IDLE,                        /* runnable */
	LEDGER_SLEEP, LEDGER_DISK, LEDGER_FAULT, LEDGER_BLOCKED, LEDGER_STOPPED,   /* off it */
	LEDGER_UNKNOWN, LEDGER_CAUSES,
};

enum { LEDGER_THREADS = 1 << 16, LEDGER_ROWS = 1 << 16, LEDGER_DEEP = 4 };

/* what: the thread that had the CPU, the interrupt, or the place of the wait; by: what ended the wait. */
struct ledger_row {
	enum ledger_cause cause;
	uint32_t what, by;
	uint64_t ns, n, max;             /* n: how often it happened */
};

struct ledger_thread {
	uint32_t tid, cpu;
	enum ledger_is { LEDGER_IS_FRESH, LEDGER_IS_ON, LEDGER_IS_READY, LEDGER_IS_OFF, LEDGER_IS_OVER } is;
	enum ledger_cause off;          /* why it is off; FRESH: the guess, see ledger_guess */
	uint32_t place;                  /* where it waits */
	uint64_t from, since, to;        /* ns; from, to: its life in the account; since: time is added up until then */
	uint32_t losses;                 /* ledger.losses when `since` was set: if it has grown, the time is unknown */
	uint32_t next, before;           /* list of runnable threads of its CPU: index + 1 */
	uint64_t stay;                   /* ns so far of the current uninterrupted stay in one row */
};

struct ledger_cpu {
	uint32_t on;                     /* name of the thread on it */
	uint32_t thread, ready;          /* index + 1: the watched thread on it, the first runnable one */
	bool is_idle;
	unsigned deep;                   /* nesting of interrupts */
	struct { enum ledger_cause cause; uint32_t name; } in[LEDGER_DEEP];
};

struct ledger {
	uint64_t from, to;               /* ns; to 0: not known yet */
	struct map of;                   /* tid -> index + 1 of the living thread */
	VEC(struct ledger_thread) threads;
	VEC(struct ledger_cpu) cpus;
	VEC(struct ledger_row) rows;
	struct names ids;                /* keys of rows */
	uint32_t losses;                 /* number of times that events were lost */
	uint64_t woken, preempted, moved, came;   /* how often threads were woken, preempted, migrated, switched in */
	uint64_t dropped;                /* threads and rows for which there was no room */
};

void ledger_deinit(struct ledger *a);

/* Drop all time counted before this time, but keep the threads' states. */
void ledger_begin(struct ledger *a, uint64_t time);

/*
 * Add a thread to watch, alive at `time`. guess: its state then, from /proc: RUN (or runnable), a cause to be off, or
 * UNKNOWN; it is used until an event tells more.
 */
struct ledger_guess {
	enum ledger_cause cause;
	uint32_t place;
};
int ledger_thread(struct ledger *a, uint32_t tid, uint64_t time, struct ledger_guess guess);
/* The thread's life begins now, unless it had events before. */
void ledger_born(struct ledger *a, uint32_t tid, uint64_t time);
bool ledger_has(const struct ledger *a, uint32_t tid);

/* Functions below return 0 or -ENOMEM. Threads that were not added only matter as those that have a CPU. */
struct ledger_switch {
	uint64_t time;
	uint32_t cpu, prev, next;        /* tids */
	uint32_t next_name;
	bool could_run, ended;           /* prev is still runnable (preempted), or has exited; */
	enum ledger_cause off;          /* else why, and where, it waits */
	uint32_t place;
};
int ledger_switch(struct ledger *a, const struct ledger_switch *s);
int ledger_woken(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu, uint32_t by);
int ledger_moved(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu);

/* Interrupts on a CPU. */
int ledger_enter(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause, uint32_t name);
int ledger_leave(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause);

/* Name of the innermost interrupt that this CPU is in; 0: none. */
uint32_t ledger_within(const struct ledger *a, uint32_t cpu);

/* Is a sample on this CPU of an interrupt's code? A single interrupt may be the one that takes the sample (arm64). */
bool ledger_is_interrupted(const struct ledger *a, uint32_t cpu);

/* Events were lost: all time since the last event of each thread is unknown. */
void ledger_lose(struct ledger *a);

/* End the account: count the threads' current states up to this time. */
int ledger_end(struct ledger *a, uint64_t time);

/* The sum of a cause; the total time of all threads. */
uint64_t ledger_sum(const struct ledger *a, enum ledger_cause cause);
uint64_t ledger_wall(const struct ledger *a);

/* Add time of a cause that is known from elsewhere. */
int ledger_add(struct ledger *a, const struct ledger_row *r);

#endif
