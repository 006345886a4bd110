/*
 * mem.h - allocate memory that will be written soon, with its pages already mapped.
 *
 * The first write to each page is a fault: a microsecond, under some hypervisors ten. Faults were a fifth of a
 * report's time. MADV_POPULATE_WRITE (Linux 5.14) makes the kernel map many pages at once. Small blocks, and those of
 * older kernels, are left to faults.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/base.h"

/* Like malloc and calloc, for memory that will be written soon; to be freed with free(). */
void *mem_alloc(size_t n);
void *mem_zeroed(size_t n, size_t size);

/*
 * A large array takes its malloc'ed block into use in steps, so that no more than a step of it is mapped but unused.
 * Raises *cap, in elements of `size` bytes, by a step (128 KB), or to `want` if that is more. False: the block is
 * small, or has no room for `want`.
 */
bool mem_step(void *array, size_t *cap, size_t want, size_t size);

/* Have the kernel map the whole pages within these bytes. sys/ has it; weak, as fuzzers are linked without sys/. */
void mem_take_pages(void *p, size_t n) __attribute__((weak));

#endif
