/*
 * vec.h - a growing array of any type: VEC(struct x) v = {0};  push with vec_add, release with vec_free.
 * Growth doubles the block; elements move, so keep indices, not pointers. In a large array `cap` ends where the mapped
 * pages do (mem_step), not where the block does.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/base.h"

#define VEC(type) struct { type *v; size_t n, cap; }

/* Make room for `more` elements. 0 or -ENOMEM. */
#define vec_reserve(vec, more) \
	vec_grow((void **)&(vec)->v, (vec)->n, &(vec)->cap, (more), sizeof(*(vec)->v))

/* Pointer to a new zeroed last element, or NULL. */
#define vec_add(vec) \
	(vec_reserve(vec, 1) ? NULL : memset(&(vec)->v[(vec)->n++], 0, sizeof(*(vec)->v)))

#define vec_free(vec) \
	do { \
		free((vec)->v); \
		(vec)->v = NULL; \
		(vec)->n = (vec)->cap = 0; \
	} while (0)

int vec_grow(void **v, size_t n, size_t *cap, size_t more, size_t size);

#endif
