/*
 * runs.h - merge the samples of a recording without an entry per sample: a run is a contiguous part of the file whose
 * samples have ascending times, mostly what was read from one CPU's ring.
 *
 *	file    | . . s7 m8 s9 | s5 s6 s8 | ...     '.' delivered
 *	runs     next=s7         next=s5
 *
 * Asked for the samples older than the MMAP record m8, it delivers s5, s6 and s7 in order of time; or, if the caller
 * needs no order among samples between two side records, s7, s5 and s6: one run after the other, each up to the time of
 * m8. Either way each sample sees the address space of its time. Samples are delivered as stretches: consecutive
 * samples of one run. The caller finds the end of a stretch itself, since it looks at each sample anyway, and hands the
 * rest back; or, with `exact`, the end is found before the stretch is delivered.
 */
#ifndef PERF_RUNS_H
#define PERF_RUNS_H

#include "base/heap.h"
#include "base/vec.h"
#include "perf/pane.h"
#include "perf/record.h"

struct perf_run {
	uint64_t next, end;      /* file offsets of the next record and behind the last sample; end 0: finished */
	uint32_t number;         /* its new index, while squeezing */
	uint32_t pane, lent;     /* index + 1 of its pane, valid while the pane's `lent` is the same; 0: none yet */
};

/* A pane is lent to a run when it is read, until the run is finished or another run needs the pane. */
struct perf_run_pane {
	struct pane pane;
	uint32_t lent;           /* counts changes of owner: a run whose `lent` differs has lost the pane */
	uint32_t next_free;      /* index + 1 of the next pane in the free list; 0: none */
};

struct perf_runs {
	bool swap;
	bool in_order;           /* set by the caller: deliver samples in order of time */
	bool exact;              /* set by the caller: a stretch ends before the first sample that is too young */
	size_t time_at;          /* offset of the time in a sample's body */
	VEC(struct perf_run) v;  /* in file order */
	struct heap heap;        /* key: time of a run's next sample, value: index of the run */
	uint32_t current;        /* index + 1 of the run being delivered, which is not in the heap; 0: none */
	size_t over;             /* number of finished runs */
	uint32_t newest;         /* index + 1 of the run with the last sample taken in; 0: that run is finished */
	uint64_t last;           /* time of that sample */
	const struct pane_file *file;   /* the recording; borrowed */
	VEC(struct perf_run_pane) panes;
	uint32_t free_pane;      /* index + 1 of the first free pane; 0: none */
	uint32_t hand;           /* clock hand: index of the pane that was last taken away from a run */
};

/* A limit: samples with an earlier time are older, and those of the same time that are before this file offset. */
struct perf_moment {
	uint64_t time, off;
};

/* The result of perf_runs_take(). */
struct perf_runs_taken {
	uint64_t samples;
	uint64_t late;           /* samples older than `given`, so out of order */
	uint64_t newest;         /* highest time */
};

/*
 * *r must be zeroed; deinit it. False: the events' samples do not all have their time at the same offset, so runs are
 * of no use. file stays borrowed; its `read` and `all` may change between calls.
 */
bool perf_runs_init(struct perf_runs *r, const struct perf_head *head, const struct pane_file *file);
/* Make sure that there is a pane, for a file that is read through panes. 0 or -ENOMEM. */
int perf_runs_reserve(struct perf_runs *r);
void perf_runs_deinit(struct perf_runs *r);

enum { PERF_RUNS_STEP = 256 << 10 };   /* bytes that one call of perf_runs_take() covers */

/*
 * Take in the consecutive samples of b from *off on, up to the first record that is not a whole sample, or for
 * PERF_RUNS_STEP bytes; *off is moved behind them. given: the time up to which samples were delivered. 0 or -ENOMEM.
 */
int perf_runs_take(struct perf_runs *r, struct bytes b, uint64_t *off, uint64_t given, struct perf_runs_taken *t);

enum { PERF_STRETCH = 16 << 10 };   /* bytes of a stretch, not counting its first sample; the last may exceed it */

struct perf_stretch {
	struct perf_record rec;  /* its first sample */
	uint64_t time;           /* time of rec */
	size_t more;             /* bytes of further samples behind rec; they may end within a sample */
	uint64_t upto;           /* the stretch ends before the first record that is later than this or no sample */
};

/* The next stretch of samples that are older than `upto`; valid until the next call. False: there is none. */
bool perf_runs_next(struct perf_runs *r, const struct perf_moment *upto, struct perf_stretch *s);

/* Hand back the last n bytes of the stretch delivered last: they were not used. */
void perf_runs_back(struct perf_runs *r, size_t n);

#endif
