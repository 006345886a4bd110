/*
 * keep.h - the build-id cache (sym/kept.h), in perf's layout: add, find and remove files. A name is a path,
 * "[kernel.kallsyms]" or "[vdso]".
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include "obj/elf/build_id.h"
#include "sys/sys.h"

/* The build-id that a name has now; false: unknown, and size 0. */
bool keep_id_now(const struct sys *sys, const char *name, struct build_id *id);

struct keep {
	const struct sys *sys;
	const char *dir;
	bool is_fresh;           /* ignore the present contents of the cache */
};

enum { KEEP_PARTS = 2 };

/* The bytes of one build: its file, and its debug file if there is one. */
struct keep_found {
	char place[PATH_MAX];    /* "usr/bin/ls", "[vdso]": path below the cache's directory */
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
 * Find a build: the file of that name, if it still has this build-id, else the one in the cache. id size 0: any build.
 * -ENOENT, -ESTALE (there is another build only), -ENODATA (no build-id), -EACCES ... with the name in e.
 */
int keep_find(const struct keep *k, const char *name, const struct build_id *id, struct keep_found *f, struct err *e);
void keep_drop(const struct keep *k, struct keep_found *f);

/* 0; -EEXIST: the cache has it; -errno. */
int keep_add(const struct keep *k, const struct keep_found *f, struct err *e);

/* 0; -ENOENT: the cache does not have it; -errno. */
int keep_remove(const struct keep *k, const char *id, struct err *e);

bool keep_has(const struct keep *k, const char *id);

/* The name of a build in the cache; false: the cache does not have it, or its link leads out of the directory. */
bool keep_name(const struct keep *k, const char *id, char *name, size_t size);

/* Call for each id, ascending, until it returns non-zero, which is passed on. */
int keep_each(const struct keep *k, int (*each)(void *arg, const char *id), void *arg);

/* The same for the builds of one path. */
int keep_each_of(const struct keep *k, const char *path, int (*each)(void *arg, const char *id), void *arg);

/* "../../usr/bin/ls/ab12...": the target of its link. */
void keep_target(const struct keep_found *f, char *buf, size_t size);

#endif
