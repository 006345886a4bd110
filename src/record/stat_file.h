/*
 * stat_file.h - a recording of counts (perf stat record): its events, and what each of them had counted at the end of
 * each round, as counters that nobody opened.
 */
#ifndef RECORD_STAT_FILE_H
#define RECORD_STAT_FILE_H

#include "live/counter.h"
#include "perf/file.h"
#include "perf/write_stat.h"

struct stat_file {
	const struct perf_file *file;    /* borrowed */
	struct event_list *events;       /* borrowed, filled */
	struct counters counters;
	enum perf_sums sums;             /* how it was summed up when it was recorded */
	bool unknown_sums;               /* by what is not known: the recorder is newer */
	VEC(struct perf_stat_thread) threads;
	bool intervals;
	uint64_t off;                    /* of the next record */
};

/* -EBADMSG: it has no counts (NULL: it is not even a perf.data). The file and the events outlive it. */
int stat_file_open(struct stat_file *f, const struct sys *sys, const struct perf_file *file, struct event_list *events,
		   struct err *e);
void stat_file_close(struct stat_file *f);

/* A round's values go into the counters, those of the one before are their base. 1, *at: ns after the start; 0: end. */
int stat_file_next(struct stat_file *f, uint64_t *at, struct err *e);

#endif
