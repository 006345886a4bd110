/*
 * stream.h - the events of several ring buffers (one per CPU, of one or more instances) in order of time.
 *
 * Pages come from the owner through a callback, one at a time for each ring, so that memory is one page per ring.
 * Works on a finished recording, and live: a ring that has no page now may have one later.
 */
#ifndef TRACEFS_RING_STREAM_H
#define TRACEFS_RING_STREAM_H

#include "base/heap.h"
#include "tracefs/dat/shift.h"
#include "tracefs/ring/page.h"

struct tstream_ring {
	uint32_t cpu;
	uint32_t buffer;       /* number of the instance, chosen by the owner */
	struct tpage_layout layout;
	int64_t ts_offset;     /* added to each time stamp */
	const struct tshift_cpu *shift;   /* applied to each time stamp before that, or NULL */
};

struct tstream_rec {
	uint64_t ts;
	uint32_t cpu, buffer, ring;   /* ring: index of the tstream_ring */
	uint32_t n;                   /* bytes of raw */
	const uint8_t *raw;           /* valid until the next call */
	const struct tpage *page;     /* the page of the record; valid as long as raw */
	uint64_t lost;                /* events of this ring lost just before this one, or TPAGE_LOST_UNKNOWN */
	bool in_gap;                  /* events were lost: of this ring, or of another between two of its events */
};

struct tstream_stats {
	uint64_t pages, events;
	uint64_t lost;          /* events the kernel counted as lost */
	uint64_t gaps;          /* places where events were lost, counted or not */
	uint64_t bad_pages;     /* pages that ended in something impossible */
	uint64_t late;          /* events older than one already given: only live, when a ring lagged behind */
};

/*
 * Get the next page of ring `ring`: 1 with *page, *n (borrowed until the next call for this ring); 0 for none now
 * (live) or the end (a file); or -errno, which ends the stream.
 */
typedef int tstream_page_fn(void *arg, uint32_t ring, const uint8_t **page, size_t *n, struct err *e);

struct tstream;

/* rings are copied. NULL: no memory. */
struct tstream *tstream_new(const struct tstream_ring *rings, size_t n, bool swap, tstream_page_fn *page, void *arg);
void tstream_free(struct tstream *s);

/*
 * The next event in order of time: 1, 0 when no ring has one, or -errno. Only events up to and at `limit` are given
 * (UINT64_MAX: all): live, the owner passes the newest time at which every ring is known to be complete. Rings that had
 * no page are asked again by the first call, by a call after a 0, and by one with another limit. An error is permanent.
 */
int tstream_next(struct tstream *s, uint64_t limit, struct tstream_rec *rec, struct err *e);

/*
 * After tstream_next has given a record, look at the next record of the same ring, whatever its time. 1, 0 none now, or
 * -errno. The record stays in the stream, but the one that tstream_next gave becomes invalid. tstream_skip removes the
 * peeked record: tstream_next will not give it.
 */
int tstream_peek(struct tstream *s, struct tstream_rec *rec, struct err *e);
void tstream_skip(struct tstream *s);

/* The time of the record that tstream_next would give next, without a limit; otherwise as tstream_peek. */
int tstream_next_time(struct tstream *s, uint64_t *ts, struct err *e);

const struct tstream_stats *tstream_stats(const struct tstream *s);

#endif
