/*
 * perf_rings.h - the rings of open counters as a source, one ring for each CPU, while the kernel writes into them.
 *
 * A sweep copies what is in every ring and releases it at once; that was in the rings before the sweep is complete up
 * to the newest time of the sweep before. So records come one sweep late, in the same order in which a perf.data gives
 * them that has these sweeps one behind the other, each with a FINISHED_ROUND.
 */
#ifndef SOURCE_PERF_RINGS_H
#define SOURCE_PERF_RINGS_H

#include "source/source.h"
#include "sys/ring_map.h"

struct perf_rings_want {
	struct perf_head head;             /* events and ids; it goes to the source, after an error too */
	struct ring_map *const *rings;     /* the array is copied, the rings are borrowed */
	size_t n_rings;
	/* May be NULL. Every sweep that had something: its records as they were in the rings. 0 or -errno. */
	int (*tap)(void *arg, struct bytes sweep, struct err *e);
	void *arg;
};

/* 0 or -ENOMEM. */
int perf_rings_open(struct source **to, struct perf_rings_want *w, struct err *e);

/*
 * Records that did not come through a ring: they stand in front of the next sweep, and must be whole by then. Before
 * the first record is asked for, or while the source waits. 0 or -ENOMEM.
 */
int perf_rings_give(struct source *s, struct bytes records);

/* What was given so is a sweep, as one of the rings: for a source that has none, while it waits. */
void perf_rings_round(struct source *s);

#endif
