/*
 * files.h - callbacks by which modules and kernels read their files, so that this code makes no system calls. All paths
 * are absolute paths of the recorded machine.
 */
#ifndef IMAGE_FILES_H
#define IMAGE_FILES_H

#include "base/base.h"
#include "base/mapped.h"

struct kallsyms;

/* A process in whose view a path is meant. */
struct image_inside {
	uint32_t pid;
	uint64_t ino;            /* inode number that the file must have; 0: any */
};

struct image_files {
	void *arg;
	/* Map a whole file read-only: 0 and *p, *n; or -errno. */
	int (*map)(void *arg, const char *path, const uint8_t **p, size_t *n);
	void (*unmap)(void *arg, const uint8_t *p, size_t n);
	/*
	 * The same for a file as that process sees it, if it still runs and has another root or other mounts than we.
	 * May be NULL.
	 */
	int (*map_inside)(void *arg, const struct image_inside *in, const char *path, const uint8_t **p, size_t *n);
	/*
	 * Call `feed` with pieces of a process's /tmp/perf-PID.map, until it returns non-zero, which is passed on.
	 * -EPERM: the file's owner is neither the process's user nor root. May be NULL.
	 */
	int (*jit)(void *arg, uint32_t pid, int (*feed)(void *to, const char *text, size_t n), void *to);
	/* These pages are not needed in memory any more. May be NULL. */
	void (*forget)(void *arg, const void *p, size_t n);
	struct mapped_files *mapped;     /* the files mapped by `map`; NULL: holes and truncation are not detected */
	/*
	 * Fill the table with the running kernel's symbols: 0, or -errno and it is unchanged. NULL: not to be used.
	 */
	int (*kallsyms)(void *arg, struct kallsyms *k);
	/* The running kernel's address of "_text" or "_stext", if it is near the start of kallsyms; else 0. May be
	   NULL. */
	uint64_t (*mark)(void *arg, const char *name);
	/* The running kernel's build-id, 20 bytes, shorter ones padded with zeros: 0 or -errno. */
	int (*kernel_build_id)(void *arg, uint8_t id[20]);
	/*
	 * The image of our own vDSO, which must stay valid: all processes on this machine have the same. May be NULL.
	 */
	int (*vdso)(void *arg, const uint8_t **p, size_t *n);
};

#endif
