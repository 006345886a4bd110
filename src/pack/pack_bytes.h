/*
 * pack_bytes.h - little-endian numbers, bits, checksums, and copies of matches: the output written so far is the
 * decoders' window, and a match repeats some of it. Internal to src/pack.
 */
#ifndef PACK_PACK_BYTES_H
#define PACK_PACK_BYTES_H

#include "base/cursor.h"

/* Read a number of n <= 8 bytes; 0 and c->bad if there are fewer. */
uint64_t pack_get(struct cursor *c, unsigned n);

/* Skip n bytes. */
void pack_skip(struct cursor *c, size_t n);

/* Write the low n bytes of v; returns the address behind them. */
uint8_t *pack_put(uint8_t *to, uint64_t v, unsigned n);

enum { PACK_ADLER = 65521 };   /* modulus of Adler-32 */
/* Continue an Adler-32 with n more bytes; the sum of no bytes is 1. */
uint32_t pack_adler32(uint32_t adler, const uint8_t *p, size_t n);

/* A bit writer, lowest bit of a byte first. Without room it sets `full` and writes nothing more. */
struct bits_out {
	uint8_t *p, *end;
	uint64_t v;
	unsigned n;
	bool full;
};

/* Write the whole bytes of v, the remaining bits stay. Needs room for 8 bytes, because it uses a single store. */
void bits_flush(struct bits_out *b);

/* Append the low n bits of v. At most 56 bits between two flushes. */
static inline void bits_put(struct bits_out *b, uint64_t v, unsigned n)
{
	b->v |= (v & ((UINT64_C(1) << n) - 1)) << b->n;
	b->n += n;
}

/* Bytes that the copies below may write beyond the requested ones. */
enum { PACK_SLACK = 16 };

static inline uint64_t pack_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t pack_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Copy n bytes in steps of 16: PACK_SLACK more must exist behind both, and d and s must be 16 or more bytes apart. */
static inline void pack_copy_wide(uint8_t *d, const uint8_t *s, size_t n)
{
	const uint8_t *end = d + n;

	do {
		memcpy(d, s, 16);
		d += 16;
		s += 16;
	} while (d < end);
}

/* Copy n bytes from `off` bytes before d, one by one: a match may overlap its own output. */
static inline void pack_copy_bytes(uint8_t *d, size_t off, size_t n)
{
	for (const uint8_t *end = d + n; d < end; d++)
		*d = d[-(ptrdiff_t)off];
}

/* The same, faster, if PACK_SLACK more bytes may be written. */
static inline void pack_copy_match(uint8_t *d, size_t off, size_t n)
{
	size_t period = off;

	/* A match with a short offset repeats a period: write it out to 16 bytes or more, for the wide copy. */
	if (off < 16) {
		while (period < 16)
			period += off;

		size_t first = MIN(n, period - off);

		pack_copy_bytes(d, off, first);
		d += first;
		n -= first;
	}
	if (n)
		pack_copy_wide(d, d - period, n);
}

#endif
