/* prefix.h - how long the codes of symbols are to be, from how often each occurs. Internal to src/pack. */
#ifndef PACK_PREFIX_H
#define PACK_PREFIX_H

#include "base/base.h"

enum { PREFIX_SYMBOLS_MAX = 288, PREFIX_BITS_MAX = 15 };

/*
 * Lengths of at most `most` bits, 0 for what does not occur; together they use the whole code space. Returns the
 * longest; 0: fewer than two symbols occur, and all lengths are 0.
 */
unsigned prefix_lengths(uint8_t *length, const uint32_t *count, unsigned n, unsigned most);

#endif
