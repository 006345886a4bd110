#include "base/find.h"
#include "t.h"

struct range {
	uint32_t other;
	uint64_t start, end;
};

static size_t by_walking(const struct range *v, size_t n, uint64_t most)
{
	size_t i = 0;

	while (i < n && v[i].start <= most)
		i++;
	return i;
}

/* Of every length, against an unmapped page, at every number that differs. */
TEST(find_counts_those_up_to_a_number)
{
	struct range all[70];

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		all[i] = (struct range){ (uint32_t)i, 10 + i / 3 * 10, 20 + i * 10 };
	for (size_t n = 0; n <= ARRAY_SIZE(all); n++) {
		const struct range *v = guard_dup(all, n * sizeof(*all));

		for (uint64_t most = 0; most < 300; most++)
			CHECK_EQ(find_upto(v, n, start, most), by_walking(v, n, most));
		CHECK_EQ(find_upto(v, n, start, UINT64_MAX), n);
	}
}

TEST(find_has_another_member_or_numbers_themselves)
{
	static const struct range v[] = { { 9, 1, 10 }, { 8, 2, 20 }, { 7, 3, UINT64_MAX } };
	static const uint64_t numbers[] = { 0, 5, 5, UINT64_MAX };

	CHECK_EQ(find_upto(v, ARRAY_SIZE(v), end, 9), 0);
	CHECK_EQ(find_upto(v, ARRAY_SIZE(v), end, 20), 2);
	CHECK_EQ(find_upto(v, ARRAY_SIZE(v), end, UINT64_MAX), 3);
	CHECK_EQ(find_number_upto(numbers, ARRAY_SIZE(numbers), 0), 1);
	CHECK_EQ(find_number_upto(numbers, ARRAY_SIZE(numbers), 5), 3);
	CHECK_EQ(find_number_upto(numbers, ARRAY_SIZE(numbers), UINT64_MAX - 1), 3);
	CHECK_EQ(find_number_upto(numbers, ARRAY_SIZE(numbers), UINT64_MAX), 4);
}

TEST(find_of_none_looks_at_nothing)
{
	const struct range *none = NULL;

	CHECK_EQ(find_upto(none, 0, start, UINT64_MAX), 0);
}
