/* loghist.c - octave 0 holds 0..15 one by one; octave k > 0 holds [2^(k+3), 2^(k+4)) in 16 equal buckets. */
#include "analyse/loghist.h"

enum { SUB_BITS = 4, SUB = 1 << SUB_BITS };

/* value >> *shift is the bucket within the octave, plus SUB for the leading 1 bit (octave > 0). */
static unsigned octave_of(uint64_t value, unsigned *shift)
{
	unsigned bits = value ? 64 - (unsigned)__builtin_clzll(value) : 0;
	unsigned octave = bits > SUB_BITS ? bits - SUB_BITS : 0;

	*shift = octave ? octave - 1 : 0;
	return octave;
}

/* Extend the contiguous range of octaves to include this one. */
static int widen(struct loghist *h, unsigned octave)
{
	unsigned first = h->n ? MIN(h->first, octave) : octave;
	unsigned end = h->n ? MAX(h->first + h->n, octave + 1) : octave + 1;
	uint32_t *v = calloc((size_t)(end - first) * SUB, sizeof(*v));

	if (!v)
		return -ENOMEM;
	if (h->n)
		memcpy(v + (size_t)(h->first - first) * SUB, h->v, (size_t)h->n * SUB * sizeof(*v));
	free(h->v);
	*h = (struct loghist){ v, (uint8_t)first, (uint8_t)(end - first) };
	return 0;
}

int loghist_add(struct loghist *h, uint64_t value)
{
	unsigned shift, octave = octave_of(value, &shift);

	if (octave - h->first >= h->n && widen(h, octave))
		return -ENOMEM;

	uint32_t *v = &h->v[(octave - h->first) * SUB + ((value >> shift) & (SUB - 1))];

	*v += *v != UINT32_MAX;
	return 0;
}

int loghist_add_to(struct loghist *h, unsigned bucket, uint64_t n)
{
	unsigned octave = bucket / SUB;
	uint32_t *v;

	if (octave > 64 - SUB_BITS)
		return -EINVAL;
	if (octave - h->first >= h->n && widen(h, octave))
		return -ENOMEM;
	v = &h->v[(octave - h->first) * SUB + bucket % SUB];
	*v = (uint32_t)MIN(n, UINT64_C(0xffffffff) - *v) + *v;
	return 0;
}

uint64_t loghist_least(unsigned bucket)
{
	unsigned octave = bucket / SUB;

	return octave ? (uint64_t)(SUB + bucket % SUB) << (octave - 1) : bucket;
}

static uint64_t middle(unsigned octave, unsigned sub)
{
	if (!octave)
		return sub;

	uint64_t low = (uint64_t)(SUB + sub) << (octave - 1);

	return low + (UINT64_C(1) << (octave - 1)) / 2;
}

uint64_t loghist_at(const struct loghist *h, unsigned permille)
{
	uint64_t all = 0, seen = 0;
	size_t n = (size_t)h->n * SUB;

	for (size_t i = 0; i < n; i++)
		all += h->v[i];

	uint64_t want = MAX((all * permille + 999) / 1000, 1);

	for (size_t i = 0; i < n; i++) {
		seen += h->v[i];
		if (seen >= want)
			return middle(h->first + (unsigned)(i / SUB), i % SUB);
	}
	return 0;
}

void loghist_deinit(struct loghist *h)
{
	free(h->v);
	*h = (struct loghist){ 0 };
}
