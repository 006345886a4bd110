/*
 * delays.h - what delays threads, and for how long: system calls, running, waiting for a CPU, being stopped, interrupts
 * meanwhile. Sums are for windows of time; an interval across an edge of a window counts with the part inside.
 *
 * The state of a thread before its first event follows from that event: a thread that is switched out has been running,
 * one that returns from a system call has been in it. Such an interval counts from the window's edge on.
 */
#ifndef ANALYSE_DELAYS_H
#define ANALYSE_DELAYS_H

#include "analyse/spread.h"
#include "base/map.h"

enum delay_kind { DELAY_SYSCALL, DELAY_RUN, DELAY_READY, DELAY_STOPPED, DELAY_IRQ, DELAY_SOFTIRQ, DELAY_KINDS };

/* A thread can be in one interval of each slot at a time. */
enum delay_slot { DELAY_SLOT_TASK, DELAY_SLOT_SYSCALL, DELAY_SLOT_IRQ, DELAY_SLOT_SOFTIRQ, DELAY_SLOTS };

struct delay_open {
	/* UNKNOWN: no event yet; DOUBTED: no event yet, and events were lost. */
	enum { DELAY_UNKNOWN, DELAY_DOUBTED, DELAY_IDLE, DELAY_OPEN, DELAY_LOST } is;
	enum delay_kind kind;
	uint64_t id, since;              /* since 0: before the first event */
};

struct delay_thread {
	uint32_t tid;
	struct delay_open open[DELAY_SLOTS];
};

struct delay_row {
	uint32_t tid;
	enum delay_kind kind;
	uint64_t id;                     /* number of the system call; of an interrupt given by the caller */
	struct spread whole;             /* ns: intervals that began and ended in the window */
	uint64_t cut, cut_max;           /* others: their number, and the longest part inside of the window */
	double cut_total;
};

struct delay_piece {
	uint32_t tid;
	enum delay_kind kind;
	uint64_t id, from, to;           /* ns: the part in the window */
	bool is_cut;
};

enum { DELAYS_THREADS = 1 << 16, DELAYS_ROWS = 1 << 16 };

struct delays {
	VEC(struct delay_thread) threads;
	struct map of;                   /* tid -> index + 1 */
	struct names ids;
	VEC(struct delay_row) rows;
	bool has_wakeups;                /* wake-ups are recorded; else a first switch-in may follow sleep */
	bool is_on;                      /* a window is open: */
	uint64_t from, to;               /* to UINT64_MAX: its end is not known yet */
	uint64_t discarded;              /* intervals in windows whose start or end was lost */
	uint64_t dropped;                /* intervals beyond DELAYS_ROWS, or of threads beyond DELAYS_THREADS */
	int (*ended)(void *arg, const struct delay_piece *p);   /* for each interval in the window; may be NULL */
	void *arg;
};

void delays_deinit(struct delays *d);

/* The thread, which is added if it is unknown. NULL: *r is -ENOMEM, or 0: there are too many. */
enum delay_age { DELAY_RUNS_ALREADY, DELAY_IS_NEW };
struct delay_thread *delays_thread(struct delays *d, uint32_t tid, enum delay_age age, int *r);

/* Switched in. 0, -ENOMEM or the result of `ended`, as below. */
int delays_in(struct delays *d, struct delay_thread *t, uint64_t time);
enum delay_off { DELAY_COULD_RUN, DELAY_WAITS, DELAY_IS_STOPPED };
int delays_out(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_off why);
int delays_woken(struct delays *d, struct delay_thread *t, uint64_t time);

/* System calls and interrupts. If one begins before the last one has ended, that end was lost. */
void delays_begin(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_kind kind, uint64_t id);
int delays_end(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_kind kind, uint64_t id);

/* The thread is known (from /proc) to have been in this since before the first event. */
void delays_is_in(struct delay_thread *t, enum delay_kind kind, uint64_t id);

/* Events were lost: all states are unknown. */
void delays_lose(struct delays *d);

/* Open and close a window; rows are of the window until delays_forget(). */
void delays_open_window(struct delays *d, uint64_t from, uint64_t to);
int delays_close_window(struct delays *d, uint64_t to);
void delays_forget(struct delays *d);

static inline uint64_t delay_count(const struct delay_row *r)
{
	return r->whole.n + r->cut;
}

static inline double delay_total(const struct delay_row *r)
{
	return r->whole.total + r->cut_total;
}

static inline uint64_t delay_max(const struct delay_row *r)
{
	return MAX(r->whole.max, r->cut_max);
}

#endif
