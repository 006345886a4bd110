/*
 * stat_file.h - a recording of counts (perf stat record): its events, and what each of them had counted at the end of
 * each round, as counters that nobody opened.
 */
#ifndef RECORD_STAT_FILE_H
#define RECORD_STAT_FILE_H

#include "live/counter.h"
#include "perf/file.h"

struct stat_file {
	const struct perf_file *file;    /* borrowed */
	struct event_list *events;       /* borrowed, filled */
	struct counters counters;
	bool each_cpu;                   /* recorded with -A */
	bool other_sums;                 /* recorded by core, socket, thread ...: what these are is not told */
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
