/*
 * debuglink.h - section .gnu_debuglink: the name of the debug file, and its checksum.
 *   name, NUL, padding to 4 bytes, u32 CRC-32 of the whole file
 */
#ifndef OBJ_ELF_DEBUGLINK_H
#define OBJ_ELF_DEBUGLINK_H

#include "base/base.h"

struct elf;

struct debuglink_buf {
	char v[4096];
};

struct debuglink {
	const char *name;      /* without folder; borrowed from the file */
	uint32_t crc;
};

/* False: the file has none. Names with a slash are rejected: they could lead anywhere. */
bool debuglink_of(const struct elf *f, struct debuglink *d);

/*
 * Paths to try for a file of that name, i = 0, 1, 2: its folder, .debug in it, below /usr/lib/debug. NULL: no more, or
 * the name does not fit. prefix is put in front of each; may be NULL.
 */
const char *debuglink_path(const struct debuglink *d, const char *prefix, const char *file,
			   unsigned i, struct debuglink_buf *buf);

/* Largest file for which the checksum is computed, which takes a second; larger ones have a build-id. */
enum { DEBUGLINK_SUM_MAX = 1 << 29 };

struct debuglink_want {
	const struct elf *file;      /* the file with the link */
	const struct debuglink *link;
	/* These bytes of the debug file have been read: their pages may be dropped. May be NULL. */
	void (*passed)(void *arg, const void *bytes, size_t n);
	void *arg;
};

/*
 * Is it the right debug file? It must be for the same machine and have sections; then build-ids are compared, when both
 * have one; else the checksum.
 */
bool debuglink_is(const struct debuglink_want *w, const struct elf *debug);

#endif
