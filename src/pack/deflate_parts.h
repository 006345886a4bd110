/* deflate_parts.h - shared by the packer and unpacker of deflate (RFC 1951). Internal to src/pack. */
#ifndef PACK_DEFLATE_PARTS_H
#define PACK_DEFLATE_PARTS_H

#include "pack/pack_bytes.h"

enum {
	DEFLATE_END = 256,            /* the end-of-block symbol; symbols of match lengths follow it */
	DEFLATE_LENGTHS = 19,         /* size of the alphabet in which code lengths are coded */
};

/* The order in which the code lengths of that alphabet are stored. */
extern const uint8_t deflate_order[DEFLATE_LENGTHS];
/* Reverse the n bits of a code: codes are stored with their highest bit first. */
static inline unsigned pack_reversed(unsigned code, unsigned n)
{
	unsigned r = 0;

	for (; n; n--, code >>= 1)
		r = r << 1 | (code & 1);
	return r;
}

#endif
