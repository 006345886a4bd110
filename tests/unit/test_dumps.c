/* Rounds of revalidators. */
#include "analyse/dumps.h"
#include "t.h"

TEST(dumps_from_one_to_the_next)
{
	struct dumps d = { 0 };
	const struct flow_dump *v;

	CHECK_EQ(dumps_begin(&d, 7, 1000, 12), 0);
	dumps_name(&d, 7, 0xabc);
	CHECK_EQ(dumps_join(&d, 7, 0xabc), 0);
	CHECK_EQ(dumps_join(&d, 8, 0xabc), 0);
	dumps_count(&d, dumps_of(&d, 7), DUMPS_DUMPED, 5);
	dumps_count(&d, dumps_of(&d, 8), DUMPS_DUMPED, 7);
	dumps_count(&d, 0xabc, DUMPS_CHECKED, 1);
	/* What belongs to no dump, and what comes behind its end. */
	dumps_count(&d, dumps_of(&d, 9), DUMPS_DUMPED, 100);
	dumps_count(&d, 0xdef, DUMPS_CHANGED, 100);
	dumps_end(&d, 8, 1300, 500);
	dumps_end(&d, 7, 1400, 500);
	dumps_count(&d, 0xabc, DUMPS_CHECKED, 1);
	CHECK_EQ(d.done.n, 0);
	CHECK_EQ(dumps_begin(&d, 7, 2000, DUMPS_UNKNOWN), 0);
	CHECK_EQ(d.done.n, 1);
	v = &d.done.v[0];
	CHECK_EQ(v->ended - v->begun, 400);
	CHECK_EQ(v->wait, 600);
	CHECK_EQ(v->flows, 12);
	CHECK_EQ(v->asked, 500);
	CHECK_EQ(v->number[DUMPS_DUMPED], 12);
	CHECK_EQ(v->number[DUMPS_CHECKED], 1);
	CHECK_EQ(v->number[DUMPS_CHANGED], 0);
	/* The last one has no wait; one that goes on is none. */
	dumps_end(&d, 7, 2100, DUMPS_UNKNOWN);
	CHECK_EQ(dumps_begin(&d, 20, 2200, 1), 0);
	CHECK_EQ(dumps_finish(&d), 0);
	CHECK_EQ(d.done.n, 2);
	CHECK(d.done.v[1].wait == DUMPS_UNKNOWN && d.done.v[1].asked == DUMPS_UNKNOWN);
	dumps_deinit(&d);
}

TEST(dumps_of_which_something_is_lost)
{
	struct dumps d = { 0 };

	CHECK_EQ(dumps_begin(&d, 7, 1000, 1), 0);
	CHECK_EQ(dumps_join(&d, 7, 5), 0);
	dumps_break(&d);
	dumps_end(&d, 7, 1100, 1);
	CHECK_EQ(d.broken, 1);
	CHECK_EQ(dumps_of(&d, 7), 0);
	/* The end of one was not seen. */
	CHECK_EQ(dumps_begin(&d, 7, 2000, 1), 0);
	CHECK_EQ(dumps_begin(&d, 7, 3000, 1), 0);
	CHECK_EQ(d.broken, 2);
	CHECK_EQ(d.done.n, 0);
	/* Clocks that run backwards. */
	dumps_end(&d, 7, 2999, 1);
	CHECK_EQ(d.open[0].ended, 0);
	dumps_deinit(&d);
}

TEST(dumps_that_are_too_many)
{
	struct dumps d = { 0 };

	for (uint32_t i = 0; i < DUMPS_OPEN + 3; i++)
		CHECK_EQ(dumps_begin(&d, i, 10, 1), 0);
	CHECK_EQ(d.dropped, 3);
	for (uint32_t i = 0; i < DUMPS_THREADS + 2; i++)
		CHECK_EQ(dumps_join(&d, i, 10), 0);
	CHECK_EQ(d.dropped, 5);
	dumps_forget(&d);
	CHECK_EQ(d.dropped, 0);
	dumps_deinit(&d);
}
