/* How many tasks run, by their switches. */
#include "t.h"

#include "analyse/running.h"

TEST(running_counts_those_between_their_switches)
{
	struct running r = { 0 };

	CHECK_EQ(running_count(&r), 1);
	running_comes(&r, 0, 10);
	running_comes(&r, 1, 11);
	running_comes(&r, 2, 12);
	CHECK_EQ(running_count(&r), 3);
	running_goes(&r, 1, 11);
	CHECK_EQ(running_count(&r), 2);
	running_goes(&r, 1, 11);
	CHECK_EQ(running_count(&r), 2);
	running_comes(&r, 2, 0);
	CHECK_EQ(running_count(&r), 1);
	running_deinit(&r);
}

/* Of one that was there before the first switch, one that came to another CPU, and one whose going was lost. */
TEST(running_puts_itself_right)
{
	struct running r = { 0 };

	running_comes(&r, 0, 10);
	running_comes(&r, 0, 10);
	CHECK_EQ(running_count(&r), 1);
	running_comes(&r, 0, 11);
	CHECK_EQ(running_count(&r), 1);
	running_comes(&r, RUNNING_NO_CPU, 12);
	running_comes(&r, UINT32_MAX - 1, 13);
	CHECK_EQ(running_count(&r), 3);
	running_goes(&r, RUNNING_NO_CPU, 12);
	running_goes(&r, 7, 13);
	running_goes(&r, 0, 99);
	CHECK_EQ(running_count(&r), 1);
	running_deinit(&r);
}

/* It went from one CPU to another, whose record comes before that of its going. */
TEST(running_moves_with_a_task)
{
	struct running r = { 0 };

	running_comes(&r, 0, 10);
	running_comes(&r, 1, 10);
	CHECK_EQ(running_count(&r), 1);
	running_comes(&r, 0, 11);
	running_comes(&r, 1, 10);
	CHECK_EQ(running_count(&r), 2);
	running_deinit(&r);
}
