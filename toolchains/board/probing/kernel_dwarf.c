/* kernel_dwarf.c - a board reads no debug information, of the kernel either. */
#include "probing/kernel_image.h"

struct dwarf *kernel_image_dwarf(struct kernel_image *k)
{
	err_set(&k->no_dwarf, ENODATA, "this build for boards reads no debug information of the kernel");
	err_hint(&k->no_dwarf, "arguments are those of its BTF, %%REGISTER or $argN; elsewhere: sonde probe -D");
	return NULL;
}
