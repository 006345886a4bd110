/* pack_bytes.c - little-endian numbers of any length. */
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
