/*
 * asked.h - functions of the running kernel, each of which it is asked for when the first address in it comes.
 */
#ifndef SYM_ASKED_H
#define SYM_ASKED_H

#include "base/arena.h"
#include "base/base.h"
#include "base/vec.h"

/*
 * Who tells: "vfs_read+0x1c/0x340", with " [ext4]" behind it for what is a module's. 0 or -errno. open: before the
 * first question, 0 or -errno: this kernel does not tell. NULL: it is open.
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

/* A zeroed one has been asked for nothing. */
struct asked {
	VEC(struct kernel_symbol) v;     /* by start, none in another */
	size_t answers;                  /* so many names are kept */
	struct arena names;
};

void asked_deinit(struct asked *a);

/* False: nothing is known of that address, or no memory. */
bool asked_find(struct asked *a, const struct kernel_namer *who, uint64_t addr, struct kernel_symbol *s);

#endif
