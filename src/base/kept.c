/* kept.c - see kept.h. */
#include "base/kept.h"

#include <malloc.h>

void kept_begin(void)
{
	if (&kept)
		kept.on = true;
}

/* Builds with sanitizers leave this out: a sanitizer replaces malloc and free itself. */
#ifndef WITHOUT_KEPT

/* Size limits of cached blocks. Freeing a smaller one seldom costs a system call, as it shares pages with others. */
enum { LEAST = 1 << 8, MOST = KEPT_BYTES / 4 };

/* Names that the linker's --wrap gives to the C library's functions and to their replacements. */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static bool keeps(void)
{
	return &kept && kept.on;
}

static bool begin(void)
{
	return !__atomic_exchange_n(&kept.busy, true, __ATOMIC_ACQUIRE);
}

static void end(void)
{
	__atomic_store_n(&kept.busy, false, __ATOMIC_RELEASE);
}

static void *remove_at(uint32_t i)
{
	void *p = kept.v[i].p;

	kept.bytes -= kept.v[i].n;
	memmove(&kept.v[i], &kept.v[i + 1], (--kept.n - i) * sizeof(*kept.v));
	return p;
}

/* Take the smallest cached block of at least n, but not more than about 2 * n bytes; NULL: there is none. */
static void *take(size_t n)
{
	uint32_t best = KEPT_BLOCKS;
	void *p;

	if (!keeps() || n < LEAST || n > MOST || !begin())
		return NULL;
	for (uint32_t i = 0; i < kept.n; i++)
		if (kept.v[i].n >= n && kept.v[i].n / 2 < n && (best == KEPT_BLOCKS || kept.v[i].n < kept.v[best].n))
			best = i;
	p = best == KEPT_BLOCKS ? NULL : remove_at(best);
	end();
	return p;
}

/* Free the oldest blocks until one of n bytes fits. */
static void give_back_old(size_t n)
{
	while (kept.n && (kept.n == KEPT_BLOCKS || kept.bytes + n > KEPT_BYTES))
		__real_free(remove_at(0));
}

static bool keep(void *p)
{
	size_t n = p && keeps() ? malloc_usable_size(p) : 0;

	if (n < LEAST || n > MOST || !begin())
		return false;
	give_back_old(n);
	kept.v[kept.n].p = p;
	kept.v[kept.n++].n = n;
	kept.bytes += n;
	end();
	return true;
}

void *__wrap_malloc(size_t n)
{
	void *p = take(n);

	return p ? p : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	size_t bytes;
	void *p = __builtin_mul_overflow(n, size, &bytes) ? NULL : take(bytes);

	return p ? memset(p, 0, bytes) : __real_calloc(n, size);
}

/*
 * Move a growing array into a new block and cache the old one, for the next array that grows alike. The new block has
 * twice the size asked for, so the array's next growth needs no move.
 */
static void *grow(void *p, size_t was, size_t n)
{
	void *to = __wrap_malloc(2 * n);

	if (to) {
		memcpy(to, p, was);
		__wrap_free(p);
	}
	return to;
}

void *__wrap_realloc(void *p, size_t n)
{
	bool is_kept = keeps() && n >= LEAST && n <= MOST;
	size_t was = p && is_kept ? malloc_usable_size(p) : 0;

	if (!is_kept)
		return __real_realloc(p, n);
	if (!p)
		return __wrap_malloc(n);
	if (was < n)
		return grow(p, was, n);
	return n >= was / 2 ? p : __real_realloc(p, n);
}

void __wrap_free(void *p)
{
	if (!keep(p))
		__real_free(p);
}

#endif
