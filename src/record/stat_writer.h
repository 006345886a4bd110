/*
 * stat_writer.h - write a recording of counts, as perf stat record does; stat_file.h reads it. Errors of writing are
 * returned at the end.
 *
 *	r = stat_writer_open(&w, sys, "perf.data", e);
 *	r = r ? r : stat_writer_begin(&w, &want, e);         the counters are open
 *	stat_writer_round(&w, PERF_STAT_INTERVAL, ns);       each time that they were read
 *	r = stat_writer_end(&w, argc, argv, e);
 */
#ifndef RECORD_STAT_WRITER_H
#define RECORD_STAT_WRITER_H

#include "live/counter.h"
#include "perf/write_stat.h"
#include "record/sink.h"

struct stat_writer {
	const struct sys *sys;
	struct sink sink;
	struct out out;                   /* to the sink */
	char buf[8192];
	const struct counters *counters;  /* borrowed until the last round */
	struct perf_write_event *events;  /* one per counter */
	size_t n_events;
	uint64_t *ids;                    /* one per slot */
	struct arena names;
	uint64_t data_off;
};

struct stat_writer_want {
	const struct counters *counters;  /* open */
	const struct target *target;
	int tid;                          /* TARGET_COMMAND: the command */
	enum perf_sums sums;
	uint64_t interval_ms;             /* 0: none */
};

/* "-": standard output, in pipe mode. Nothing is written yet. */
int stat_writer_open(struct stat_writer *w, const struct sys *sys, const char *path, struct err *e);

/* Write the header, the events and their targets. -E2BIG: more threads than a record can hold. */
int stat_writer_begin(struct stat_writer *w, const struct stat_writer_want *want, struct err *e);

/* Write the counters' last values and the end of the round; ns: since the start. */
void stat_writer_round(struct stat_writer *w, enum perf_stat_round what, uint64_t ns);

/* Complete the file, with facts about the machine and the command line. */
int stat_writer_end(struct stat_writer *w, int argc, char **argv, struct err *e);

/* Counting has failed: restore the old file. */
void stat_writer_discard(struct stat_writer *w);

#endif
