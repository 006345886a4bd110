/*
 * find.h - binary search in an array sorted by a uint64_t member: how many elements have a member <= `most`? If that
 * is i, and the elements are ranges sorted by their start, only element i - 1 can contain the address `most`; if they
 * are sorted by their (exclusive) end, only element i can.
 */
#ifndef BASE_FIND_H
#define BASE_FIND_H

#include "base/base.h"

#define find_upto(v, n, member, most) \
	find_in((v), (n), sizeof(*(v)), offsetof(__typeof__(*(v)), member) + FIND_EIGHT((v)->member), (most))
/* The same for an array of plain numbers. */
#define find_number_upto(v, n, most) find_in((v), (n), sizeof(*(v)), FIND_EIGHT(*(v)), (most))

/* Always 0; does not compile unless x has eight bytes, as find_in() compares that many. */
#define FIND_EIGHT(x) (0 * sizeof(char[sizeof(x) == sizeof(uint64_t) ? 1 : -1]))

/* v has n elements of `size` bytes; the number is at offset `at` in each. Use the macros above. */
size_t find_in(const void *v, size_t n, size_t size, size_t at, uint64_t most);

#endif
