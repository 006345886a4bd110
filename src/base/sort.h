/* sort.h - stable sorts of an array of indices. sort_u32 is a merge sort, as it makes fewer comparisons than qsort, and
 * comparisons take most of the time. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/base.h"

/* < 0: a before b; > 0: b before a; 0: they keep their order. */
typedef int sort_order(const void *arg, uint32_t a, uint32_t b);

/* `spare` is scratch space for n numbers. */
void sort_u32(uint32_t *v, uint32_t *spare, size_t n, sort_order *order, const void *arg);

/* Radix sort: v ascending by key[v[i]]. Stable, so to sort by several keys, call it for the least significant first. */
void sort_by_key(uint32_t *v, uint32_t *spare, size_t n, const uint64_t *key);

#endif
