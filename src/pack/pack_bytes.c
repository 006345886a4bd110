/* pack_bytes.c - see pack_bytes.h. */
#include "pack/pack_bytes.h"

uint64_t pack_get(struct cursor *c, unsigned n)
{
	const uint8_t *p = cur_bytes(c, n);
	uint64_t v = 0;

	for (unsigned i = 0; p && i < n; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

void pack_skip(struct cursor *c, size_t n)
{
	cur_skip(c, n);
}

uint8_t *pack_put(uint8_t *to, uint64_t v, unsigned n)
{
	for (; n; n--, v >>= 8)
		*to++ = v;
	return to;
}

void bits_flush(struct bits_out *b)
{
	if (b->end - b->p < 8) {
		b->full = true;
		b->n &= 7;
		return;
	}
	memcpy(b->p, &b->v, 8);
	b->p += b->n / 8;
	b->v >>= b->n & ~7u;
	b->n &= 7;
}

uint32_t pack_adler32(uint32_t adler, const uint8_t *p, size_t n)
{
	uint32_t a = adler & 0xffff, b = adler >> 16;

	while (n) {
		size_t some = MIN(n, 5552u);   /* so many cannot overflow b */

		/* Four bytes at a time: a's sum after each of them goes to b, so the first byte counts four times. */
		for (n -= some; some >= 4; some -= 4, p += 4) {
			b += 4 * (a + p[0]) + 3 * p[1] + 2 * p[2] + p[3];
			a += p[0] + p[1] + p[2] + p[3];
		}
		for (; some; some--) {
			a += *p++;
			b += a;
		}
		a %= PACK_ADLER;
		b %= PACK_ADLER;
	}
	return b << 16 | a;
}
