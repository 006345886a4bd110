/*
 * write_parts.h - what the sources of the perf.data writer share; for src/perf/write*.c and
 * feature.c only.
 */
#ifndef PERF_WRITE_PARTS_H
#define PERF_WRITE_PARTS_H

#include "perf/write.h"

#define WRITE_MAGIC UINT64_C(0x32454c4946524550)   /* "PERFILE2" */

enum {
	WRITE_TEXT_MAX = 4095,  /* longest string in a record, without NUL: the kernel's PATH_MAX */
	WRITE_MAX = 65528 - 8,  /* longest body of a record whose size is a multiple of 8 */
};

void write_u16(struct out *o, uint16_t v);
void write_u32(struct out *o, uint32_t v);
void write_u64(struct out *o, uint64_t v);

/* The header of a record of `size` bytes, header included. */
void write_rec(struct out *o, uint32_t type, uint16_t misc, size_t size);

/* An EVENT_UPDATE record up to its payload, which has `payload` bytes. */
void write_update(struct out *o, enum perf_update what, uint64_t id, size_t payload);

/* A string with NUL, padded with NULs to a multiple of 8; and the bytes it takes. */
size_t write_text_size(const char *s);
void write_text(struct out *o, const char *s);

#endif
