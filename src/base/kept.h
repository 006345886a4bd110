/*
 * kept.h - memory that was given back, kept for who wants as much soon: each screen of `top` is made of as many blocks
 * as the one before. The C library gives such blocks to the kernel and takes them anew: each time all processors are
 * told to forget them, and each page is a fault. That was most of what a screen took.
 *
 * The linker puts kept.c's functions in the places of malloc and its like (Makefile). Until somebody begins to keep
 * they are the C library's.
 */
#ifndef BASE_KEPT_H
#define BASE_KEPT_H

#include "base/base.h"

enum { KEPT_BLOCKS = 256, KEPT_BYTES = 8 << 20 };

struct kept {
	bool on, busy;                /* busy: another thread is at it, and whoever comes does without */
	uint32_t n;
	size_t bytes;                 /* of all of them */
	struct { void *p; size_t n; } v[KEPT_BLOCKS];   /* the oldest first */
};

/* The process's; cmd/main.c has it, and programs of the tests have none. */
extern struct kept kept __attribute__((weak));

/* Of blocks of 256 bytes and more, from here on. */
void kept_begin(void);

#endif
