/*
 * ledger.h - accounts for the time of some threads: each moment of a thread's life within the account is charged to
 * exactly one cause, so the causes add up to all of their time.
 *
 *  on a CPU       its own code; or an interrupt or softirq meanwhile, by name
 *  runnable       behind whom: the task on its CPU; or the CPU was idle
 *  off it         why it waits, at what place, and who ended the wait
 *  unknown        before the first event of the thread, or across lost events
 *
 * The initial state of a thread is inferred from its first event: one that is switched out has run until then, one that
 * is woken has waited. Names and places are the caller's numbers; 0: unknown.
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

/* what: the task on the CPU, the interrupt, or the place; by: who ended it. */
struct ledger_row {
	enum ledger_cause cause;
	uint32_t what, by;
	uint64_t ns, n, max;             /* n: number of stays */
};

struct ledger_thread {
	uint32_t tid, cpu;
	enum ledger_is { LEDGER_IS_FRESH, LEDGER_IS_ON, LEDGER_IS_READY, LEDGER_IS_OFF, LEDGER_IS_OVER } is;
	enum ledger_cause off;          /* why it is off the CPU; FRESH: a guess, see ledger_guess */
	uint32_t place;                  /* place where it waits */
	uint64_t from, since, to;        /* ns: its life within the account; since: begin of the time not yet charged */
	uint32_t losses;                 /* ledger.losses when since was set */
	uint32_t next, before;           /* list of threads runnable on its CPU: index + 1 */
	uint64_t stay;                   /* ns of the current stay behind the same task */
};

struct ledger_cpu {
	uint32_t on;                     /* name of the running task */
	uint32_t thread, ready;          /* index + 1: the running thread; the first runnable one */
	bool is_idle;
	unsigned deep;                   /* nesting of interrupts */
	struct { enum ledger_cause cause; uint32_t name; } in[LEDGER_DEEP];
};

struct ledger {
	uint64_t from, to;               /* ns; to 0: not known yet */
	struct map of;                   /* tid -> index + 1 of the thread that has it now */
	VEC(struct ledger_thread) threads;
	VEC(struct ledger_cpu) cpus;
	VEC(struct ledger_row) rows;
	struct names ids;                /* of rows */
	uint32_t losses;
	uint64_t woken, preempted, moved, came;   /* counts of these events */
	uint64_t dropped;                /* threads and rows beyond the limits */
};

void ledger_deinit(struct ledger *a);

/* Time before this is not charged; states of threads persist. */
void ledger_begin(struct ledger *a, uint64_t time);

/*
 * Add a target thread, alive at `time`, with a guess of its state: RUN (or runnable), why it is off the CPU, or
 * UNKNOWN. The guess is used until its first event.
 */
struct ledger_guess {
	enum ledger_cause cause;
	uint32_t place;
};
int ledger_thread(struct ledger *a, uint32_t tid, uint64_t time, struct ledger_guess guess);
/* Let a thread begin now, unless events of it were seen before. */
void ledger_born(struct ledger *a, uint32_t tid, uint64_t time);
bool ledger_has(const struct ledger *a, uint32_t tid);

/* All below: 0 or -ENOMEM. Threads not added by ledger_thread only occupy a CPU. */
struct ledger_switch {
	uint64_t time;
	uint32_t cpu, prev, next;        /* tids */
	uint32_t next_name;
	bool could_run, ended;           /* prev: is it still runnable; has it ended */
	enum ledger_cause off;          /* otherwise: why and where it waits */
	uint32_t place;
};
int ledger_switch(struct ledger *a, const struct ledger_switch *s);
int ledger_woken(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu, uint32_t by);
int ledger_moved(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu);

/* Interrupts on a CPU. */
int ledger_enter(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause, uint32_t name);
int ledger_leave(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause);

/* Name of the innermost interrupt on this CPU; 0: none. */
uint32_t ledger_within(const struct ledger *a, uint32_t cpu);

/*
 * Does a sample here belong to an interrupt? A single one may be the sampling interrupt itself (arm64), and does not
 * count.
 */
bool ledger_is_interrupted(const struct ledger *a, uint32_t cpu);

/* Events were lost: the time since each thread's last event is unknown. */
void ledger_lose(struct ledger *a);

/* End the account: charge the current states until then. */
int ledger_end(struct ledger *a, uint64_t time);

/* Total of a cause; total of all, the threads' lifetime. */
uint64_t ledger_sum(const struct ledger *a, enum ledger_cause cause);
uint64_t ledger_wall(const struct ledger *a);

/* Charge time to a cause that is known from elsewhere. */
int ledger_add(struct ledger *a, const struct ledger_row *r);

#endif
