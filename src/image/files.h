/*
 * files.h - how modules and kernels get at their files, without a system call of their own. All paths are absolute
 * names as the machine has or had them that is looked at.
 */
#ifndef IMAGE_FILES_H
#define IMAGE_FILES_H

#include "base/base.h"
#include "base/mapped.h"

struct kallsyms;

/* Whose file a path means. */
struct image_inside {
	uint32_t pid;
	uint64_t ino;            /* the number that it must have; 0: any */
};

struct image_files {
	void *arg;
	/* Map a whole file read-only: 0 and *p, *n; or -errno. */
	int (*map)(void *arg, const char *path, const uint8_t **p, size_t *n);
	void (*unmap)(void *arg, const uint8_t *p, size_t n);
	/*
	 * The same of a file as that process sees it, when it lives and has another root or other mounts than we have.
	 * May be NULL.
	 */
	int (*map_inside)(void *arg, const struct image_inside *in, const char *path, const uint8_t **p, size_t *n);
	/*
	 * Give the text of a process's /tmp/perf-PID.map in pieces, until `feed` returns non-zero, which is passed on.
	 * -EPERM: the file is neither its user's nor root's. May be NULL.
	 */
	int (*jit)(void *arg, uint32_t pid, int (*feed)(void *to, const char *text, size_t n), void *to);
	/* These pages need not stay in memory. May be NULL. */
	void (*forget)(void *arg, const void *p, size_t n);
	struct mapped_files *mapped;     /* has what map has mapped, or NULL: holes and cuts are not known */
	/*
	 * Fill the table with the running kernel's symbols: 0, or -errno and it is as it was. NULL: they must not be
	 * used for this recording.
	 */
	int (*kallsyms)(void *arg, struct kallsyms *k);
	/* The running kernel's address of "_text" or "_stext", where its list tells that early; else 0. May be NULL. */
	uint64_t (*mark)(void *arg, const char *name);
	/* The running kernel's build id, 20 bytes, shorter ones filled with zeros: 0 or -errno. */
	int (*kernel_build_id)(void *arg, uint8_t id[20]);
	/*
	 * Image of this process' vDSO, which must stay: the vDSO of every process on this machine is the same. May be
	 * NULL.
	 */
	int (*vdso)(void *arg, const uint8_t **p, size_t *n);
};

#endif
