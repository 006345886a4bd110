/* image.h - an ELF file that is mapped as a whole. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "image/files.h"
#include "obj/elf/elf.h"

struct image {
	const struct image_files *files;   /* NULL: the bytes are borrowed */
	const uint8_t *bytes;              /* NULL: closed */
	size_t n;
	struct elf elf;
	char *path;
	void *own;                         /* the bytes, if they are malloc'ed */
};

/*
 * -ENOENT, -EBADMSG (no ELF file) ... with the path in e. in: open it as that process sees it; NULL: as we do. *img
 * must not move while it is open, and files must stay valid.
 */
int image_open(struct image *img, const struct image_files *files, const struct image_inside *in, const char *path,
	       struct err *e);

/* The same for bytes in memory, which are borrowed. */
int image_borrow(struct image *img, const uint8_t *bytes, size_t n, struct err *e);

/* The same for malloc'ed bytes, which are taken over, also on an error. path: of the file they were unpacked from. */
int image_take(struct image *img, uint8_t *bytes, size_t n, const char *path, struct err *e);

void image_close(struct image *img);   /* a zeroed one is closed */

/* These bytes were read: their pages are not needed in memory any more. files: image.files of any image, or NULL. */
void image_passed(void *files, const void *bytes, size_t n);

/* Was the file truncated while it was mapped? The caller must handle that. */
bool image_was_cut(const struct image *img);

/* Convert between address and file offset, by the segments; false: not in the file. */
bool image_offset(const struct image *img, uint64_t addr, uint64_t *offset);
bool image_addr(const struct image *img, uint64_t offset, uint64_t *addr);

/* Is the address in an executable segment? */
bool image_is_code(const struct image *img, uint64_t addr);

/* Does it have symbols other than dynamic ones; debug information? */
bool image_has_symbols(const struct image *img);
bool image_has_debug(const struct image *img);

#endif
