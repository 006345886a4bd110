/* deflate_parts.h - what packing and unpacking deflate (RFC 1951) share. Internal to src/pack. */
#ifndef PACK_DEFLATE_PARTS_H
#define PACK_DEFLATE_PARTS_H

#include "pack/pack_bytes.h"

enum {
	DEFLATE_END = 256,            /* the symbol behind the last of a block; matches' lengths follow it */
	DEFLATE_LENGTHS = 19,         /* symbols that the lengths of codes are made of */
};

/* Their own lengths are in this order. */
extern const uint8_t deflate_order[DEFLATE_LENGTHS];

/* Codes are read from their first bit. */
static inline unsigned pack_reversed(unsigned code, unsigned n)
{
	unsigned r = 0;

	for (; n; n--, code >>= 1)
		r = r << 1 | (code & 1);
	return r;
}

#endif
