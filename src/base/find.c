/* find.c - branchless binary search: a branch on the comparison would be mispredicted half of the time. */
#include "base/find.h"

static uint64_t number(const char *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return v;
}

size_t find_in(const void *v, size_t n, size_t size, size_t at, uint64_t most)
{
	const char *first;
	size_t i = 0;

	if (!n)
		return 0;
	first = (const char *)v + at;
	for (; n > 1; n -= n / 2)
		i += number(first + (i + n / 2) * size) <= most ? n / 2 : 0;
	return i + (number(first + i * size) <= most);
}
