/*
 * crc.h - cyclic redundancy checks. For data in pieces, `crc` is the CRC of all pieces before this one, 0 at first.
 */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include "base/base.h"

/* As of zlib, gzip, xz and .gnu_debuglink: polynomial 0xedb88320 (reflected), inverted before and after. */
uint32_t crc32_of(uint32_t crc, const uint8_t *p, size_t n);

/* As of xz (ECMA-182): polynomial 0xc96c5795d7870f42 (reflected), inverted before and after. */
uint64_t crc64_of(uint64_t crc, const uint8_t *p, size_t n);

#endif
