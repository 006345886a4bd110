/*
 * buildid_cache.h - perf's build-id cache, usually ~/.debug:
 *   .build-id/ab/cdef...   a link to PLACE/abcdef..., a directory; before Linux 4.13 to the file itself
 *   PLACE/abcdef.../       elf, the file; debug, its debug information; of [vdso]: vdso, of [kernel.kallsyms]: kallsyms
 * PLACE is the path of the file, or one of these names.
 */
#ifndef SYM_BUILDID_CACHE_H
#define SYM_BUILDID_CACHE_H

#include "image/module.h"

/* The path in the cache; what: "elf", "debug", "vdso" or "kallsyms". */
const char *buildid_cache_path(const char *dir, const struct build_id *id, const char *what, char *buf, size_t size);

/*
 * Open the cached file with the build-id w->id, and its debug information beside it; w->path is not used. dir NULL: no
 * cache. 0, -ENOENT, or as module_open().
 */
int buildid_cache_module(struct module *m, const struct image_files *files, const struct module_want *w,
			 const char *dir, const char *what);

#endif
