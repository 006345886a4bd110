/*
 * keep.h - put copies of files into the build-id cache and find them there, as perf does (sym/buildid_cache.h). A name
 * is a path, "[kernel.kallsyms]" or "[vdso]".
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include "obj/elf/build_id.h"
#include "sys/sys.h"

/* Which build a name is now; false: not known, and size 0. */
bool keep_id_now(const struct sys *sys, const char *name, struct build_id *id);

struct keep {
	const struct sys *sys;
	const char *dir;
	bool is_fresh;           /* what was kept before is not looked at */
};

enum { KEEP_PARTS = 2 };

/* The bytes of one build: its file, and its debug information where it is in another one. */
struct keep_found {
	char place[PATH_MAX];    /* "usr/bin/ls", "[vdso]": below the folder */
	struct build_id id;
	struct keep_part {
		const char *what;    /* "elf", "debug", "kallsyms", "vdso" */
		const uint8_t *bytes;
		size_t n;
		void *own;           /* the bytes, where they were read; else NULL */
		bool is_mapped;
	} part[KEEP_PARTS];
	unsigned n;
};

/*
 * Find it: where the name says, when that is still this build; else what was kept. id size 0: whichever there is.
 * -ENOENT, -ESTALE (there is only another build), -ENODATA (without a build id), -EACCES ... with the name in e.
 */
int keep_find(const struct keep *k, const char *name, const struct build_id *id, struct keep_found *f, struct err *e);
void keep_drop(const struct keep *k, struct keep_found *f);

/* 0; -EEXIST: it is there already; -errno. */
int keep_add(const struct keep *k, const struct keep_found *f, struct err *e);

/* 0; -ENOENT: it was not there; -errno. */
int keep_remove(const struct keep *k, const char *id, struct err *e);

bool keep_has(const struct keep *k, const char *id);

/* The name it was kept under; false: it is not kept, or its link leads out of the folder. */
bool keep_name(const struct keep *k, const char *id, char *name, size_t size);

/* Call for each id, ascending, until it returns non-zero, which is passed on. */
int keep_each(const struct keep *k, int (*each)(void *arg, const char *id), void *arg);

/* The same for those of one path. */
int keep_each_of(const struct keep *k, const char *path, int (*each)(void *arg, const char *id), void *arg);

/* "../../usr/bin/ls/ab12...": where its link leads. */
void keep_target(const struct keep_found *f, char *buf, size_t size);

#endif
