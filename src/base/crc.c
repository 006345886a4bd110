/* crc.c - a byte at a time. Each call builds its table, which takes as long as the CRC of a kilobyte of data. */
#include "base/crc.h"

static uint64_t reflected(uint64_t poly, uint64_t crc, const uint8_t *p, size_t n)
{
	uint64_t table[256];

	for (uint64_t i = 0; i < ARRAY_SIZE(table); i++) {
		table[i] = i;
		for (unsigned bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? poly : 0);
	}
	for (size_t i = 0; i < n; i++)
		crc = crc >> 8 ^ table[(crc ^ p[i]) & 0xff];
	return crc;
}

uint32_t crc32_of(uint32_t crc, const uint8_t *p, size_t n)
{
	return ~(uint32_t)reflected(0xedb88320, ~crc, p, n);
}

uint64_t crc64_of(uint64_t crc, const uint8_t *p, size_t n)
{
	return ~reflected(UINT64_C(0xc96c5795d7870f42), ~crc, p, n);
}
