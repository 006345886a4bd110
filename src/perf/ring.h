/*
 * ring.h - records of a perf ring buffer between two positions that the caller has taken (a
 * snapshot). Pure: nothing is shared with the kernel here. Positions run freely and are taken
 * modulo the size of the ring.
 */
#ifndef PERF_RING_H
#define PERF_RING_H

#include "base/err.h"
#include "perf/record.h"

struct ring {
	const uint8_t *data;       /* borrowed; stable between tail and head */
	uint64_t size;             /* bytes of data, a power of two */
	uint64_t head, tail;       /* end of what was written; first byte not yet consumed */
};

enum { RING_BOUNCE = 1 << 16 };    /* no record is longer */

/*
 * The next record, joined in `bounce` where it wraps, and tail moved behind it: 1; 0 when tail has reached head;
 * -EBADMSG when the bytes cannot be records (tail does not move). The record is in the ring's byte order, which is
 * the host's, and borrowed until the next call.
 */
int ring_next(struct ring *r, uint8_t bounce[static RING_BOUNCE], struct perf_record *rec, struct err *e);

/*
 * The bytes between tail and head as one or two pieces, in order; returns how many there are.
 * -EBADMSG as above.
 */
int ring_spans(const struct ring *r, struct bytes out[2], struct err *e);

#endif
