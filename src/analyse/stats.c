/* stats.c - running mean and deviation. */
#include "analyse/stats.h"

void stats_add(struct stats *s, double v)
{
	double distance = v - s->mean;

	s->min = s->n && s->min < v ? s->min : v;
	s->max = s->n && s->max > v ? s->max : v;
	s->n++;
	s->mean += distance / (double)s->n;
	s->m2 += distance * (v - s->mean);
}

double stats_root(double v)
{
	double root = v > 1 ? v : 1, next;

	if (!(v > 0) || v > 1e300)
		return 0;
	/* Started above the root, Newton's iteration decreases; it ends when it does not any more. */
	for (int i = 0; i < 1100; i++) {
		next = (root + v / root) / 2;
		if (!(next < root))
			break;
		root = next;
	}
	return root;
}

double stats_deviation(const struct stats *s)
{
	if (s->n < 2)
		return 0;
	return stats_root(s->m2 / (double)(s->n - 1) / (double)s->n);
}

double stats_percent(const struct stats *s)
{
	return s->mean > 0 || s->mean < 0 ? 100 * stats_deviation(s) / s->mean : 0;
}
