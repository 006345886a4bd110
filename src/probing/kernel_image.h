/*
 * kernel_image.h - the running kernel as something to be probed: its functions and modules from kallsyms, its types
 * from BTF, its debug information when there is a vmlinux, and its own lists of what must not be probed.
 */
#ifndef PROBING_KERNEL_IMAGE_H
#define PROBING_KERNEL_IMAGE_H

#include "base/vec.h"
#include "image/kallsyms_text.h"
#include "image/module.h"
#include "obj/types/btf.h"
#include "sys/sys.h"

struct kernel_want {
	const char *vmlinux;     /* NULL: looked for */
	const char *module;      /* a loaded module's name, or the path of its file; NULL: the kernel and all modules */
};

struct kernel_image {
	const struct sys *sys;
	struct image_files files;
	const struct kernel_want *want;
	char *text;              /* of kallsyms */
	size_t n;
	struct module file;      /* vmlinux, or the module's; closed until its debug information is asked for */
	struct err no_dwarf;
	uint64_t shift;          /* run-time address - address in vmlinux */
	const char *base;        /* symbol to count others from: "_text", or "_stext" where that is not listed */
	uint64_t base_addr;      /* its run-time address, 0: unknown */
	struct { char *text; struct btf *btf; } btf, module_btf;
	struct err no_btf;
	char module[64];         /* whose module_btf that is */
};

/*
 * -ENOENT, -EBADMSG, -EINVAL, -ESTALE also for a vmlinux that was named and is none, or is not the running kernel's.
 */
int kernel_image_open(struct kernel_image *k, const struct sys *sys, const struct kernel_want *w, struct err *e);
void kernel_image_close(struct kernel_image *k);

/* Every function of the kernel and its modules, or of the wanted module; non-zero from `each` ends it and is passed on.
 */
int kernel_image_each(const struct kernel_image *k, int (*each)(void *arg, const struct kallsyms_line *f), void *arg);

/* The same of those with that very name. */
int kernel_image_named(const struct kernel_image *k, const char *name,
		       int (*each)(void *arg, const struct kallsyms_line *f), void *arg);

/* Has the wanted module functions? -ENOENT, with a name that is near. 0 where none is wanted. */
int kernel_image_check_module(const struct kernel_image *k, struct err *e);

/* The function that has the address, by the name that reports give it; size: up to the next one. */
bool kernel_image_at(const struct kernel_image *k, uint64_t addr, struct kallsyms_line *f, uint64_t *size);

/* Of what runs: the kernel, or the wanted module. Size 0: it does not tell. */
struct build_id kernel_image_id(const struct kernel_image *k);

struct dwarf *kernel_image_dwarf(struct kernel_image *k);    /* NULL: none, k->no_dwarf says why */

/* BTF that has this function; module may be empty. NULL: none, k->no_btf says why. */
const struct btf *kernel_image_btf(struct kernel_image *k, struct sv module);

/*
 * Why the kernel refuses this function, and on which list it is; "" when it is on none: NOKPROBE (kprobes/blacklist in
 * debugfs), or not traceable. Or why it refuses this address in it (0: none is asked about), where it tells what it
 * patches (available_filter_functions_addrs, Linux 6.5) and probes nothing of that (arm64).
 */
const char *kernel_image_refusal(const struct kernel_image *k, struct sv func, uint64_t addr);

#endif
