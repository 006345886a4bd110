/*
 * mem.h - memory that is about to be written, whole or from its start on.
 *
 * The first write to each page is a fault: a microsecond, under some hypervisors ten, which were a fifth of a
 * report's time. A kernel that is told beforehand gives many pages at once (MADV_POPULATE_WRITE, Linux 5.14). What is
 * small, or what the kernel does not do, is left to faults.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/base.h"

/* As malloc and calloc, of what will be written soon; free it. */
void *mem_alloc(size_t n);
void *mem_zeroed(size_t n, size_t size);

/*
 * A large array takes what malloc gave it in steps, so that only the pages of a step are there unused: *cap, in
 * elements of `size` bytes, moves on by a step, and at least to `want`. False: it is no large one, or all is taken.
 */
bool mem_step(void *array, size_t *cap, size_t want, size_t size);

/* Take the whole pages within these bytes; sys/ has it. Programs without it, such as fuzzers, are none the worse. */
void mem_take_pages(void *p, size_t n) __attribute__((weak));

#endif
