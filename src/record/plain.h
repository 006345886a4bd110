/*
 * plain.h - a perf.data in its oldest common form, which perf of Linux 5.10 and all other readers know: one file,
 * records unpacked and in order of time, build ids in a table, nothing that came later.
 */
#ifndef RECORD_PLAIN_H
#define RECORD_PLAIN_H

#include "record/sink.h"
#include "source/session.h"

struct plain_stats {
	uint64_t records;
	uint64_t left_out;       /* of types that came later, or have no meaning in it */
	uint64_t features;       /* of its head, left out: they came later */
	bool later;              /* samples have fields that came later: older readers misread what follows them */
};

/* All records of a session to an open file. The session's source is used up. 0 or -errno. */
int plain_write(struct session *s, struct sink *to, struct plain_stats *stats, struct err *e);

#endif
