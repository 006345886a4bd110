/*
 * delays.h - what the kernel does to threads, and for how long: system calls, running, waiting for a CPU, being
 * stopped, interrupts in their time. Looked at in windows; what lies across an edge of one counts with its part that is
 * inside.
 *
 * What a thread was in when it began to be looked at is told by the first event of it: who is switched out has run
 * until then, who returns from a system call has been in it. That counts from the window's edge on.
 */
#ifndef ANALYSE_DELAYS_H
#define ANALYSE_DELAYS_H

#include "analyse/spread.h"
#include "base/map.h"

enum delay_kind { DELAY_SYSCALL, DELAY_RUN, DELAY_READY, DELAY_STOPPED, DELAY_IRQ, DELAY_SOFTIRQ, DELAY_KINDS };

/* A thread does one of these at a time. */
enum delay_slot { DELAY_SLOT_TASK, DELAY_SLOT_SYSCALL, DELAY_SLOT_IRQ, DELAY_SLOT_SOFTIRQ, DELAY_SLOTS };

struct delay_open {
	/* UNKNOWN: no event of it yet; DOUBTED: nor since, but events were lost. */
	enum { DELAY_UNKNOWN, DELAY_DOUBTED, DELAY_IDLE, DELAY_OPEN, DELAY_LOST } is;
	enum delay_kind kind;
	uint64_t id, since;              /* since 0: before it was looked at */
};

struct delay_thread {
	uint32_t tid;
	struct delay_open open[DELAY_SLOTS];
};

struct delay_row {
	uint32_t tid;
	enum delay_kind kind;
	uint64_t id;                     /* number of the system call, the caller's of an interrupt */
	struct spread whole;             /* ns: began and ended in the window */
	uint64_t cut, cut_max;           /* others: how many, the longest part that is in it */
	double cut_total;
};

struct delay_piece {
	uint32_t tid;
	enum delay_kind kind;
	uint64_t id, from, to;           /* ns: what of it is in the window */
	bool is_cut;
};

enum { DELAYS_THREADS = 1 << 16, DELAYS_ROWS = 1 << 16 };

struct delays {
	VEC(struct delay_thread) threads;
	struct map of;                   /* tid -> index + 1 */
	struct names ids;
	VEC(struct delay_row) rows;
	bool has_wakeups;                /* else who is switched in first may have slept until then */
	bool is_on;                      /* in a window: */
	uint64_t from, to;               /* to UINT64_MAX: its end is not known yet */
	uint64_t discarded;              /* in windows: began or ended within a loss */
	uint64_t dropped;                /* in no row, or of threads beyond DELAYS_THREADS */
	int (*ended)(void *arg, const struct delay_piece *p);   /* in the window; may be NULL */
	void *arg;
};

void delays_deinit(struct delays *d);

/* The thread, new ones included; is_new: it has just been started. NULL: *r is -ENOMEM, or 0: there are too many. */
enum delay_age { DELAY_RUNS_ALREADY, DELAY_IS_NEW };
struct delay_thread *delays_thread(struct delays *d, uint32_t tid, enum delay_age age, int *r);

/* 0, -ENOMEM or what `ended` returned. */
int delays_in(struct delays *d, struct delay_thread *t, uint64_t time);
enum delay_off { DELAY_COULD_RUN, DELAY_WAITS, DELAY_IS_STOPPED };
int delays_out(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_off why);
int delays_woken(struct delays *d, struct delay_thread *t, uint64_t time);

/* System calls and interrupts. What was not ended before the next one begins was lost. */
void delays_begin(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_kind kind, uint64_t id);
int delays_end(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_kind kind, uint64_t id);

/* It has been in this since before it was looked at, and no event has told of it. */
void delays_is_in(struct delay_thread *t, enum delay_kind kind, uint64_t id);

/* Events were lost: nobody knows what began or ended meanwhile. */
void delays_lose(struct delays *d);

/* A window is open from then on, and is over then: rows are those of it until delays_forget. */
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
