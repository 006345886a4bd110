/*
 * sidelog.h - side records (names, forks, maps, ends) for a recording whose samples are written over: what the newest
 * of them need to be named. Of tasks that ended long ago nothing is kept, nor of what a program was before its exec,
 * unless a child lives on with it.
 */
#ifndef RECORD_SIDELOG_H
#define RECORD_SIDELOG_H

#include "base/vec.h"
#include "perf/record.h"

enum { SIDELOG_BOUND = 1 << 20, SIDELOG_MAX = 64 << 20 };

struct sidelog {
	VEC(uint8_t) bytes;      /* whole records, in the order in which they came */
	size_t bound;            /* bytes above which it is trimmed; grows with what lives, to SIDELOG_MAX */
	uint64_t dropped;        /* records that went though they may be needed */
};

/* Bytes of records in host order, not necessarily whole ones. 0 or -ENOMEM. */
int sidelog_add(struct sidelog *l, struct bytes b);

/* The records are whole here: what nobody needs goes when there is too much. 0 or -ENOMEM. */
int sidelog_trim(struct sidelog *l);

void sidelog_deinit(struct sidelog *l);

#endif
