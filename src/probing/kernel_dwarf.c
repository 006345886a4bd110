/* kernel_dwarf.c - the running kernel's debug information, searched for when it is first needed. */
#include "image/kernel_file.h"
#include "probing/kernel_image.h"

#include <sys/utsname.h>

static bool find_file(struct kernel_image *k)
{
	struct utsname u;
	struct kernel_file_want w = {
		.module = k->want->module, .id = kernel_image_id(k), .is_useful = image_has_debug,
		.release = k->sys->uname(k->sys, &u) ? NULL : u.release,
	};

	return kernel_file_find(&k->file, &k->files, &w);
}

struct dwarf *kernel_image_dwarf(struct kernel_image *k)
{
	if (k->no_dwarf.code)
		return NULL;
	if (!k->file.code.bytes && !find_file(k)) {
		err_set(&k->no_dwarf, ENODATA, "there is no debug information of %s%s",
			k->want->module ? "module " : "", k->want->module ? k->want->module : "the running kernel");
		err_hint(&k->no_dwarf, "-k FILE names a vmlinux, -m FILE a module, with debug information");
		return NULL;
	}
	if (!k->shift)
		k->shift = kernel_file_shift(&k->file, k->base, k->base_addr);
	return module_dwarf(&k->file, &k->no_dwarf);
}
