/*
 * cursor.h - read untrusted bytes: every access is checked against the end, and one sticky flag tells whether
 * anything was out of bounds. Values read after that are zero, so a parser may read a whole header and check once.
 *
 * A cursor borrows the bytes. With `swap` set, the bytes of every integer are swapped (LEB128 has no byte order).
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include "base/base.h"

struct cursor {
	const uint8_t *start, *pos, *end;
	bool bad;    /* an access was out of bounds, or a value malformed; stays set */
	bool swap;   /* the writer had the other byte order */
};

static inline struct cursor cur_from(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	return (struct cursor){ .start = p, .pos = p, .end = n ? p + n : p };
}

static inline size_t cur_left(const struct cursor *c)
{
	return (size_t)(c->end - c->pos);
}

/* Offset from the start, for error messages. */
static inline size_t cur_off(const struct cursor *c)
{
	return (size_t)(c->pos - c->start);
}

/* Borrow the next n bytes, or NULL (and bad). n == 0 gives a valid pointer. */
static inline const uint8_t *cur_bytes(struct cursor *c, size_t n)
{
	const uint8_t *p = c->pos;

	if (c->bad || n > cur_left(c)) {
		c->bad = true;
		return NULL;
	}
	c->pos = n ? p + n : p;   /* p may be NULL */
	return p;
}

static inline void cur_skip(struct cursor *c, size_t n)
{
	cur_bytes(c, n);
}

/* Go to an absolute offset. */
static inline void cur_seek(struct cursor *c, uint64_t off)
{
	if (off > (uint64_t)(c->end - c->start))
		c->bad = true;
	else
		c->pos = off ? c->start + off : c->start;   /* start may be NULL */
}

static inline uint8_t cur_u8(struct cursor *c)
{
	const uint8_t *p = cur_bytes(c, 1);

	return p ? *p : 0;
}

static inline uint16_t cur_u16(struct cursor *c)
{
	const uint8_t *p = cur_bytes(c, 2);
	uint16_t v = 0;

	if (p)
		memcpy(&v, p, 2);
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t cur_u32(struct cursor *c)
{
	const uint8_t *p = cur_bytes(c, 4);
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, 4);
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t cur_u64(struct cursor *c)
{
	const uint8_t *p = cur_bytes(c, 8);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, 8);
	return c->swap ? __builtin_bswap64(v) : v;
}

/* A NUL-terminated string inside the bytes, or "" (and bad) when there is no NUL. Borrowed. */
const char *cur_str(struct cursor *c);

/* LEB128; more than 64 bits of payload is bad. */
uint64_t cur_uleb(struct cursor *c);
int64_t cur_sleb(struct cursor *c);

/* A cursor over n bytes at offset off of the same input; `bad` when they reach beyond its end. */
struct cursor cur_sub(const struct cursor *c, uint64_t off, uint64_t n);

/* Skip forward until the offset from the start is a multiple of a (a power of two). */
void cur_align(struct cursor *c, size_t a);

#endif
