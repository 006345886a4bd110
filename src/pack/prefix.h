/* prefix.h - lengths of prefix codes from the symbols' frequencies. Internal to src/pack. */
#ifndef PACK_PREFIX_H
#define PACK_PREFIX_H

#include "base/base.h"

enum { PREFIX_SYMBOLS_MAX = 288, PREFIX_BITS_MAX = 15 };

/*
 * Compute lengths of at most `most` bits, 0 for symbols that do not occur; the code is complete. Returns the largest
 * length; 0: fewer than two symbols occur, and all lengths are 0.
 */
unsigned prefix_lengths(uint8_t *length, const uint32_t *count, unsigned n, unsigned most);

#endif
