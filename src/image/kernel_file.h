/*
 * kernel_file.h - find the file with symbols and debug information of a kernel (vmlinux) or of a kernel module (.ko) in
 * the places used by distributions and builders.
 */
#ifndef IMAGE_KERNEL_FILE_H
#define IMAGE_KERNEL_FILE_H

#include "image/module.h"

struct kernel_file_want {
	const char *module;          /* its name, or the path of its file; NULL: the kernel itself */
	struct build_id id;          /* size 0: unknown, any file matches */
	const char *release;         /* uname -r, or NULL */
	const char *symfs;           /* prefix of absolute paths, or NULL */
	const struct arch *arch;     /* NULL: any */
	bool (*is_useful)(const struct image *img);   /* image_has_symbols, image_has_debug */
};

/* false: none found, *to is closed. A module without build-id is accepted, a kernel without one is refused. */
bool kernel_file_find(struct module *to, const struct image_files *files, const struct kernel_file_want *w);

/* Write the name as in kallsyms, snd_pcm for "/x/snd-pcm.ko.xz" or "snd-pcm"; returns its length. */
size_t kernel_module_name(const char *path, char *buf, size_t size);

/* Does the name or path mean that module? */
bool kernel_module_is(const char *path, struct sv module);

/*
 * By how much a kernel was relocated (KASLR): addr, the run-time address of the symbol, minus its address in the file;
 * 0: addr is 0, or the file does not have the symbol.
 */
uint64_t kernel_file_shift(const struct module *m, const char *symbol, uint64_t addr);

#endif
