/*
 * plain.h - write a perf.data that perf of Linux 5.10 and other readers know: one file, records uncompressed and in
 * order of time, build ids in a table, and no newer features.
 */
#ifndef RECORD_PLAIN_H
#define RECORD_PLAIN_H

#include "record/sink.h"
#include "source/session.h"

struct plain_stats {
	uint64_t records;
	uint64_t left_out;       /* records of types newer than perf 5.10 */
	uint64_t features;       /* feature sections left out because they are newer */
	bool later;              /* samples have newer fields: older readers misread the fields after them */
};

/* Write all records of a session, which this reads to its end, to an open file. 0 or -errno. */
int plain_write(struct session *s, struct sink *to, struct plain_stats *stats, struct err *e);

#endif
