/*
 * record.h - records of the Arm Statistical Profiling Extension, each of one sampled operation. The packets of a record
 * may be spread over two buffers; fields without a packet are 0.
 */
#ifndef SPE_RECORD_H
#define SPE_RECORD_H

#include "spe/packet.h"

/* Bit numbers of the events packet; those from 19 on exist since FEAT_SPEv1p4. */
enum spe_event {
	SPE_EVENT_EXCEPTION, SPE_EVENT_RETIRED, SPE_EVENT_L1D_ACCESS, SPE_EVENT_L1D_REFILL, SPE_EVENT_TLB_ACCESS,
	SPE_EVENT_TLB_WALK, SPE_EVENT_NOT_TAKEN, SPE_EVENT_MISPREDICTED, SPE_EVENT_LLC_ACCESS, SPE_EVENT_LLC_MISS,
	SPE_EVENT_REMOTE, SPE_EVENT_UNALIGNED, SPE_EVENT_PARTIAL_PREDICATE = 17, SPE_EVENT_EMPTY_PREDICATE,
	SPE_EVENT_L2D_ACCESS, SPE_EVENT_L2D_MISS, SPE_EVENT_MODIFIED, SPE_EVENT_RECENT, SPE_EVENT_SNOOPED,
};

enum { SPE_STORE = 1 };          /* in the payload of operations of class MEMORY */

struct spe_record {
	uint64_t pc, target;     /* sign-extended code addresses, as the kernel has them */
	uint64_t addr, physical; /* data addresses: virtual without its tag, physical without attribute bits */
	uint64_t time;           /* ticks of the generic timer */
	uint64_t events;         /* 1 << enum spe_event */
	uint32_t context;        /* CONTEXTIDR: the tid, if the kernel writes it there */
	uint16_t latency, issue, translation;   /* cycles */
	uint16_t source;         /* data source, implementation defined */
	uint8_t level;           /* exception level of the pc */
	uint8_t tag;             /* top byte of the virtual data address */
	uint8_t op;              /* subclass of the operation; valid if classes is not 0 */
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
	uint64_t cut;            /* packets truncated by the end of a buffer, and records without an end */
};

/* The consecutive buffers of one AUX area. Starts zeroed. */
struct spe_stream {
	struct bytes b;          /* the current buffer */
	uint64_t base;           /* offset of its first byte in the AUX area */
	size_t at;
	struct spe_record open;  /* the incomplete record */
	bool is_open;
};

/* Give the next buffer, which is borrowed; the rest of the last one is dropped. */
void spe_stream_give(struct spe_stream *s, struct bytes b, uint64_t base);

/* 1: a record; 0: the buffer has no more records. */
int spe_stream_next(struct spe_stream *s, struct spe_record *r, struct spe_stats *stats);

/* There are no more buffers. */
void spe_stream_end(struct spe_stream *s, struct spe_stats *stats);

#endif
