/*
 * record.h - one record of a perf recording or ring, as it lies in memory, borrowed from whoever gave it: where it
 * ends, which event it belongs to, and when it was.
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
	uint64_t off;            /* of the header: in the file, or position in the ring */
	uint32_t type;           /* enum perf_rec_type */
	uint16_t misc;
	struct bytes body;       /* bytes after the header */
};

struct perf_event;
struct perf_head;
struct sample;
struct sample_layout;

/*
 * The record at *off of bytes that are records: 1 and *off moved, 0 at the end, -EBADMSG for a cut or impossible
 * record (nothing after it can be trusted). Bytes outside records (tracing data, AUX data) are stepped over. Compressed
 * records are given as they are.
 */
int perf_record_next(struct bytes b, bool swap, uint64_t *off, struct perf_record *r, struct err *e);

/* Bytes ahead that are asked for where samples of several rings are read in turns, which no processor foresees. */
enum { PERF_FETCH = 1 << 10 };

/* What most records are, at once: is the record at `at` a sample, and whole? It ends at at + 8 + body.n. */
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

/* The zstd data of a compressed record; p NULL: it is none, or cut. */
struct bytes perf_record_packed(const struct perf_record *r, bool swap);

/* The event of a kernel record (type < PERF_REC_USER): by id where there are several. NULL: unknown id (count it). */
struct perf_event *perf_record_event(const struct perf_record *r, const struct perf_head *h);

/*
 * What sample_decode_trailer() says of a record. Kernels (seen: 5.10) tell KSYMBOL, BPF_EVENT and TEXT_POKE with a size
 * that grows by a trailer with each who listens (kernel/events/core.c: perf_event_ksymbol_output), and write no more
 * than before: the trailer is behind the record's own fields, and bytes without meaning behind it.
 */
int perf_record_ids(const struct perf_record *r, const struct sample_layout *l, struct sample *s, struct err *e);

/*
 * The time, ns, of a record of this event: at a fixed place of a sample, in the trailer of others. False: it has none,
 * and belongs where it stands.
 */
bool perf_record_time(const struct perf_record *r, const struct perf_head *h, const struct perf_event *ev,
		      uint64_t *time);

#endif
