/* vec.c - growth of vec.h's arrays. */
#include "base/vec.h"

int vec_grow(void **v, size_t n, size_t *cap, size_t more, size_t size)
{
	size_t want, bytes;

	if (*cap - n >= more)
		return 0;
	if (__builtin_add_overflow(n, more, &want))
		return -ENOMEM;
	want = MAX(want, MIN(*cap, SIZE_MAX / 2) * 2);
	want = MAX(want, 8);
	if (__builtin_mul_overflow(want, size, &bytes))
		return -ENOMEM;

	void *p = realloc(*v, bytes);

	if (!p)
		return -ENOMEM;
	*v = p;
	*cap = want;
	return 0;
}
