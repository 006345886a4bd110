/*
 * ring.h - the records of a perf ring buffer between a tail and a head that the caller has read from
 * the control page (a snapshot). Pure: nothing is shared with the kernel here. Positions count all
 * bytes ever written; modulo the size of the ring they are offsets in it.
 */
#ifndef PERF_RING_H
#define PERF_RING_H

#include "base/err.h"
#include "perf/record.h"

struct ring {
	const uint8_t *data;       /* borrowed; the kernel does not change the bytes between tail and head */
	uint64_t size;             /* bytes of data, a power of two */
	uint64_t head, tail;       /* end of what was written; first byte not yet consumed */
};

enum { RING_BOUNCE = 1 << 16 };    /* longer than any record, whose size is a u16 */

/*
 * The next record, copied to `bounce` if it wraps: 1, and tail is moved behind it; 0 when tail has reached head;
 * -EBADMSG when the bytes cannot be a record (tail does not move). The record is in the host's byte order and borrowed
 * until the next call.
 */
int ring_next(struct ring *r, uint8_t bounce[static RING_BOUNCE], struct perf_record *rec, struct err *e);

/*
 * The bytes between tail and head as one or two pieces, in order; returns how many there are.
 * -EBADMSG as above.
 */
int ring_spans(const struct ring *r, struct bytes out[2], struct err *e);

#endif
