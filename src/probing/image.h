/* image.h - an ELF file mapped whole. */
#ifndef PROBING_IMAGE_H
#define PROBING_IMAGE_H

#include "obj/elf.h"
#include "sys/sys.h"

struct image {
	const struct sys *sys;
	const uint8_t *bytes;     /* NULL: closed */
	size_t n;
	struct elf elf;
	char path[PATH_MAX];
};

/* -ENOENT, -EBADMSG (no ELF file) ... with the path in e. The struct elf must not move while it is in use. */
int image_open(struct image *img, const struct sys *sys, const char *path, struct err *e);
void image_close(struct image *img);   /* a zeroed one is closed */

/* These bytes of a mapped file have been gone through: their pages need not stay in memory. */
void image_forget(const struct sys *sys, const void *bytes, size_t n);

/* File offset of an address, through the segments; false: it is not in the file. */
bool image_offset(const struct image *img, uint64_t addr, uint64_t *offset);
bool image_addr(const struct image *img, uint64_t offset, uint64_t *addr);

/* Is the address in a segment that is mapped executable? */
bool image_is_code(const struct image *img, uint64_t addr);

#endif
