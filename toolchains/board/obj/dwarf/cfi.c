/* cfi.c - call frame information is not read: a program without symbols has no list of functions. */
#include "obj/dwarf/cfi.h"

int cfi_init(struct cfi *c UNUSED, const struct elf *f UNUSED, struct err *e UNUSED)
{
	return -ENODATA;
}

int cfi_each(const struct cfi *c UNUSED, int (*each)(void *arg, const struct cfi_fde *fde) UNUSED, void *arg UNUSED,
	     struct err *e UNUSED)
{
	return -ENODATA;
}
