/*
 * gaps.h - times in which a thread does not run its own code, and their causes: an interrupt, a softirq, another
 * thread, or the thread itself (a system call, sleep). Causes nest: each counts without those inside.
 *
 * The caller reports starts and ends; `who` of a cause is a number of the caller's, or, while a thread is off its CPU,
 * the one of gaps_runs(). A cause that follows within GAP_JOIN ns belongs to the same gap: between an interrupt and the
 * softirq that it has raised there is hardly time for code of the thread.
 */
#ifndef ANALYSE_GAPS_H
#define ANALYSE_GAPS_H

#include "base/vec.h"

enum gap_cause { GAP_PREEMPTED, GAP_IRQ, GAP_SOFTIRQ, GAP_IPI, GAP_SYSCALL, GAP_ASLEEP, GAP_CAUSES };

/* Is the time taken by others? The remaining causes are the thread's own doing. */
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
	uint64_t stolen;                         /* ns taken by others */
	struct gap_piece pieces[GAP_PIECES];     /* one for each distinct cause */
	unsigned n;
	uint64_t others;                         /* ns of causes beyond GAP_PIECES */
};

struct gap_open {
	enum gap_cause cause;
	uint32_t who;
	uint64_t since, inside;                  /* ns; inside: duration of nested causes */
};

struct gap_thread {
	uint32_t tid, cpu;
	struct gap_open open[GAP_DEPTH];
	unsigned depth;
	bool has_gap;
	struct gap gap;                          /* the last gap, which may continue */
	/* While it is off the CPU: the task that runs there, since when, and the one that ran longest. */
	uint32_t runs, longest;
	uint64_t runs_since, longest_ns;
};

struct gaps {
	VEC(struct gap_thread) threads;
	int (*piece)(void *arg, const struct gap_thread *t, const struct gap_piece *p);
	int (*gap)(void *arg, const struct gap *g);
	void *arg;
	uint64_t discarded;                      /* causes whose start or end was lost */
};

/* Index of a new thread, or -ENOMEM. */
int gaps_watch(struct gaps *g, uint32_t tid);
void gaps_deinit(struct gaps *g);

/* A cause of thread i begins, ends. 0 or the result of a callback. */
int gaps_begin(struct gaps *g, size_t i, uint32_t cpu, uint64_t time, const struct gap_piece *what);
int gaps_end(struct gaps *g, size_t i, uint64_t time, enum gap_cause cause);

/* A switch on a CPU: `who` runs there now. For threads that are off this CPU. */
void gaps_runs(struct gaps *g, uint32_t cpu, uint64_t time, uint32_t who);

/* Events of this CPU were lost; UINT32_MAX: of any. */
void gaps_lost(struct gaps *g, uint32_t cpu);

/* Report gaps that cannot continue at this time; all: those that might, too. */
int gaps_tell(struct gaps *g, uint64_t time, bool all);

#endif
