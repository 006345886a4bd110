/* sort.c - a bottom-up merge sort, and a radix sort from the lowest byte to the highest. */
#include "base/sort.h"

static void merge(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, uint32_t *to, sort_order *order,
		  const void *arg)
{
	/* The two runs are in order already: common when the input is nearly sorted. */
	if (!nb || order(arg, a[na - 1], b[0]) <= 0) {
		memcpy(to, a, na * sizeof(*to));
		memcpy(to + na, b, nb * sizeof(*to));
		return;
	}
	while (na && nb) {
		if (order(arg, *a, *b) <= 0) {
			*to++ = *a++;
			na--;
		} else {
			*to++ = *b++;
			nb--;
		}
	}
	memcpy(to, a, na * sizeof(*to));
	memcpy(to + na, b, nb * sizeof(*to));
}

void sort_u32(uint32_t *v, uint32_t *spare, size_t n, sort_order *order, const void *arg)
{
	uint32_t *from = v, *to = spare;

	for (size_t run = 1; run < n; run *= 2) {
		for (size_t i = 0; i < n; i += 2 * run) {
			size_t na = MIN(run, n - i), nb = MIN(run, n - i - na);

			merge(from + i, na, from + i + na, nb, to + i, order, arg);
		}

		uint32_t *swap = from;

		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* --- radix sort ---------------------------------------------------------------------------------------------- */

enum { BYTES = sizeof(uint64_t), VALUES = 256 };

/* Mask of the bits that are not the same in all keys: bytes without such bits need no pass. */
static uint64_t differing(const uint32_t *v, size_t n, const uint64_t *key)
{
	uint64_t bits = 0;

	for (size_t i = 1; i < n; i++)
		bits |= key[v[i]] ^ key[v[0]];
	return bits;
}

/* Counting sort: to[x] becomes the place of the first element whose key has x in this byte. */
static void places(uint32_t to[VALUES], const uint32_t *v, size_t n, const uint64_t *key, unsigned byte)
{
	uint32_t at = 0;

	memset(to, 0, VALUES * sizeof(*to));
	for (size_t i = 0; i < n; i++)
		to[key[v[i]] >> 8 * byte & 0xff]++;
	for (unsigned i = 0; i < VALUES; i++) {
		uint32_t of_value = to[i];

		to[i] = at;
		at += of_value;
	}
}

void sort_by_key(uint32_t *v, uint32_t *spare, size_t n, const uint64_t *key)
{
	uint64_t bits = differing(v, n, key);
	uint32_t at[VALUES], *from = v, *to = spare;

	for (unsigned b = 0; b < BYTES; b++) {
		uint32_t *swap = from;

		if (!(bits >> 8 * b & 0xff))
			continue;
		places(at, from, n, key, b);
		for (size_t i = 0; i < n; i++)
			to[at[key[from[i]] >> 8 * b & 0xff]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}
