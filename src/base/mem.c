#include "base/mem.h"

#include <malloc.h>

/* Bytes. Less is not worth a system call; more may be a size from a broken file. */
enum { SOON_MIN = 64 << 10, SOON_MAX = 32 << 20, STEP = 128 << 10 };

/* n bytes from p on will be written soon. */
static void soon(void *p, size_t n)
{
	if (mem_take_pages && p && n >= SOON_MIN && n <= SOON_MAX)
		mem_take_pages(p, n);
}

void *mem_alloc(size_t n)
{
	void *p = malloc(n);

	soon(p, n);
	return p;
}

void *mem_zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);

	soon(p, p ? n * size : 0);
	return p;
}

bool mem_step(void *array, size_t *cap, size_t want, size_t size)
{
	size_t bytes = malloc_usable_size(array), most = bytes / size, next = MIN(most, MAX(want, *cap + STEP / size));

	if (bytes < 2 * STEP || most < want)
		return false;
	soon((char *)array + *cap * size, (next - *cap) * size);
	*cap = next;
	return true;
}
