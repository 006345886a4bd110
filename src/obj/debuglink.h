/*
 * debuglink.h - section .gnu_debuglink: the name of the file with the symbols, and its checksum.
 *   name, NUL, padding to 4 bytes, u32 CRC-32 of the whole file
 */
#ifndef OBJ_DEBUGLINK_H
#define OBJ_DEBUGLINK_H

#include "base/base.h"

struct elf;

struct debuglink_buf {
	char v[4096];
};

struct debuglink {
	const char *name;      /* without folder; borrowed from the file */
	uint32_t crc;
};

/* false: the file has none. Names with a slash are refused: they could lead anywhere. */
bool debuglink_of(const struct elf *f, struct debuglink *d);

/*
 * Places to look at for a file of that name, i = 0, 1, 2: its folder, .debug in it, below
 * /usr/lib/debug. NULL: no more, or the name does not fit. prefix is put in front of each; may be
 * NULL.
 */
const char *debuglink_path(const struct debuglink *d, const char *prefix, const char *file,
			   unsigned i, struct debuglink_buf *buf);

/* CRC-32 as of zlib (polynomial 0xedb88320, inverted before and after). */
uint32_t debuglink_crc(const uint8_t *p, size_t n);

#endif
