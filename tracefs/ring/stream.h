/*
 * stream.h - the events of several ring buffers (one per CPU, of one or more instances) in order of time.
 *
 * Pages come from the owner through a callback, one at a time for each ring, so that memory is one page a ring.
 * Works on a finished recording, and live: a ring that has nothing now may have something later.
 */
#ifndef TRACEFS_RING_STREAM_H
#define TRACEFS_RING_STREAM_H

#include "base/heap.h"
#include "tracefs/dat/shift.h"
#include "tracefs/ring/page.h"

struct tstream_ring {
	uint32_t cpu;
	uint32_t buffer;       /* which instance, as the owner numbers them */
	struct tpage_layout layout;
	int64_t ts_offset;     /* added to each time */
	const struct tshift_cpu *shift;   /* done to each time before that, or NULL */
};

struct tstream_rec {
	uint64_t ts;
	uint32_t cpu, buffer, ring;   /* ring: index of the tstream_ring */
	uint32_t n;                   /* bytes of raw */
	const uint8_t *raw;           /* valid until the next call */
	const struct tpage *page;     /* where it is; valid as long as raw */
	uint64_t lost;                /* events of this ring lost just before this one; TPAGE_LOST_UNKNOWN */
	bool in_gap;                  /* or of another ring: between its event before this time and its next one */
};

struct tstream_stats {
	uint64_t pages, events;
	uint64_t lost;          /* events the kernel counted as lost */
	uint64_t gaps;          /* places where events were lost, counted or not */
	uint64_t bad_pages;     /* pages that ended in something impossible */
	uint64_t late;          /* events older than one already given: live only, a ring was silent for too long */
};

/*
 * The next page of ring `ring`: 1 and *page, *n (borrowed until the next call for this ring); 0 nothing now (live) or
 * the end (a file); or -errno, which ends the stream.
 */
typedef int tstream_page_fn(void *arg, uint32_t ring, const uint8_t **page, size_t *n, struct err *e);

struct tstream;

/* rings are copied. NULL: no memory. */
struct tstream *tstream_new(const struct tstream_ring *rings, size_t n, bool swap, tstream_page_fn *page, void *arg);
void tstream_free(struct tstream *s);

/*
 * The next event in order of time: 1, 0 when no ring has one, or -errno. Only events not after `limit` are given
 * (UINT64_MAX: all): live, the owner passes the newest time at which every ring is known to be complete. Rings that had
 * nothing are asked again by the first call, by one after a 0, and by one with another limit. An error stays.
 */
int tstream_next(struct tstream *s, uint64_t limit, struct tstream_rec *rec, struct err *e);

/*
 * Look ahead, after tstream_next has given a record: the one that follows in the same ring, whatever its time. 1, 0
 * none now, or -errno. It does not take it, but what tstream_next gave is no longer valid. tstream_skip takes it out of
 * the stream: the next tstream_next passes it over.
 */
int tstream_peek(struct tstream *s, struct tstream_rec *rec, struct err *e);
void tstream_skip(struct tstream *s);

/* The time of what the next tstream_next will give, limit aside: as tstream_peek. */
int tstream_next_time(struct tstream *s, uint64_t *ts, struct err *e);

const struct tstream_stats *tstream_stats(const struct tstream *s);

#endif
