#include "base/mem.h"

/* Less is not worth a system call; more may be what a broken file asks for. */
enum { SOON_MIN = 64 << 10, SOON_MAX = 32 << 20 };

void mem_soon(void *p, size_t n)
{
	if (mem_take_pages && p && n >= SOON_MIN && n <= SOON_MAX)
		mem_take_pages(p, n);
}

void *mem_alloc(size_t n)
{
	void *p = malloc(n);

	mem_soon(p, n);
	return p;
}

void *mem_zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);

	mem_soon(p, p ? n * size : 0);
	return p;
}
