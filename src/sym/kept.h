/*
 * kept.h - copies of files that perf keeps by their build ids, in ~/.debug as a rule:
 *   .build-id/ab/cdef...   leads to PLACE/abcdef..., a folder; before Linux 4.13 to the file itself
 *   PLACE/abcdef.../       elf, the file; debug, its debug information; of [vdso]: vdso, of [kernel.kallsyms]: kallsyms
 * PLACE is the path of the file, or such a name.
 */
#ifndef SYM_KEPT_H
#define SYM_KEPT_H

#include "image/module.h"

/* Where it would be; what: "elf" ... */
const char *kept_path(const char *dir, const struct build_id *id, const char *what, char *buf, size_t size);

/*
 * Open the one of w's build id, w->path is not used. dir NULL: there is none. 0, -ENOENT, or as module_open. Its debug
 * information is beside it.
 */
int kept_module(struct module *m, const struct image_files *files, const struct module_want *w, const char *dir,
		const char *what);

#endif
