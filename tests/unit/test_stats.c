/* test_stats.c - means and deviations against values worked out by hand. */
#include "analyse/stats.h"
#include "t.h"

static long long micro(double v)
{
	return (long long)(v * 1e6 + (v < 0 ? -0.5 : 0.5));
}

static struct stats of(const double *v, size_t n)
{
	struct stats s = { 0 };

	for (size_t i = 0; i < n; i++)
		stats_add(&s, v[i]);
	return s;
}

TEST(stats_of_eight_values)
{
	static const double v[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct stats s = of(v, ARRAY_SIZE(v));

	CHECK_EQ(s.n, 8);
	CHECK_EQ(micro(s.mean), 5000000);
	CHECK_EQ(micro(s.min), 2000000);
	CHECK_EQ(micro(s.max), 9000000);
	/* squares sum to 32: sqrt(32 / 7 / 8) */
	CHECK_EQ(micro(stats_deviation(&s)), 755929);
	CHECK_EQ(micro(stats_percent(&s)), 15118579);
}

TEST(stats_of_less_than_two_values_have_no_deviation)
{
	struct stats s = { 0 };

	CHECK_EQ(micro(stats_deviation(&s)), 0);
	CHECK_EQ(micro(stats_percent(&s)), 0);
	stats_add(&s, 7);
	CHECK_EQ(micro(s.mean), 7000000);
	CHECK_EQ(micro(stats_deviation(&s)), 0);
}

TEST(stats_keep_digits_of_large_close_values)
{
	/* Sums of squares would lose all of the variance here. */
	static const double v[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	struct stats s = of(v, ARRAY_SIZE(v));

	CHECK_EQ(micro(s.m2), 90000000);
	CHECK_EQ(micro(stats_deviation(&s)), 2738613);
}

TEST(stats_percent_of_zeros_is_zero)
{
	static const double v[] = { 0, 0, 0 };
	struct stats s = of(v, ARRAY_SIZE(v));

	CHECK_EQ(micro(stats_percent(&s)), 0);
}

TEST(stats_root_of_squares)
{
	static const double roots[] = { 1e-9, 0.001, 0.5, 1, 3, 1234567, 1e15, 1e100 };

	for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
		double r = stats_root(roots[i] * roots[i]) / roots[i];

		CHECK(r > 1 - 1e-12 && r < 1 + 1e-12);
	}
	CHECK_EQ(micro(stats_root(0)), 0);
	CHECK_EQ(micro(stats_root(-4)), 0);
}
