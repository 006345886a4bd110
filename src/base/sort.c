/* sort.c - bottom-up merging of runs. */
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
