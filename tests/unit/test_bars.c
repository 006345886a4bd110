/* Bars of a chart: all as they came while there is room, and fewer, longer ones where there is none. */
#include "analyse/bars.h"
#include "t.h"

static void add(struct bars *b, uint32_t row, uint64_t start, uint64_t length, uint32_t of)
{
	struct bar one = { .start = start, .end = start + length, .sum = length, .of = of, .n = 1 };

	CHECK(!bars_add(b, row, &one));
}

TEST(bars_stay_as_they_came)
{
	struct bars b;

	bars_init(&b, 100);
	add(&b, 2, 10, 5, 1);
	add(&b, 2, 20, 5, 1);
	CHECK_EQ(b.rows.v[2].v.n, 2);
	CHECK_EQ(b.gap, 0);
	CHECK_EQ(bars_last(&b, 2)->start, 20);
	CHECK(!bars_last(&b, 1));
	CHECK(!bars_last(&b, 7));
	bars_deinit(&b);
}

/* A million in memory for a few hundred, and nothing of them is lost: neither how many, nor how long. */
TEST(bars_that_are_too_many_become_one)
{
	enum { MOST = 400, ROWS = 4, EACH = 50000 };
	uint64_t n = 0, sum = 0, time = 1000;
	struct bars b;
	size_t most = 0;

	bars_init(&b, MOST);
	for (unsigned i = 0; i < EACH; i++)
		for (unsigned row = 0; row < ROWS; row++) {
			add(&b, row, time, 7, i % 3);
			time += 10;
			most = MAX(most, b.n);
		}
	CHECK(most <= MOST);
	for (size_t row = 0; row < b.rows.n; row++)
		for (size_t i = 0; i < b.rows.v[row].v.n; i++) {
			const struct bar *v = &b.rows.v[row].v.v[i];

			n += v->n;
			sum += v->sum;
			CHECK(v->end - v->start >= v->sum);
			CHECK(!i || v->start >= v[-1].start);
		}
	CHECK_EQ(n, (uint64_t)EACH * ROWS);
	CHECK_EQ(sum, UINT64_C(7) * EACH * ROWS);
	bars_deinit(&b);
}

TEST(bars_of_other_kinds_stay_apart)
{
	struct bars b;

	bars_init(&b, 8);
	for (unsigned i = 0; i < 100; i++)
		CHECK(!bars_add(&b, 0, &(struct bar){ .start = i, .end = i + 1, .sum = 1, .kind = i % 2, .n = 1 }));
	for (size_t i = 0; i < b.rows.v[0].v.n; i++)
		CHECK(b.rows.v[0].v.v[i].kind < 2);
	CHECK(b.n >= 2 && b.n <= 8);
	bars_deinit(&b);
}

/* More rows than bars that were asked for: one of each is kept, and adding goes on without looking at all each time. */
TEST(bars_of_many_rows_are_one_each)
{
	struct bars b;

	bars_init(&b, 16);
	for (unsigned i = 0; i < 100000; i++)
		add(&b, i % 1000, (uint64_t)i * UINT64_C(100000000000000), 5, i);
	CHECK(b.n >= 1000 && b.n <= 4000);
	bars_deinit(&b);
}

TEST(bars_that_end_before_they_begin_are_empty)
{
	struct bars b;

	bars_init(&b, 4);
	for (unsigned i = 0; i < 20; i++)
		CHECK(!bars_add(&b, 0, &(struct bar){ .start = UINT64_MAX, .end = i % 2 ? 0 : UINT64_MAX, .n = 1 }));
	for (size_t i = 0; i < b.rows.v[0].v.n; i++)
		CHECK(b.rows.v[0].v.v[i].start <= b.rows.v[0].v.v[i].end);
	bars_deinit(&b);
}
