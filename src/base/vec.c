/* vec.c - growth of vec.h's arrays. */
#include "base/vec.h"

#include "base/mem.h"

int vec_grow(void **v, size_t n, size_t *cap, size_t more, size_t size)
{
	size_t want, full, bytes;
	void *p;

	if (*cap - n >= more)
		return 0;
	if (__builtin_add_overflow(n, more, &want))
		return -ENOMEM;
	if (*cap && mem_step(*v, cap, want, size))
		return 0;
	full = MAX(MAX(want, MIN(*cap, SIZE_MAX / 2) * 2), 8);
	if (__builtin_mul_overflow(full, size, &bytes))
		return -ENOMEM;
	p = realloc(*v, bytes);
	if (!p)
		return -ENOMEM;
	*v = p;
	if (!mem_step(p, cap, want, size))
		*cap = full;
	return 0;
}
