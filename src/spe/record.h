/*
 * record.h - records of the Arm Statistical Profiling Extension: what one sampled operation did. The packets of a
 * record may be spread over two buffers; fields without a packet are 0.
 */
#ifndef SPE_RECORD_H
#define SPE_RECORD_H

#include "spe/packet.h"

/* Bits of the events packet; from 19 on since FEAT_SPEv1p4. */
enum spe_event {
	SPE_EVENT_EXCEPTION, SPE_EVENT_RETIRED, SPE_EVENT_L1D_ACCESS, SPE_EVENT_L1D_REFILL, SPE_EVENT_TLB_ACCESS,
	SPE_EVENT_TLB_WALK, SPE_EVENT_NOT_TAKEN, SPE_EVENT_MISPREDICTED, SPE_EVENT_LLC_ACCESS, SPE_EVENT_LLC_MISS,
	SPE_EVENT_REMOTE, SPE_EVENT_UNALIGNED, SPE_EVENT_PARTIAL_PREDICATE = 17, SPE_EVENT_EMPTY_PREDICATE,
	SPE_EVENT_L2D_ACCESS, SPE_EVENT_L2D_MISS, SPE_EVENT_MODIFIED, SPE_EVENT_RECENT, SPE_EVENT_SNOOPED,
};

enum { SPE_STORE = 1 };          /* in the payload of operations of class MEMORY */

struct spe_record {
	uint64_t pc, target;     /* canonical addresses, as in the kernel's records */
	uint64_t addr, physical; /* without the tag; without the attribute bits */
	uint64_t time;           /* of the generic timer: ticks */
	uint64_t events;         /* 1 << enum spe_event */
	uint32_t context;        /* CONTEXTIDR: the tid, if the kernel writes it */
	uint16_t latency, issue, translation;   /* cycles */
	uint16_t source;         /* data source, numbered by the implementation */
	uint8_t level;           /* exception level of the pc */
	uint8_t tag;             /* of addr */
	uint8_t op;              /* payload of the last operation packet */
	uint8_t classes;         /* 1 << enum spe_class */
	bool has_context, has_time, is_secure;
};

static inline bool spe_record_is(const struct spe_record *r, enum spe_event event)
{
	return r->events >> event & 1;
}

/* Does it load or store? */
static inline bool spe_record_accesses(const struct spe_record *r)
{
	return r->classes >> SPE_CLASS_MEMORY & 1;
}

static inline bool spe_record_stores(const struct spe_record *r)
{
	return spe_record_accesses(r) && r->op & SPE_STORE;
}

struct spe_stats {
	uint64_t records;
	uint64_t unknown;        /* packets of reserved kinds */
	uint64_t cut;            /* packets cut off by the buffer's end, and records without an end */
};

/* The buffers of one tracer, one after the other. All zero: none yet. */
struct spe_stream {
	struct bytes b;          /* the current buffer */
	uint64_t base;           /* offset of its first byte in the tracer's buffer */
	size_t at;
	struct spe_record open;  /* the record whose end has not been read */
	bool is_open;
};

/* Sets the next buffer, which is borrowed; the unread rest of the last one is dropped. */
void spe_stream_give(struct spe_stream *s, struct bytes b, uint64_t base);

/* 1: a record; 0: the buffer has no further one. */
int spe_stream_next(struct spe_stream *s, struct spe_record *r, struct spe_stats *stats);

/* After the last buffer: counts an unfinished record as cut. */
void spe_stream_end(struct spe_stream *s, struct spe_stats *stats);

#endif
