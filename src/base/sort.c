/* sort.c - bottom-up merging of runs; of numbers, one byte of them after the other. */
#include "base/sort.h"

static void merge(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, uint32_t *to, sort_order *order,
		  const void *arg)
{
	/* In order already: common when the input was nearly sorted. */
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

/* --- by numbers ---------------------------------------------------------------------------------------------- */

enum { BYTES = sizeof(uint64_t), VALUES = 256 };

static void count(uint32_t n_of[BYTES][VALUES], const uint32_t *v, size_t n, const uint64_t *key)
{
	memset(n_of, 0, BYTES * sizeof(*n_of));
	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < BYTES; b++)
			n_of[b][key[v[i]] >> 8 * b & 0xff]++;
}

/* How many there are of each value becomes where its first one goes. */
static void add_up(uint32_t n_of[VALUES])
{
	uint32_t at = 0;

	for (unsigned i = 0; i < VALUES; i++) {
		uint32_t n = n_of[i];

		n_of[i] = at;
		at += n;
	}
}

void sort_by_key(uint32_t *v, uint32_t *spare, size_t n, const uint64_t *key)
{
	uint32_t n_of[BYTES][VALUES], *from = v, *to = spare;

	count(n_of, v, n, key);
	for (unsigned b = 0; n && b < BYTES; b++) {
		uint32_t *swap = from;

		/* All have the same there. */
		if (n_of[b][key[v[0]] >> 8 * b & 0xff] == n)
			continue;
		add_up(n_of[b]);
		for (size_t i = 0; i < n; i++)
			to[n_of[b][key[from[i]] >> 8 * b & 0xff]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}
