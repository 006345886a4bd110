/*
 * perf_rings.h - live ring buffers of open counters as a source, one ring for each CPU.
 *
 * A sweep copies the contents of every ring and releases them. After a sweep all records up to the newest time of the
 * sweep before are known. So records are delivered one sweep late, in the same order as those of a perf.data that has
 * these sweeps one after the other, each with a FINISHED_ROUND.
 */
#ifndef SOURCE_PERF_RINGS_H
#define SOURCE_PERF_RINGS_H

#include "source/source.h"
#include "sys/ring_map.h"

struct perf_rings_want {
	struct perf_head head;             /* events and ids; taken over by the source, also on an error */
	struct ring_map *const *rings;     /* the array is copied, the rings are borrowed */
	size_t n_rings;
	/* May be NULL. Called with the records of every sweep that found some, as the rings had them. 0 or -errno. */
	int (*tap)(void *arg, struct bytes sweep, struct err *e);
	void *arg;
};

/* 0 or -ENOMEM. */
int perf_rings_open(struct source **to, struct perf_rings_want *w, struct err *e);

/*
 * Add records from elsewhere (synthesised, or of a pipe), which are placed in front of the next sweep; the last one may
 * be completed by another call before that. To be called before the first source_next(), or in the source's wait().
 * 0 or -ENOMEM.
 */
int perf_rings_give(struct source *s, struct bytes records);

/* End a sweep of such records: for a source without rings, in its wait(). */
void perf_rings_round(struct source *s);

#endif
