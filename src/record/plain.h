/*
 * plain.h - convert to a perf.data in the form of perf 5.10, which all other readers know, too: one file, uncompressed
 * records in order of time, build-ids in a table, no later features.
 */
#ifndef RECORD_PLAIN_H
#define RECORD_PLAIN_H

#include "record/sink.h"
#include "source/session.h"

struct plain_stats {
	uint64_t records;
	uint64_t left_out;       /* records left out: of later types, or without a meaning in this form */
	uint64_t features;       /* later feature sections, left out */
	bool later;              /* samples have later fields: older readers misread the fields behind them */
};

/* Write all records of a session to an open file. Reads all of the session. 0 or -errno. */
int plain_write(struct session *s, struct sink *to, struct plain_stats *stats, struct err *e);

#endif
