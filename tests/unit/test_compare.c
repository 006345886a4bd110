/* Rows of recordings side by side. */
#include "t.h"

#include "analyse/compare.h"

static void add(struct compare *c, size_t of, const char *name, uint64_t weight)
{
	size_t n = strlen(name) + 1;
	struct compare_cell cell = { weight, 1 };

	c->total[of] += weight;
	CHECK_EQ(compare_add(c, of, (struct sv){ guard_dup(name, n), n }, cell, '.'), 0);
}

/* The rows' names in their order. */
static void shows(const struct compare *c, const char *want)
{
	char text[200] = "";
	size_t n, at = 0;
	uint32_t *v = compare_order(c, &n);

	CHECK(v);
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s ", compare_text(c, v[i], 0));
	CHECK_STR(text, want);
	free(v);
}

static struct compare made(const struct compare_want *w)
{
	struct compare c;

	compare_init(&c, 2, w);
	add(&c, 0, "same", 40);
	add(&c, 0, "less", 40);
	add(&c, 0, "gone", 15);
	add(&c, 0, "more", 5);
	add(&c, 1, "more", 100);
	add(&c, 1, "", 4);
	add(&c, 1, "same", 80);
	add(&c, 1, "less", 10);
	add(&c, 1, "new", 6);
	return c;
}

/* What has no pair is not compared: it comes last. */
TEST(compare_puts_the_largest_difference_first)
{
	struct compare c = made(&(struct compare_want){ .how = COMPARE_DELTA_ABS, .by = 1 });

	shows(&c, "more less new  same gone ");
	CHECK(compare_delta(&c, names_find(&c.keys, "more", 5), 1) == 45);
	compare_deinit(&c);
	c = made(&(struct compare_want){ .how = COMPARE_DELTA, .by = 1 });
	shows(&c, "more new  same less gone ");
	compare_deinit(&c);
}

TEST(compare_puts_what_has_no_ratio_behind_what_has_one)
{
	struct compare c = made(&(struct compare_want){ .how = COMPARE_RATIO, .by = 1 });

	shows(&c, "more same less new  gone ");
	CHECK(compare_ratio(&c, names_find(&c.keys, "less", 5), 1) == 0.25);
	compare_deinit(&c);
	c = made(&(struct compare_want){ .how = COMPARE_WDIFF, .w_old = 3, .w_new = 1, .by = 1 });
	shows(&c, "more same less new  gone ");
	CHECK_EQ(compare_wdiff(&c, names_find(&c.keys, "same", 5), 1), -40);
	compare_deinit(&c);
}

TEST(compare_goes_by_the_baseline_where_that_is_asked_for)
{
	struct compare c = made(&(struct compare_want){ .how = COMPARE_DELTA });

	shows(&c, "same less gone more new  ");
	compare_deinit(&c);
	c = made(&(struct compare_want){ .how = COMPARE_DELTA, .common = true });
	shows(&c, "same less more ");
	compare_deinit(&c);
}

/* Neither overflow nor a total of 0 is undefined. */
TEST(compare_stays_within_its_numbers)
{
	struct compare_want w = { .how = COMPARE_WDIFF, .w_old = INT64_MIN, .w_new = INT64_MAX };
	struct compare c;

	compare_init(&c, 2, &w);
	add(&c, 0, "a", UINT64_MAX);
	add(&c, 1, "a", UINT64_MAX);
	CHECK_EQ(compare_wdiff(&c, 0, 1), INT64_MAX);
	c.total[0] = c.total[1] = 0;
	CHECK(compare_delta(&c, 0, 1) == 0);
	shows(&c, "a ");
	compare_deinit(&c);
}
