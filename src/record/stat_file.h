/*
 * stat_file.h - read a recording of counts (perf stat record): its events, and their counts at the end of each round,
 * as counters that are not open.
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
	enum perf_sums sums;             /* how counts were aggregated while recording */
	bool unknown_sums;               /* sums is not known: the recorder is newer */
	VEC(struct perf_stat_thread) threads;
	bool intervals;
	uint64_t off;                    /* of the next record */
};

/* -EBADMSG: it has no counts (file NULL: no perf.data at all). The file and the events must outlive it. */
int stat_file_open(struct stat_file *f, const struct sys *sys, const struct perf_file *file, struct event_list *events,
		   struct err *e);
void stat_file_close(struct stat_file *f);

/* Read a round into the counters; their base are the values of the round before. 1, *at: ns since the start; 0: end. */
int stat_file_next(struct stat_file *f, uint64_t *at, struct err *e);

#endif
