/* What tasks did, as steps that can be done again. */
#include "analyse/replay.h"
#include "t.h"

#include <string.h>

enum { MS = 1000000 };

static uint32_t task(struct replay *r, uint32_t tid)
{
	int i = replay_task(r, tid, "task");

	CHECK(i >= 0);
	return (uint32_t)i;
}

/* 1 runs 5 ms, sleeps; 2 runs 3 ms, wakes 1, runs 2 ms more. */
TEST(replay_links_a_sleep_with_its_wakeup)
{
	struct replay r = { 0 };
	const struct replay_step *s;

	CHECK(!replay_switch(&r, 10 * MS, 0, task(&r, 0)));
	CHECK(!replay_switch(&r, 15 * MS, 0, task(&r, 1)));
	CHECK(!replay_switch(&r, 18 * MS, 0, task(&r, 2)));
	CHECK(!replay_wakeup(&r, task(&r, 2), task(&r, 1)));
	CHECK(!replay_switch(&r, 20 * MS, 0, task(&r, 2)));
	s = r.tasks.v[task(&r, 1)].steps.v;
	CHECK_EQ(r.tasks.v[task(&r, 1)].steps.n, 3);
	CHECK_EQ(s[0].what, REPLAY_SLEEP);
	CHECK_EQ(s[0].link, 0);
	CHECK_EQ(s[1].ns, 5 * MS);
	CHECK_EQ(s[2].link, 1);
	s = r.tasks.v[task(&r, 2)].steps.v;
	CHECK_EQ(s[1].ns, 3 * MS);
	CHECK_EQ(s[3].what, REPLAY_WAKE);
	CHECK_EQ(s[3].link, 1);
	CHECK_EQ(s[4].ns, 2 * MS);
	CHECK_EQ(r.wakeups, 1);
	CHECK_EQ(r.runs, 4);
	replay_deinit(&r);
}

/* Who is not asleep, or is woken already, is woken by nobody; nobody wakes itself. */
TEST(replay_has_one_wakeup_for_a_sleep)
{
	struct replay r = { 0 };
	uint32_t a = task(&r, 1), b = task(&r, 2);

	CHECK(!replay_wakeup(&r, a, b));
	CHECK(!replay_wakeup(&r, a, b));
	CHECK(!replay_wakeup(&r, a, a));
	CHECK(!replay_wakeup(&r, b, a));
	CHECK_EQ(r.wakeups, 1);
	CHECK_EQ(r.multitarget, 1);
	CHECK_EQ(r.targetless, 2);
	replay_deinit(&r);
}

/* The idle task has no time of its own: what it did lasts until then. */
TEST(replay_waits_where_cpus_were_idle)
{
	struct replay r = { 0 };

	CHECK(!replay_switch(&r, 10 * MS, 0, task(&r, 1)));
	CHECK(!replay_switch(&r, 40 * MS, 0, task(&r, 0)));
	CHECK_EQ(r.tasks.v[task(&r, 0)].steps.v[1].ns, 30 * MS);
	replay_deinit(&r);
}

TEST(replay_of_a_clock_that_goes_back_runs_for_no_time)
{
	struct replay r = { 0 };

	CHECK(!replay_switch(&r, 10 * MS, 0, task(&r, 1)));
	CHECK(!replay_switch(&r, 5 * MS, 0, task(&r, 2)));
	CHECK_EQ(r.tasks.v[task(&r, 2)].steps.v[1].ns, 0);
	CHECK(!replay_switch(&r, 5, UINT32_MAX, task(&r, 2)));
	replay_deinit(&r);
}

TEST(replay_is_bounded)
{
	struct replay r = { 0 };
	int last = 0;

	for (uint32_t i = 0; i < 1000000 && last >= 0; i++)
		last = replay_task(&r, i, i % 2 ? "odd" : "even");
	CHECK_EQ(last, -ENOSPC);
	CHECK_EQ(r.tasks.n, REPLAY_TASKS);
	CHECK(r.full);
	last = 0;
	for (uint32_t i = 0; i <= REPLAY_STEPS && !last; i++)
		last = replay_wakeup(&r, i % 3, 5);
	CHECK_EQ(last, -ENOSPC);
	CHECK_EQ(r.steps, REPLAY_STEPS);
	replay_deinit(&r);
}

/* What would be a circle: each is said to wake the other while both sleep. One of the two wake-ups ends no sleep. */
TEST(replay_has_no_circles)
{
	struct replay r = { 0 };
	uint32_t a = task(&r, 1), b = task(&r, 2);

	CHECK(!replay_switch(&r, 10 * MS, 0, a));
	CHECK(!replay_switch(&r, 20 * MS, 1, b));
	CHECK(!replay_wakeup(&r, a, b));
	CHECK(!replay_wakeup(&r, b, a));
	CHECK_EQ(r.wakeups, 1);
	CHECK_EQ(r.targetless, 1);
	replay_deinit(&r);
}
