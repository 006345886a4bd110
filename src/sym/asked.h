/*
 * asked.h - a cache of functions of the running kernel: the kernel is asked for the name of an address when the first
 * address in that function is looked up, instead of reading all of /proc/kallsyms.
 */
#ifndef SYM_ASKED_H
#define SYM_ASKED_H

#include "base/arena.h"
#include "base/base.h"
#include "base/vec.h"

/*
 * The kernel's answer to `ask`: "vfs_read+0x1c/0x340", followed by " [ext4]" in a module. 0 or -errno. open is called
 * before the first question: 0, or -errno if this kernel gives no answers; NULL: nothing needs opening.
 */
struct kernel_namer {
	int (*ask)(void *arg, uint64_t addr, char *text, size_t n);
	int (*open)(void *arg);
	void *arg;
};

struct kernel_symbol {
	const char *name;         /* borrowed from the kernel */
	const char *module;       /* "ext4", NULL: the kernel itself */
	uint64_t start, len;      /* recorded run-time address */
};

/* A zeroed one is empty. */
struct asked {
	VEC(struct kernel_symbol) v;     /* sorted by start, without overlaps */
	size_t answers;                  /* number of names kept, bounded */
	struct arena names;
};

void asked_deinit(struct asked *a);

/* False: the kernel has no name for the address, or no memory. */
bool asked_find(struct asked *a, const struct kernel_namer *who, uint64_t addr, struct kernel_symbol *s);

#endif
