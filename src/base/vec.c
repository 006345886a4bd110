/* vec.c - growth of vec.h's arrays. */
#include "base/vec.h"

#include <malloc.h>

#include "base/mem.h"

/* From so many bytes on a vector takes what malloc gave it in steps: only the pages of a step are there unused. */
enum { STEP = 128 << 10 };

/* As far as the piece that *v is reaches, step by step. want: elements that must fit. False: they do not. */
static bool take_step(void *v, size_t *cap, size_t want, size_t size)
{
	size_t most = malloc_usable_size(v) / size, next = MIN(most, MAX(want, *cap + STEP / size));

	if (most < want)
		return false;
	mem_soon((char *)v + *cap * size, (next - *cap) * size);
	*cap = next;
	return true;
}

int vec_grow(void **v, size_t n, size_t *cap, size_t more, size_t size)
{
	size_t want, full, bytes;
	void *p;

	if (*cap - n >= more)
		return 0;
	if (__builtin_add_overflow(n, more, &want))
		return -ENOMEM;
	if (*cap && *cap >= STEP / size && take_step(*v, cap, want, size))
		return 0;
	full = MAX(MAX(want, MIN(*cap, SIZE_MAX / 2) * 2), 8);
	if (__builtin_mul_overflow(full, size, &bytes))
		return -ENOMEM;
	p = realloc(*v, bytes);
	if (!p)
		return -ENOMEM;
	*v = p;
	if (bytes < 2 * STEP || !take_step(p, cap, want, size))
		*cap = full;
	return 0;
}
