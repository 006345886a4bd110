/*
 * keep.h - perf's build-id cache (sym/buildid_cache.h for its layout): copies of files by build id. A name is a path,
 * "[kernel.kallsyms]" or "[vdso]".
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include "obj/elf/build_id.h"
#include "sys/sys.h"

/* The build id that the file of this name has now; false: unknown, id->size is 0. */
bool keep_id_now(const struct sys *sys, const char *name, struct build_id *id);

struct keep {
	const struct sys *sys;
	const char *dir;
	bool is_fresh;           /* keep_find() does not look into the cache */
};

enum { KEEP_PARTS = 2 };

/* The contents of one build: its file, and its separate debug file if there is one. */
struct keep_found {
	char place[PATH_MAX];    /* folder of the cache: "usr/bin/ls", "[vdso]" */
	struct build_id id;
	struct keep_part {
		const char *what;    /* "elf", "debug", "kallsyms", "vdso" */
		const uint8_t *bytes;
		size_t n;
		void *own;           /* the bytes, if they are malloc'ed; else NULL */
		bool is_mapped;
	} part[KEEP_PARTS];
	unsigned n;
};

/*
 * Find the build: the file of that name if it still has this build id (id->size 0: any), else the one in the cache.
 * -ENOENT, -ESTALE (the file is another build), -ENODATA (it has no build id), -EACCES ... with the name in e.
 */
int keep_find(const struct keep *k, const char *name, const struct build_id *id, struct keep_found *f, struct err *e);
void keep_drop(const struct keep *k, struct keep_found *f);

/* Add a build to the cache. 0; -EEXIST: the cache has it; -errno. */
int keep_add(const struct keep *k, const struct keep_found *f, struct err *e);

/* Remove a build from the cache. 0; -ENOENT: the cache does not have it; -errno. */
int keep_remove(const struct keep *k, const char *id, struct err *e);

bool keep_has(const struct keep *k, const char *id);

/* The name of the file with this build-id. False: it is not in the cache, or its link leads out of the cache. */
bool keep_name(const struct keep *k, const char *id, char *name, size_t size);

/* Call `each` for every build-id of the cache, ascending, until it returns non-zero, which is returned. */
int keep_each(const struct keep *k, int (*each)(void *arg, const char *id), void *arg);

/* The same for the build-ids under one path. */
int keep_each_of(const struct keep *k, const char *path, int (*each)(void *arg, const char *id), void *arg);

/* The target of the symbolic link for a build: "../../usr/bin/ls/ab12...". */
void keep_target(const struct keep_found *f, char *buf, size_t size);

#endif
