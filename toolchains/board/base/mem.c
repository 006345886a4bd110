/* mem.c - a recording takes its memory before it begins; a board has little to take beforehand. */
#include "base/mem.h"

void *mem_alloc(size_t n)
{
	return malloc(n);
}

void *mem_zeroed(size_t n, size_t size)
{
	return calloc(n, size);
}

bool mem_step(void *array UNUSED, size_t *cap UNUSED, size_t want UNUSED, size_t size UNUSED)
{
	return false;
}
