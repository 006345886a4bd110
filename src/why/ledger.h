/*
 * ledger.h - where the time of some threads goes: each moment between the beginning and the end of the account, in
 * which a thread lives, counts for one cause, so causes add up to all of their time.
 *
 *	on a CPU       its own code; or an interrupt, a soft interrupt that came meanwhile, by name
 *	could run      behind whom: who was on its CPU; or that was idle
 *	off it         why it waits, at what place, and who ended that
 *	unknown        before the first event that tells, or across a loss of events
 *
 * What a thread did when the account began is told by the first event of it: who is switched out has run until then,
 * who is woken has waited. Names and places are the caller's numbers; 0: not known.
 */
#ifndef WHY_LEDGER_H
#define WHY_LEDGER_H

#include "base/map.h"
#include "base/str.h"

enum ledger_cause {
	LEDGER_RUN, LEDGER_IRQ, LEDGER_SOFTIRQ,           /* on a CPU */
	LEDGER_BEHIND, LEDGER_IDLE,                        /* could run */
	LEDGER_SLEEP, LEDGER_DISK, LEDGER_FAULT, LEDGER_BLOCKED, LEDGER_STOPPED,   /* off it */
	LEDGER_UNKNOWN, LEDGER_CAUSES,
};

enum { LEDGER_THREADS = 1 << 16, LEDGER_ROWS = 1 << 16, LEDGER_DEEP = 4 };

/* what: who had the CPU, which interrupt, at what place; by: who ended it. */
struct ledger_row {
	enum ledger_cause cause;
	uint32_t what, by;
	uint64_t ns, n, max;             /* n: how often it began */
};

struct ledger_thread {
	uint32_t tid, cpu;
	enum ledger_is { LEDGER_IS_FRESH, LEDGER_IS_ON, LEDGER_IS_READY, LEDGER_IS_OFF, LEDGER_IS_OVER } is;
	enum ledger_cause off;          /* why it is off; FRESH: what it seems to do, see ledger_guess */
	uint32_t place;                  /* where it is off */
	uint64_t from, since, to;        /* ns: of its life within the account; since: what is not added up yet */
	uint32_t losses;                 /* of struct ledger, when since was set */
	uint32_t next, before;           /* of those that could run on its CPU: index + 1 */
	uint64_t stay;                   /* ns of the stay at hand behind the same one */
};

struct ledger_cpu {
	uint32_t on;                     /* who: a name */
	uint32_t thread, ready;          /* index + 1: of who is on it, of the first that could be */
	bool is_idle;
	unsigned deep;                   /* interrupts within one another */
	struct { enum ledger_cause cause; uint32_t name; } in[LEDGER_DEEP];
};

struct ledger {
	uint64_t from, to;               /* ns; to 0: not known yet. */
	struct map of;                   /* tid -> index + 1 of who has it now */
	VEC(struct ledger_thread) threads;
	VEC(struct ledger_cpu) cpus;
	VEC(struct ledger_row) rows;
	struct names ids;                /* of rows */
	uint32_t losses;
	uint64_t woken, preempted, moved, came;   /* times */
	uint64_t dropped;                /* threads, rows that there was no room for */
};

void ledger_deinit(struct ledger *a);

/* Nothing before this time counts: it goes on from the state that threads are in. */
void ledger_begin(struct ledger *a, uint64_t time);

/*
 * A thread that is asked for, alive at `time`. What it seems to do then: RUN (or it could), why it is off, UNKNOWN.
 * That counts as long as no event tells.
 */
struct ledger_guess {
	enum ledger_cause cause;
	uint32_t place;
};
int ledger_thread(struct ledger *a, uint32_t tid, uint64_t time, struct ledger_guess guess);
/* It begins now, if nothing was seen of it before. */
void ledger_born(struct ledger *a, uint32_t tid, uint64_t time);
bool ledger_has(const struct ledger *a, uint32_t tid);

/* All below: 0 or -ENOMEM. Threads that ledger_thread was not called for only have a CPU. */
struct ledger_switch {
	uint64_t time;
	uint32_t cpu, prev, next;        /* tids */
	uint32_t next_name;
	bool could_run, ended;           /* prev: could it go on, has it ended */
	enum ledger_cause off;          /* else why it goes, and where */
	uint32_t place;
};
int ledger_switch(struct ledger *a, const struct ledger_switch *s);
int ledger_woken(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu, uint32_t by);
int ledger_moved(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu);

/* Interrupts on a CPU. */
int ledger_enter(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause, uint32_t name);
int ledger_leave(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause);

/* What this CPU is in: the innermost interrupt's name; 0: none. */
uint32_t ledger_within(const struct ledger *a, uint32_t cpu);

/* Is a sample here the interrupt's own? One interrupt alone is that which takes samples (arm64), or none is taken. */
bool ledger_is_interrupted(const struct ledger *a, uint32_t cpu);

/* Nobody knows what happened since the last event of each thread. */
void ledger_lose(struct ledger *a);

/* The end: what threads are in now counts until then. */
int ledger_end(struct ledger *a, uint64_t time);

/* Sum of a cause, and of all: the time that the threads had. */
uint64_t ledger_sum(const struct ledger *a, enum ledger_cause cause);
uint64_t ledger_wall(const struct ledger *a);

/* Some time of a cause, by whoever knows it otherwise. */
int ledger_add(struct ledger *a, const struct ledger_row *r);

#endif
