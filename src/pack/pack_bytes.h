/*
 * pack_bytes.h - little-endian numbers, bits, sums, and how both decoders write their output: the bytes already made
 * are the window, and a match repeats some of them. Internal to src/pack.
 */
#ifndef PACK_PACK_BYTES_H
#define PACK_PACK_BYTES_H

#include "base/cursor.h"

/* A number of n <= 8 bytes; 0 and c->bad when they are not there. */
uint64_t pack_get(struct cursor *c, unsigned n);

/* n bytes that say nothing. */
void pack_skip(struct cursor *c, size_t n);

/* The low n bytes of v to `to`; returns what follows them. */
uint8_t *pack_put(uint8_t *to, uint64_t v, unsigned n);

enum { PACK_ADLER = 65521 };   /* the sum's modulus */

/* Adler-32 of n bytes that follow those of the sum `adler`; 1 is the sum of none. */
uint32_t pack_adler32(uint32_t adler, const uint8_t *p, size_t n);

/* Bits, low end of a byte first. No room: `full`, and nothing more is written. */
struct bits_out {
	uint8_t *p, *end;
	uint64_t v;
	unsigned n;
	bool full;
};

/* Whole bytes of v; the others stay. Room for 8 is asked for, so that one store does. */
void bits_flush(struct bits_out *b);

/* n bits of v; others may be set. 56 between two flushes. */
static inline void bits_put(struct bits_out *b, uint64_t v, unsigned n)
{
	b->v |= (v & ((UINT64_C(1) << n) - 1)) << b->n;
	b->n += n;
}

/* Both copies below may write this much more than asked for. */
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

/* At least n bytes in steps of 16: what follows d and s by PACK_SLACK bytes must exist, and s be 16 away from d. */
static inline void pack_copy_wide(uint8_t *d, const uint8_t *s, size_t n)
{
	const uint8_t *end = d + n;

	do {
		memcpy(d, s, 16);
		d += 16;
		s += 16;
	} while (d < end);
}

/* n bytes again from `off` bytes before d, one by one: a match may overlap what it makes. */
static inline void pack_copy_bytes(uint8_t *d, size_t off, size_t n)
{
	for (const uint8_t *end = d + n; d < end; d++)
		*d = d[-(ptrdiff_t)off];
}

/* The same where PACK_SLACK bytes more may be written. */
static inline void pack_copy_match(uint8_t *d, size_t off, size_t n)
{
	size_t period = off;

	/* Whole periods, at least 16 bytes long, then stand before what the wide copy makes. */
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
