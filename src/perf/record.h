/*
 * record.h - one record of a perf recording or ring, as it lies in memory, borrowed from its source: its size, its
 * event and its time.
 */
#ifndef PERF_RECORD_H
#define PERF_RECORD_H

#include "abi/perf_event.h"
#include "base/base.h"
#include "base/err.h"

struct bytes {
	const uint8_t *p;
	size_t n;
};

struct perf_record {
	uint64_t off;            /* of the header: offset in the file, or position in the ring */
	uint32_t type;           /* enum perf_rec_type */
	uint16_t misc;
	struct bytes body;       /* bytes after the header */
};

struct perf_event;
struct perf_head;
struct sample;
struct sample_layout;

/*
 * The record at *off of a sequence of records b: 1 and *off behind it, 0 at the end, -EBADMSG for a cut or impossible
 * record (nothing after it can be trusted). Bytes outside records (tracing data, AUX data) are stepped over. Compressed
 * records are returned as they are.
 */
int perf_record_next(struct bytes b, bool swap, uint64_t *off, struct perf_record *r, struct err *e);

/* Prefetch distance in bytes, for samples of several rings read in turns, which hardware prefetchers do not follow. */
enum { PERF_FETCH = 1 << 10 };

/* Fast path, since most records are samples: is the record at `at` a whole sample? It ends at at + 8 + body.n. */
static inline bool perf_record_sample(struct bytes b, bool swap, uint64_t at, struct perf_record *r)
{
	struct perf_rec head;

	if (at > b.n || b.n - at < sizeof(head))
		return false;
	memcpy(&head, b.p + at, sizeof(head));
	if (swap) {
		head.type = __builtin_bswap32(head.type);
		head.misc = __builtin_bswap16(head.misc);
		head.size = __builtin_bswap16(head.size);
	}
	if (head.type != PERF_REC_SAMPLE || head.size < sizeof(head) || head.size > b.n - at)
		return false;
	*r = (struct perf_record){
		.off = at, .type = head.type, .misc = head.misc,
		.body = { b.p + at + sizeof(head), head.size - sizeof(head) },
	};
	return true;
}

/* The zstd data of a compressed record; p NULL: not a compressed record, or a cut one. */
struct bytes perf_record_packed(const struct perf_record *r, bool swap);

/* The event of a kernel record (type < PERF_REC_USER), by its id if there are several events. NULL: unknown id. */
struct perf_event *perf_record_event(const struct perf_record *r, const struct perf_head *h);

/*
 * sample_decode_trailer() of a record, at the right place. In KSYMBOL, BPF_EVENT and TEXT_POKE records kernels (seen:
 * 5.10) write a wrong size, which grows by a trailer's for each event that gets the record (kernel/events/core.c:
 * perf_event_ksymbol_output), but they write one trailer only: it follows the record's own fields, and garbage follows
 * it up to the size.
 */
int perf_record_ids(const struct perf_record *r, const struct sample_layout *l, struct sample *s, struct err *e);

/*
 * The time in ns of a record of this event: at a fixed place in a sample, in the trailer of other records. False: it
 * has none, so its place in the stream is its order.
 */
bool perf_record_time(const struct perf_record *r, const struct perf_head *h, const struct perf_event *ev,
		      uint64_t *time);

#endif
