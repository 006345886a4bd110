/*
 * runs.h - samples of a recording as they lie in its file: a run is a stretch of a file whose samples have ascending
 * times, as a CPU's ring was written.
 *
 *	file    | . . s7 m8 s9 | s5 s6 s8 | ...     '.' given
 *	runs     next=s7         next=s5
 *
 * Asked for what is older than the mapping m8, it gives s5, s6 and s7 in order; or, where the order of samples does
 * not matter but for what stands between them, s7, s5 and s6: run by run, each as far as that. An address space that
 * changes is seen by the same samples either way, and nothing is kept for each of them. What is given is a stretch:
 * samples of a run that stand one behind the other. Where it ends is found by who takes it, who looks at each sample
 * anyway, and gives back the rest; or before it is given.
 */
#ifndef PERF_RUNS_H
#define PERF_RUNS_H

#include "base/heap.h"
#include "base/vec.h"
#include "perf/pane.h"
#include "perf/record.h"

struct perf_run {
	uint64_t next, end;      /* offsets: of a record, and behind the last sample; 0: it is over */
	uint32_t number;         /* new one, while squeezing */
	uint32_t pane, lent;     /* number + 1 of the pane that it had when that was lent so often; 0: none yet */
};

/* A pane is lent to the run that is given out, which keeps it until it is over, or until there are too many. */
struct perf_run_pane {
	struct pane pane;
	uint32_t lent;           /* how often it was taken or given back */
	uint32_t next_free;      /* number + 1 */
};

struct perf_runs {
	bool swap;
	bool in_order;           /* set it as wanted */
	bool exact;              /* likewise: a stretch has no sample that is not to be taken */
	size_t time_at;          /* of a sample's time, in its body */
	VEC(struct perf_run) v;  /* as they stand in the file */
	struct heap heap;        /* key: time of a run's next sample, value: its number */
	uint32_t current;        /* number + 1 of the run that is given out, and is not in the heap; 0: none is */
	size_t over;             /* runs that are */
	uint32_t newest;         /* number + 1 of the run that the last sample went into; 0: it was given out whole */
	uint64_t last;           /* its time */
	const struct pane_file *file;   /* where the runs are; borrowed */
	VEC(struct perf_run_pane) panes;
	uint32_t free_pane;      /* number + 1 of the first that nobody has; 0: none */
	uint32_t hand;           /* the one that is taken away next */
};

/* Up to which moment samples are wanted: what has the same time is older when it stands before this offset. */
struct perf_moment {
	uint64_t time, off;
};

/* What was taken in. */
struct perf_runs_taken {
	uint64_t samples;
	uint64_t late;           /* of them: older than what was given out already */
	uint64_t newest;         /* time */
};

/*
 * False: the events are such that their samples do not have their time at one place. *r is all zero; deinit it. file
 * stays borrowed, and may be read or not from one time to the next.
 */
bool perf_runs_init(struct perf_runs *r, const struct perf_head *head, const struct pane_file *file);
/* Room for the panes of a file that is read. -ENOMEM: it cannot be. */
int perf_runs_reserve(struct perf_runs *r);
void perf_runs_deinit(struct perf_runs *r);

enum { PERF_RUNS_STEP = 256 << 10 };   /* bytes that are gone through at a time */

/*
 * Take in the samples that stand from *off on, up to the first record that is none, or none that can be read, or so
 * many bytes, of those that are there; *off is behind them. given: the time up to which samples were given out. 0 or
 * -ENOMEM.
 */
int perf_runs_take(struct perf_runs *r, struct bytes b, uint64_t *off, uint64_t given, struct perf_runs_taken *t);

enum { PERF_STRETCH = 16 << 10 };   /* bytes of one, but for its first and its last sample */

struct perf_stretch {
	struct perf_record rec;  /* its first sample */
	uint64_t time;           /* that one's */
	size_t more;             /* bytes behind it that have the others, and may end within one */
	uint64_t upto;           /* of those that are no later than this, up to the first that is none */
};

/* A stretch of the samples that are older than the moment, there until the next one. False: there is none. */
bool perf_runs_next(struct perf_runs *r, const struct perf_moment *upto, struct perf_stretch *s);

/* So many bytes at the end of the stretch that was given last were not taken. */
void perf_runs_back(struct perf_runs *r, size_t n);

#endif
