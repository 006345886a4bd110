/* image.h - an ELF file mapped whole. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "image/files.h"
#include "obj/elf/elf.h"

struct image {
	const struct image_files *files;   /* NULL: the bytes are another's */
	const uint8_t *bytes;              /* NULL: closed */
	size_t n;
	struct elf elf;
	char *path;
	void *own;                         /* the bytes, where they were made here */
};

/*
 * -ENOENT, -EBADMSG (no ELF file) ... with the path in e. in: as that process sees it; NULL: as we do. The struct must
 * not move while it is open, and files must stay.
 */
int image_open(struct image *img, const struct image_files *files, const struct image_inside *in, const char *path,
	       struct err *e);

/* The same of bytes that are in memory anyway, and stay. */
int image_borrow(struct image *img, const uint8_t *bytes, size_t n, struct err *e);

/* The same of bytes from malloc, which are freed in the end, also after an error. path: of the file they were in. */
int image_take(struct image *img, uint8_t *bytes, size_t n, const char *path, struct err *e);

void image_close(struct image *img);   /* a zeroed one is closed */

/* These bytes have been gone through: their pages need not stay in memory. arg: of any image, or NULL. */
void image_passed(void *files, const void *bytes, size_t n);

/* Was it cut while it was read? Then the asker deals with it. */
bool image_was_cut(const struct image *img);

/* File offset of an address, through the segments; false: it is not in the file. */
bool image_offset(const struct image *img, uint64_t addr, uint64_t *offset);
bool image_addr(const struct image *img, uint64_t offset, uint64_t *addr);

/* Is the address in a segment that is mapped executable? */
bool image_is_code(const struct image *img, uint64_t addr);

/* Symbols besides those of the dynamic linker; debug information. */
bool image_has_symbols(const struct image *img);
bool image_has_debug(const struct image *img);

#endif
