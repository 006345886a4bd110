/* cursor.c - strings, LEB128, sub-cursors and alignment. Fixed-size integers are inline in cursor.h. */
#include "base/cursor.h"

const char *cur_str(struct cursor *c)
{
	const uint8_t *nul = c->bad || !cur_left(c) ? NULL : memchr(c->pos, 0, cur_left(c));
	const char *s = (const char *)c->pos;

	if (!nul) {
		c->bad = true;
		return "";
	}
	c->pos = nul + 1;
	return s;
}

uint64_t cur_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t b = cur_u8(c);

		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

int64_t cur_sleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t b = cur_u8(c);

		v |= (uint64_t)(b & 0x7f) << shift;
		if (b & 0x80)
			continue;
		if (b & 0x40 && shift + 7 < 64)
			v |= ~UINT64_C(0) << (shift + 7);
		return (int64_t)v;
	}
	c->bad = true;
	return 0;
}

struct cursor cur_sub(const struct cursor *c, uint64_t off, uint64_t n)
{
	uint64_t size = (uint64_t)(c->end - c->start);
	struct cursor sub = cur_from(c->start, 0);

	if (c->bad || off > size || n > size - off) {
		sub.bad = true;
	} else {
		sub = cur_from(off ? c->start + off : c->start, (size_t)n);
	}
	sub.swap = c->swap;
	return sub;
}

void cur_align(struct cursor *c, size_t a)
{
	size_t over = cur_off(c) & (a - 1);

	if (over)
		cur_skip(c, a - over);
}
