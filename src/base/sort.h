/* sort.h - a stable merge sort of numbers that stand for things: fewer comparisons than qsort, and those are what
 * costs. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/base.h"

/* Below zero: a before b. Equal ones keep their order. */
typedef int sort_order(const void *arg, uint32_t a, uint32_t b);

/* `spare` has room for n, too. */
void sort_u32(uint32_t *v, uint32_t *spare, size_t n, sort_order *order, const void *arg);

/* By numbers: what stands for v[i] is key[v[i]], the smaller first. Equal ones keep their order: the last key first. */
void sort_by_key(uint32_t *v, uint32_t *spare, size_t n, const uint64_t *key);

#endif
