/*
 * kept.h - a cache of freed blocks for the next malloc of about their size: each screen of `top` allocates about the
 * same blocks as the one before. The C library returns such blocks to the kernel and maps new ones, which costs a TLB
 * shootdown and a fault per page: most of the time that a screen took.
 *
 * The linker replaces malloc, calloc, realloc and free by kept.c's functions (--wrap, see the Makefile). Before
 * kept_begin() they only call the C library's.
 */
#ifndef BASE_KEPT_H
#define BASE_KEPT_H

#include "base/base.h"

enum { KEPT_BLOCKS = 256, KEPT_BYTES = 8 << 20 };

struct kept {
	bool on, busy;                /* busy: a lock; a thread that finds it set goes to the C library instead */
	uint32_t n;
	size_t bytes;                 /* sum of the blocks' sizes */
	struct { void *p; size_t n; } v[KEPT_BLOCKS];   /* oldest first */
};

/* The one cache of the process. cmd/main.c defines it; test programs lack it, hence weak. */
extern struct kept kept __attribute__((weak));

/* From now on, cache freed blocks of 256 bytes and more. */
void kept_begin(void);

#endif
