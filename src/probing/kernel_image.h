/*
 * kernel_image.h - the running kernel as a subject of probes: functions and modules from kallsyms, types from BTF,
 * debug information if there is a vmlinux, and the kernel's own lists of what must not be probed.
 */
#ifndef PROBING_KERNEL_IMAGE_H
#define PROBING_KERNEL_IMAGE_H

#include "base/vec.h"
#include "image/kallsyms_text.h"
#include "image/module.h"
#include "obj/types/btf.h"
#include "sys/sys.h"

struct kernel_want {
	const char *vmlinux;     /* NULL: searched for */
	const char *module;      /* a loaded module's name, or the path of its file; NULL: the kernel and all modules */
};

struct kernel_image {
	const struct sys *sys;
	struct image_files files;
	const struct kernel_want *want;
	char *text;              /* of kallsyms, n bytes */
	size_t n;
	struct module file;      /* vmlinux or the module's file; opened when debug information is needed */
	struct err no_dwarf;
	uint64_t shift;          /* run-time address - address in vmlinux */
	const char *base;        /* symbol to which offsets are relative: "_text", or "_stext" if that is not listed */
	uint64_t base_addr;      /* its run-time address, 0: unknown */
	struct { char *text; struct btf *btf; } btf, module_btf;
	struct err no_btf;
	char module[64];         /* name of the module of module_btf */
};

/* -ENOENT, -EBADMSG, -EINVAL, -ESTALE also when the given vmlinux is not one, or not the running kernel's. */
int kernel_image_open(struct kernel_image *k, const struct sys *sys, const struct kernel_want *w, struct err *e);
void kernel_image_close(struct kernel_image *k);

/*
 * Call `each` for every function of the kernel and its modules, or of the wanted module, until it returns non-zero,
 * which is passed on.
 */
int kernel_image_each(const struct kernel_image *k, int (*each)(void *arg, const struct kallsyms_line *f), void *arg);

/* The same for functions of exactly that name. */
int kernel_image_named(const struct kernel_image *k, const char *name,
		       int (*each)(void *arg, const struct kallsyms_line *f), void *arg);

/* 0: the wanted module, if any, has functions. -ENOENT with the nearest name. */
int kernel_image_check_module(const struct kernel_image *k, struct err *e);

/* The function at an address, by the name that reports show; size: up to the next function. */
bool kernel_image_at(const struct kernel_image *k, uint64_t addr, struct kallsyms_line *f, uint64_t *size);

/* Build-id of the running kernel, or of the wanted module. Size 0: unknown. */
struct build_id kernel_image_id(const struct kernel_image *k);

struct dwarf *kernel_image_dwarf(struct kernel_image *k);    /* NULL: none, k->no_dwarf says why */

/* The BTF that describes this function; module may be empty. NULL: none, k->no_btf says why. */
const struct btf *kernel_image_btf(struct kernel_image *k, struct sv module);

/*
 * Why the kernel would refuse this function, by its lists; "": on none of them. Either it is NOKPROBE
 * (kprobes/blacklist in debugfs) or not traceable; or this address in it (0: do not check) is one that the kernel
 * patches (available_filter_functions_addrs, Linux 6.5) and so does not probe (arm64).
 */
const char *kernel_image_refusal(const struct kernel_image *k, struct sv func, uint64_t addr);

#endif
