/*
 * sidelog.h - a log of side records (COMM, FORK, MMAP, EXIT) for a recording with overwritable rings: those that its
 * newest samples need. Records of tasks that ended long ago are removed, and those of before an exec, unless a child
 * still has these maps.
 */
#ifndef RECORD_SIDELOG_H
#define RECORD_SIDELOG_H

#include "base/vec.h"
#include "perf/record.h"

enum { SIDELOG_BOUND = 1 << 20, SIDELOG_MAX = 64 << 20 };

struct sidelog {
	VEC(uint8_t) bytes;      /* whole records, in the order in which they were added */
	size_t bound;            /* bytes at which it is trimmed; grows with the live tasks, up to SIDELOG_MAX */
	uint64_t dropped;        /* records dropped that may be needed */
};

/* Bytes of records in host order, not necessarily whole ones. 0 or -ENOMEM. */
int sidelog_add(struct sidelog *l, struct bytes b);

/* If the log is too large, remove records that are not needed. To be called between whole records. 0 or -ENOMEM. */
int sidelog_trim(struct sidelog *l);

void sidelog_deinit(struct sidelog *l);

#endif
