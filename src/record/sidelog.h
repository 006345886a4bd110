/*
 * sidelog.h - log of side records (COMM, FORK, MMAP2, EXIT) for a recording with overwritable rings: those needed to
 * symbolise the newest samples. Trimming drops records of tasks that ended long ago, and those before a task's exec,
 * unless a child inherited them.
 */
#ifndef RECORD_SIDELOG_H
#define RECORD_SIDELOG_H

#include "base/vec.h"
#include "perf/record.h"

enum { SIDELOG_BOUND = 1 << 20, SIDELOG_MAX = 64 << 20 };

struct sidelog {
	VEC(uint8_t) bytes;      /* whole records, in the order in which they came */
	size_t bound;            /* bytes above which it is trimmed; grows with what lives, to SIDELOG_MAX */
	uint64_t dropped;        /* records dropped although they may be needed */
};

/* Bytes of records in host order, not necessarily whole ones. 0 or -ENOMEM. */
int sidelog_add(struct sidelog *l, struct bytes b);

/* Drop records that are not needed, if the log exceeds its bound. Its last record must be whole. 0 or -ENOMEM. */
int sidelog_trim(struct sidelog *l);

void sidelog_deinit(struct sidelog *l);

#endif
