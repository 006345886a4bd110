/*
 * find.h - where in an array that ascends by eight bytes of each: how many have at most a number there. Of ranges by
 * their start, the last of those may hold an address; of ranges by their end, the one behind those.
 */
#ifndef BASE_FIND_H
#define BASE_FIND_H

#include "base/base.h"

#define find_upto(v, n, member, most) \
	find_in((v), (n), sizeof(*(v)), offsetof(__typeof__(*(v)), member) + FIND_EIGHT((v)->member), (most))
/* Of an array of numbers. */
#define find_number_upto(v, n, most) find_in((v), (n), sizeof(*(v)), FIND_EIGHT(*(v)), (most))

/* 0, or no program: eight bytes are compared. */
#define FIND_EIGHT(x) (0 * sizeof(char[sizeof(x) == sizeof(uint64_t) ? 1 : -1]))

/* n of `size` bytes, the number in each `at` bytes behind its start. */
size_t find_in(const void *v, size_t n, size_t size, size_t at, uint64_t most);

#endif
