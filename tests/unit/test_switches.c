/* test_switches.c - stays of tasks on CPUs, from switches and wake-ups. */
#include "analyse/switches.h"
#include "t.h"

enum { SLEEPS = 1, BLOCKED = 2, PREEMPTED = 0x100 };

/* "run wait delay" of the stay that ends here; "-": it is not shown. */
static const char *take(struct switches *s, uint64_t time, uint32_t cpu, uint32_t prev, uint32_t next, uint64_t state)
{
	static char text[80];
	struct switches_at at = { .time = time, .cpu = cpu, .prev = prev, .next = next, .state = state };
	struct switches_cpu *c = switches_cpu(s, cpu);
	uint32_t i = prev ? switches_task(s, prev) : 0;
	struct switches_task *t = prev ? &s->v.v[i] : &c->idle;
	uint64_t shown;

	if (!switches_take(s, c, t, &at, false, &shown))
		return "-";
	snprintf(text, sizeof(text), "%llu %llu %llu", (unsigned long long)t->now.run,
		 (unsigned long long)(t->now.sleep + t->now.iowait + t->now.preempt), (unsigned long long)t->now.delay);
	return text;
}

static struct switches_task *task(struct switches *s, uint32_t tid)
{
	return &s->v.v[switches_task(s, tid)];
}

TEST(switches_tell_run_wait_and_delay)
{
	struct switches s = { 0 };

	/* Nobody knows since when it ran. */
	CHECK_STR(take(&s, 100, 0, 5, 6, SLEEPS), "0 0 0");
	CHECK_STR(take(&s, 150, 0, 6, 0, SLEEPS), "50 0 0");
	switches_woken(&s, task(&s, 5), 170);
	switches_woken(&s, task(&s, 5), 180);
	CHECK_STR(take(&s, 200, 0, 0, 5, 0), "50 0 0");
	CHECK_STR(take(&s, 230, 0, 5, 0, SLEEPS), "30 100 30");
	CHECK_EQ(task(&s, 5)->sum.sleep, 100);
	CHECK_EQ(task(&s, 5)->runs.n, 2);
	CHECK_EQ(s.cpus.v[0].idle.sum.run, 50);
	CHECK_EQ(s.unknown, 0);
	switches_deinit(&s);
}

TEST(switches_tell_waits_by_state)
{
	struct switches s = { 0 };

	take(&s, 100, 0, 5, 6, BLOCKED);
	take(&s, 110, 0, 6, 5, PREEMPTED);
	/* Preempted: it could run from there on. */
	CHECK_STR(take(&s, 130, 0, 5, 6, 0), "20 10 0");
	CHECK_STR(take(&s, 160, 0, 6, 5, 0), "30 20 20");
	CHECK_EQ(task(&s, 5)->sum.iowait, 10);
	CHECK_EQ(task(&s, 6)->sum.preempt, 20);
	switches_deinit(&s);
}

TEST(switches_know_where_a_task_that_moves_has_waited)
{
	struct switches s = { 0 };

	take(&s, 100, 0, 5, 6, SLEEPS);
	take(&s, 100, 1, 7, 8, SLEEPS);
	switches_woken(&s, task(&s, 5), 120);
	switches_moved(&s, task(&s, 5), 150);
	take(&s, 170, 1, 8, 5, SLEEPS);
	CHECK_STR(take(&s, 200, 1, 5, 0, SLEEPS), "30 70 50");
	CHECK_EQ(task(&s, 5)->now.pre_move, 30);
	CHECK_EQ(task(&s, 5)->migrations, 1);
	switches_deinit(&s);
}

/* The switch from the idle task is missing: what the CPU did before is not the task's run time. */
TEST(switches_whose_beginning_is_missing_are_not_known)
{
	struct switches s = { 0 };

	take(&s, 100, 0, 5, 0, SLEEPS);
	CHECK_STR(take(&s, 900, 0, 5, 0, SLEEPS), "0 0 0");
	CHECK_EQ(s.unknown, 1);
	CHECK_EQ(s.cpus.v[0].idle.sum.run, 0);
	/* Unless the kernel has told what it ran. */
	task(&s, 5)->ran = 40;
	CHECK_STR(take(&s, 1000, 0, 5, 0, SLEEPS), "40 60 0");
	CHECK_EQ(s.told, 1);
	CHECK_EQ(s.cpus.v[0].idle.sum.run, 60);
	/* More than there was time for since the last switch: nobody knows. */
	task(&s, 5)->ran = 4000;
	CHECK_STR(take(&s, 1100, 0, 5, 0, SLEEPS), "0 0 0");
	CHECK_EQ(s.unknown, 2);
	switches_deinit(&s);
}

TEST(switches_over_a_loss_are_not_known)
{
	struct switches s = { 0 };

	take(&s, 100, 0, 5, 6, SLEEPS);
	take(&s, 100, 1, 7, 8, SLEEPS);
	switches_lose(&s, 0);
	CHECK_STR(take(&s, 200, 0, 6, 5, SLEEPS), "0 0 0");
	/* The other CPU's switches are all there, but 5 may have been anywhere. */
	CHECK_STR(take(&s, 200, 1, 8, 7, SLEEPS), "100 0 0");
	CHECK_STR(take(&s, 250, 0, 5, 6, SLEEPS), "50 0 0");
	switches_lose(&s, UINT32_MAX);
	CHECK_STR(take(&s, 300, 1, 7, 8, SLEEPS), "0 0 0");
	switches_deinit(&s);
}

TEST(switches_are_cut_to_the_times_that_count)
{
	struct switches s = { .want = { .from = 150, .to = 250 } };

	CHECK_STR(take(&s, 100, 0, 5, 6, SLEEPS), "-");
	CHECK_STR(take(&s, 200, 0, 6, 5, SLEEPS), "50 0 0");
	CHECK_STR(take(&s, 300, 0, 5, 6, SLEEPS), "50 100 0");
	CHECK_STR(take(&s, 400, 0, 6, 5, SLEEPS), "-");
	CHECK_EQ(s.first, 200);
	CHECK_EQ(s.last, 250);
	switches_deinit(&s);
}

TEST(switches_of_idle_times_count_for_who_went)
{
	struct switches s = { .want = { .idle = true } };

	take(&s, 100, 0, 5, 0, SLEEPS);
	switches_cpu(&s, 0)->idle.last = switches_task(&s, 5) + 1;
	CHECK_STR(take(&s, 160, 0, 0, 6, 0), "60 0 0");
	CHECK_EQ(task(&s, 5)->sum.run, 60);
	/* Once. */
	CHECK_STR(take(&s, 200, 0, 0, 6, 0), "-");
	switches_deinit(&s);
}

TEST(switches_states_are_the_kernels)
{
	static const struct { uint64_t state; char name; } v[] = {
		{ 0, 'R' }, { PREEMPTED, 'R' }, { 1, 'S' }, { 2, 'D' }, { 4, 'T' }, { 8, 't' }, { 16, 'X' },
		{ 32, 'Z' }, { 64, 'P' }, { 128, 'I' }, { 2 | PREEMPTED, 'D' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		CHECK_EQ(switches_state(v[i].state), v[i].name);
}

TEST(switches_of_cpus_that_cannot_be_are_refused)
{
	struct switches s = { 0 };

	CHECK(!switches_cpu(&s, CPUS_MAX));
	CHECK(!switches_cpu(&s, UINT32_MAX));
	CHECK(switches_cpu(&s, CPUS_MAX - 1));
	switches_deinit(&s);
}

TEST(switches_have_no_more_tasks_than_there_is_room_for)
{
	struct switches s = { 0 };

	for (uint32_t i = 1; i <= SWITCHES_TASKS; i++)
		CHECK_EQ(switches_task(&s, i), i - 1);
	CHECK_EQ(switches_task(&s, SWITCHES_TASKS + 1), SWITCHES_FULL);
	CHECK_EQ(s.dropped, 1);
	CHECK(switches_end_of(&s, 7) != NULL);
	CHECK(!switches_end_of(&s, 7));
	switches_deinit(&s);
}
