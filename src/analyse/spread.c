/* spread.c - sums in addition to a histogram. */
#include "analyse/spread.h"

int spread_add(struct spread *s, uint64_t value)
{
	if (!s->n || value < s->min)
		s->min = value;
	s->max = MAX(s->max, value);
	s->total += (double)value;
	s->n++;
	return loghist_add(&s->hist, value);
}

int spread_add_to(struct spread *s, unsigned bucket, uint64_t n, uint64_t sum)
{
	uint64_t least = loghist_least(bucket);

	/* Until spread_bound() sets them, use the bucket's limit. */
	if (!s->is_bound) {
		s->min = !s->n || least < s->min ? least : s->min;
		s->max = MAX(s->max, least);
	}
	s->total += (double)sum;
	s->n += n;
	return loghist_add_to(&s->hist, bucket, n);
}

void spread_bound(struct spread *s, uint64_t least, uint64_t most)
{
	s->min = !s->is_bound || least < s->min ? least : s->min;
	s->max = !s->is_bound || most > s->max ? most : s->max;
	s->is_bound = true;
}

uint64_t spread_at(const struct spread *s, unsigned permille)
{
	uint64_t v = loghist_at(&s->hist, permille);

	/* The middle of a bucket may be beyond the numbers in it. */
	return permille >= 1000 ? s->max : MIN(MAX(v, s->min), s->max);
}

void spread_clear(struct spread *s)
{
	loghist_deinit(&s->hist);
	*s = (struct spread){ 0 };
}
