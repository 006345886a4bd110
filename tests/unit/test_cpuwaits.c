/* test_cpuwaits.c - how long tasks wait for a CPU, from what happens to them. */
#include "analyse/cpuwaits.h"
#include "t.h"

static const struct cpuwaits_task *task(const struct cpuwaits *d, uint32_t tid)
{
	const uint64_t *at = map_get(&d->of, tid);

	CHECK(at && *at);
	return &d->v.v[*at - 1];
}

TEST(cpuwaits_are_from_the_wake_up_to_the_cpu)
{
	struct cpuwaits d = { 0 };

	CHECK_EQ(cpuwaits_out(&d, 5, 100, false), 0);
	CHECK_EQ(cpuwaits_woken(&d, 5, 200), 0);
	/* Woken once more while it waits: the first one counts. */
	CHECK_EQ(cpuwaits_woken(&d, 5, 250), 0);
	CHECK_EQ(cpuwaits_in(&d, 5, 300), 0);
	CHECK_EQ(task(&d, 5)->n, 1);
	CHECK_EQ(task(&d, 5)->total, 100);
	CHECK_EQ(task(&d, 5)->max_from, 200);
	CHECK_EQ(task(&d, 5)->max_to, 300);
	CHECK_EQ(d.wakeups, 1);
	cpuwaits_deinit(&d);
}

TEST(cpuwaits_of_a_task_that_was_preempted_begin_there)
{
	struct cpuwaits d = { 0 };

	CHECK_EQ(cpuwaits_out(&d, 5, 100, true), 0);
	CHECK_EQ(cpuwaits_woken(&d, 5, 150), 0);
	CHECK_EQ(cpuwaits_in(&d, 5, 180), 0);
	CHECK_EQ(task(&d, 5)->total, 80);
	/* It runs: a wake-up says nothing. */
	CHECK_EQ(cpuwaits_woken(&d, 5, 190), 0);
	CHECK_EQ(cpuwaits_in(&d, 5, 200), 0);
	CHECK_EQ(task(&d, 5)->n, 1);
	cpuwaits_deinit(&d);
}

TEST(cpuwaits_of_a_sleeper_without_a_wake_up_are_none)
{
	struct cpuwaits d = { 0 };

	CHECK_EQ(cpuwaits_out(&d, 5, 100, false), 0);
	CHECK_EQ(cpuwaits_in(&d, 5, 300), 0);
	CHECK_EQ(task(&d, 5)->n, 0);
	/* Of one that comes for the first time it is known that it waits no longer. */
	CHECK_EQ(cpuwaits_in(&d, 6, 400), 0);
	CHECK_EQ(task(&d, 6)->n, 1);
	CHECK_EQ(task(&d, 6)->total, 0);
	cpuwaits_deinit(&d);
}

TEST(cpuwaits_over_a_loss_do_not_count)
{
	struct cpuwaits d = { 0 };

	CHECK_EQ(cpuwaits_out(&d, 5, 100, true), 0);
	cpuwaits_lose(&d);
	CHECK_EQ(cpuwaits_in(&d, 5, 900), 0);
	CHECK_EQ(task(&d, 5)->n, 0);
	CHECK_EQ(d.discarded, 1);
	/* Behind it nobody knows that it runs: a wake-up counts. */
	cpuwaits_lose(&d);
	CHECK_EQ(cpuwaits_woken(&d, 5, 1000), 0);
	CHECK_EQ(cpuwaits_in(&d, 5, 1010), 0);
	CHECK_EQ(task(&d, 5)->total, 10);
	cpuwaits_deinit(&d);
}

TEST(cpuwaits_the_idle_task_has_none)
{
	struct cpuwaits d = { 0 };

	CHECK_EQ(cpuwaits_out(&d, 0, 100, true), 0);
	CHECK_EQ(cpuwaits_in(&d, 0, 200), 0);
	CHECK_EQ(cpuwaits_woken(&d, 0, 200), 0);
	CHECK_EQ(d.v.n, 0);
	cpuwaits_deinit(&d);
}

TEST(cpuwaits_a_number_that_is_used_again_is_another_task)
{
	struct cpuwaits d = { 0 };

	CHECK_EQ(cpuwaits_ran(&d, 5, 100, 7), 0);
	CHECK_EQ(cpuwaits_end_of(&d, 5)->runtime, 7);
	CHECK(!cpuwaits_end_of(&d, 5));
	CHECK_EQ(cpuwaits_ran(&d, 5, 200, 1), 0);
	CHECK_EQ(d.v.n, 2);
	CHECK_EQ(task(&d, 5)->runtime, 1);
	cpuwaits_deinit(&d);
}

TEST(cpuwaits_forget_all_but_those_that_wait)
{
	struct cpuwaits d = { 0 };

	CHECK_EQ(cpuwaits_ran(&d, 4, 100, 7), 0);
	CHECK_EQ(cpuwaits_out(&d, 4, 100, false), 0);
	CHECK_EQ(cpuwaits_out(&d, 5, 100, true), 0);
	CHECK_EQ(cpuwaits_forget(&d), 0);
	CHECK_EQ(d.v.n, 1);
	CHECK_EQ(cpuwaits_in(&d, 5, 130), 0);
	CHECK_EQ(task(&d, 5)->total, 30);
	cpuwaits_deinit(&d);
}

/* Only one CPU's switches are seen: a task may have left another one meanwhile, and come from there. */
TEST(cpuwaits_of_one_cpu_begin_at_any_wake_up_and_move)
{
	struct cpuwaits d = { .one_cpu = true };

	CHECK_EQ(cpuwaits_in(&d, 5, 100), 0);
	CHECK_EQ(cpuwaits_woken(&d, 5, 500), 0);
	CHECK_EQ(cpuwaits_moved(&d, 5, 550), 0);
	CHECK_EQ(cpuwaits_in(&d, 5, 560), 0);
	CHECK_EQ(task(&d, 5)->total, 10);
	cpuwaits_deinit(&d);
}

TEST(cpuwaits_have_no_more_tasks_than_there_is_room_for)
{
	struct cpuwaits d = { 0 };

	for (uint32_t i = 1; i <= CPUWAITS_TASKS + 10; i++)
		CHECK_EQ(cpuwaits_ran(&d, i, 100, 1), 0);
	CHECK_EQ(d.v.n, CPUWAITS_TASKS);
	CHECK_EQ(d.dropped, 10);
	cpuwaits_deinit(&d);
}
