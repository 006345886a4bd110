/*
 * kernel_file.h - the file with the symbols and debug information of a kernel (vmlinux) or of one of its modules (.ko),
 * where distributions and builders put it.
 */
#ifndef IMAGE_KERNEL_FILE_H
#define IMAGE_KERNEL_FILE_H

#include "image/module.h"

struct kernel_file_want {
	const char *module;          /* its name, or the path of its file; NULL: the kernel itself */
	struct build_id id;          /* size 0: not known, and no file is refused for it */
	const char *release;         /* uname -r, or NULL */
	const char *symfs;           /* prefix of absolute paths, or NULL */
	const struct arch *arch;     /* NULL: any */
	bool (*is_useful)(const struct image *img);   /* image_has_symbols, image_has_debug */
};

/* false: there is none; to is closed. Modules may have no build id, a kernel that has lost its own is refused. */
bool kernel_file_find(struct module *to, const struct image_files *files, const struct kernel_file_want *w);

/* "/x/snd-pcm.ko.xz", "snd-pcm": snd_pcm, as kallsyms calls it, into buf; returns its length. */
size_t kernel_module_name(const char *path, char *buf, size_t size);

/* Is that module meant by a name or path? */
bool kernel_module_is(const char *path, struct sv module);

/*
 * How far a kernel was moved from where its file says: addr is where the symbol was found; 0: that is not known, or the
 * file has no such symbol.
 */
uint64_t kernel_file_shift(const struct module *m, const char *symbol, uint64_t addr);

#endif
