/*
 * gaps.h - times in which a thread does not run its own code, and what takes them: an interrupt, a soft interrupt,
 * another thread, or the thread itself (a system call, sleep). Causes nest: each counts without those inside.
 *
 * Whoever reads events says what begins and ends; a cause's `who` is a number of theirs, while a thread is off its CPU
 * that of gaps_runs. What follows within GAP_JOIN ns is the same gap: between an interrupt and what it has raised there
 * is hardly time for code of the thread.
 */
#ifndef ANALYSE_GAPS_H
#define ANALYSE_GAPS_H

#include "base/vec.h"

enum gap_cause { GAP_PREEMPTED, GAP_IRQ, GAP_SOFTIRQ, GAP_IPI, GAP_SYSCALL, GAP_ASLEEP, GAP_CAUSES };

/* The rest is the thread's own doing. */
static inline bool gap_is_stolen(enum gap_cause c)
{
	return c < GAP_SYSCALL;
}

enum { GAP_JOIN = 2000, GAP_DEPTH = GAP_CAUSES, GAP_PIECES = 6 };

struct gap_piece {
	enum gap_cause cause;
	uint32_t who;
	uint64_t ns;
};

struct gap {
	uint32_t tid, cpu;
	uint64_t from, to;                       /* ns */
	uint64_t stolen;                         /* ns of it that others took */
	struct gap_piece pieces[GAP_PIECES];     /* the same cause once */
	unsigned n;
	uint64_t others;                         /* ns of what found no place there */
};

struct gap_open {
	enum gap_cause cause;
	uint32_t who;
	uint64_t since, inside;                  /* ns of what nests in it */
};

struct gap_thread {
	uint32_t tid, cpu;
	struct gap_open open[GAP_DEPTH];
	unsigned depth;
	bool has_gap;
	struct gap gap;                          /* the last one, which may go on */
	/* While it is off the CPU: who has it, since when, and who had it for longest. */
	uint32_t runs, longest;
	uint64_t runs_since, longest_ns;
};

struct gaps {
	VEC(struct gap_thread) threads;
	int (*piece)(void *arg, const struct gap_thread *t, const struct gap_piece *p);
	int (*gap)(void *arg, const struct gap *g);
	void *arg;
	uint64_t discarded;                      /* causes whose beginning or end was lost */
};

/* Index of a new thread, or -ENOMEM. */
int gaps_watch(struct gaps *g, uint32_t tid);
void gaps_deinit(struct gaps *g);

/* Of thread i. 0 or what a callback returned. */
int gaps_begin(struct gaps *g, size_t i, uint32_t cpu, uint64_t time, const struct gap_piece *what);
int gaps_end(struct gaps *g, size_t i, uint64_t time, enum gap_cause cause);

/* Somebody gets a CPU: of the threads that are off it. */
void gaps_runs(struct gaps *g, uint32_t cpu, uint64_t time, uint32_t who);

/* Events of that CPU were lost; UINT32_MAX: of any. */
void gaps_lost(struct gaps *g, uint32_t cpu);

/* Gaps that cannot go on are told; all: those that might, too. */
int gaps_tell(struct gaps *g, uint64_t time, bool all);

#endif
