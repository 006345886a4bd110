/*
 * sample.h - decode the body of a PERF_RECORD_SAMPLE and the sample_id trailer of other records.
 *
 * The order of fields is the one of the kernel's output code (perf_output_sample), not of the
 * header's comment. Everything is borrowed from the record's bytes. Foreign byte order: set `swap`
 * in the layout; the pieces given as bytes (call chain, raw, registers, stack) are still in the
 * writer's order: read them through a cursor.
 */
#ifndef PERF_SAMPLE_H
#define PERF_SAMPLE_H

#include "abi/perf_event.h"
#include "base/cursor.h"
#include "base/err.h"
#include "perf/record.h"

struct sample_layout {
	uint64_t sample_type, read_format, branch_type, regs_user, regs_intr;
	uint64_t period; /* of samples without PERIOD: the event's fixed one, 1 with a frequency */
	size_t head;     /* bytes of the fields before READ */
	size_t rest;     /* bytes of the fields behind BRANCH_STACK, if each has 8 bytes; 0: decode field by field */
	bool words;      /* samples consist of head and rest only */
	bool id_all;     /* sample_id_all: other records have a trailer */
	bool is_lr;      /* samples have the link register instead of a call chain, see perf/callgraph.h */
	bool swap;       /* foreign byte order */
};

struct sample {
	uint64_t id, ip, time, addr, stream_id, period;
	uint32_t pid, tid, cpu;
	uint8_t cpumode;             /* PERF_MISC_KERNEL, ... */
	uint64_t n_chain;            /* entries of 8 bytes in chain, context markers included */
	struct bytes chain;
	struct bytes raw;            /* tracepoint record */
	struct bytes read;           /* READ body, see read_format */
	uint64_t user_abi, intr_abi; /* 0 none, 1 32 bit, 2 64 bit */
	struct bytes user_regs, intr_regs;   /* 8 bytes for each bit of the mask */
	struct bytes stack;          /* user stack, dyn_size bytes of it valid */
	uint64_t n_branch;
	struct bytes branch;         /* 24 bytes each: from, to, flags */
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page, code_page;
};

void sample_layout_init(struct sample_layout *l, const struct perf_attr *attr);

/* Fields of the weight word with WEIGHT_STRUCT (Linux 5.12): 32 bits, and two of 16. With WEIGHT it is one number. */
static inline uint64_t sample_weight(const struct sample_layout *l, const struct sample *s)
{
	return l->sample_type & PERF_SAMPLE_WEIGHT_STRUCT ? s->weight & UINT32_MAX : s->weight;
}

static inline uint16_t sample_ins_lat(const struct sample *s)
{
	return (uint16_t)(s->weight >> 32);
}

static inline uint16_t sample_retire_lat(const struct sample *s)
{
	return (uint16_t)(s->weight >> 48);
}

/*
 * Offset of the id, to find the event before its layout is known: from the start of a SAMPLE's
 * body, and back from the end of another record's body. -1: there is none.
 */
int sample_id_offset(uint64_t sample_type);
int sample_id_offset_end(uint64_t sample_type);

/*
 * Decode a SAMPLE: `body` are the bytes after the header, misc is the header's. Missing fields are 0
 * (cpu, pid, tid: UINT32_MAX; period: the layout's).
 * -EBADMSG, naming the part that is cut, when the body is too short for the layout; *s is then
 * undefined.
 */
int sample_decode(const struct sample_layout *l, struct bytes body, uint16_t misc, struct sample *s,
		  struct err *e);

/* Size of the trailer of other records; 0: they have none. */
size_t sample_trailer_size(const struct sample_layout *l);

/*
 * Decode the trailer (pid, tid, time, id, stream_id, cpu) of another kernel record: `body` are the
 * bytes after the header.
 * 0 even if there is none; -EBADMSG when the record is too short for it.
 */
int sample_decode_trailer(const struct sample_layout *l, struct bytes body, struct sample *s,
			  struct err *e);

/* One counter of a READ body; what the event's read_format lacks is 0. */
struct sample_value {
	uint64_t value, id, lost;
	uint64_t enabled, running;   /* ns; the same for all members of a group */
};

/* The i-th counter of the READ body (of a group, or the only one): 1; 0: there is no such. */
int sample_read(const struct sample_layout *l, const struct sample *s, uint64_t i,
		struct sample_value *v);

/* The i-th entry of the call chain, in host byte order; 0 for i >= n_chain. */
static inline uint64_t sample_chain(const struct sample_layout *l, const struct sample *s, uint64_t i)
{
	uint64_t v = 0;

	if (i < s->n_chain)
		memcpy(&v, s->chain.p + i * 8, sizeof(v));
	return l->swap ? __builtin_bswap64(v) : v;
}

/* --- the call chain as plain frames: context markers become the CPU mode of each address --- */

enum { CHAIN_MAX = 1100 };   /* kernel.perf_event_max_stack is at most 1024, plus markers */

struct chain_frame {
	uint64_t ip;
	uint8_t cpumode;    /* PERF_MISC_KERNEL, PERF_MISC_USER ... */
	bool returns;       /* a return address, so the call is before it; false: the interrupted address */
	bool scanned;       /* found by reading the callee's instructions only, see unwind/scan.h */
};

/* A marker before a `scanned` address in a chain that sonde unwound. It is never written to a file. */
#define SAMPLE_SCANNED (UINT64_MAX - 3999)

/* Is it a kernel address? */
static inline bool chain_in_kernel(const struct chain_frame *f)
{
	return f->cpumode == PERF_MISC_KERNEL || (!f->cpumode && f->ip >> 63);
}

/*
 * The frames of a sample, innermost first as recorded. The first one is always the sampled address, whether the chain
 * begins with it or not. Returns their number; beyond max the outermost are dropped.
 */
size_t sample_frames(const struct sample_layout *l, const struct sample *s, struct chain_frame *f, size_t max);

#endif
