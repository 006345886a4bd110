/* test_lock_waits.c - waits for locks, and steps of tasks with them. */
#include "analyse/contention.h"
#include "analyse/lockseq.h"
#include "t.h"

static struct contention_event at(uint32_t tid, uint64_t lock, uint64_t time, uint32_t cpu)
{
	return (struct contention_event){ .tid = tid, .lock = lock, .time = time, .cpu = cpu };
}

static void begin(struct contention *c, uint32_t tid, uint64_t lock, uint64_t time, uint32_t row)
{
	struct contention_event ev = at(tid, lock, time, 0);

	while (c->rows.n <= row)
		CHECK_EQ(contention_add_row(c), 0);
	CHECK_EQ(contention_begin(c, &ev, row), 0);
}

static void end(struct contention *c, uint32_t tid, uint64_t lock, uint64_t time)
{
	struct contention_event ev = at(tid, lock, time, 0);

	contention_end(c, &ev);
}

TEST(lock_waits_are_from_begin_to_end_of_task_and_lock)
{
	struct contention c;

	contention_init(&c);
	begin(&c, 5, 100, 1000, 0);
	/* An interrupt of the same task waits for another one. */
	begin(&c, 5, 200, 1100, 1);
	end(&c, 5, 200, 1150);
	/* A mutex that spun goes to sleep: the wait goes on. */
	begin(&c, 5, 100, 1200, 1);
	end(&c, 5, 100, 1500);
	end(&c, 6, 100, 1600);
	CHECK_EQ(c.rows.v[0].begun, 1);
	CHECK_EQ(c.rows.v[0].total, 500);
	CHECK_EQ(c.rows.v[1].total, 50);
	CHECK_EQ(c.rows.v[1].begun, 1);
	CHECK_EQ(c.strays, 1);
	contention_deinit(&c);
}

TEST(lock_waits_can_be_moved_while_they_last)
{
	struct contention_event ev = at(5, 100, 1000, 0), other = at(5, 200, 1000, 0);
	struct contention c;

	contention_init(&c);
	begin(&c, 5, 100, 1000, 0);
	begin(&c, 6, 100, 1000, 1);
	contention_move(&c, &other, 1);
	CHECK_EQ(c.rows.v[0].begun, 1);
	CHECK_EQ(contention_row(&c, &ev), 0);
	CHECK_EQ(contention_row(&c, &other), CONTENTION_NONE);
	contention_move(&c, &ev, 1);
	CHECK_EQ(contention_row(&c, &ev), 1);
	CHECK_EQ(c.rows.v[0].begun, 0);
	CHECK_EQ(c.rows.v[1].begun, 2);
	end(&c, 5, 100, 1300);
	CHECK_EQ(c.rows.v[0].ended, 0);
	CHECK_EQ(c.rows.v[1].total, 300);
	contention_move(&c, &ev, 0);
	contention_forget(&c);
	ev.tid = 6;
	contention_move(&c, &ev, 0);
	CHECK_EQ(c.rows.v[1].begun, 0);
	CHECK_EQ(contention_row(&c, &ev), 0);
	CHECK_EQ(contention_lose(&c, 0), 0);
	CHECK_EQ(contention_row(&c, &ev), CONTENTION_NONE);
	contention_deinit(&c);
}

TEST(lock_waits_of_idle_tasks_are_those_of_their_cpus)
{
	struct contention_event a = at(0, 100, 1000, 0), b = at(0, 100, 1010, 1);
	struct contention c;

	contention_init(&c);
	CHECK_EQ(contention_add_row(&c), 0);
	CHECK_EQ(contention_begin(&c, &a, 0), 0);
	CHECK_EQ(contention_begin(&c, &b, 0), 0);
	a.time = b.time = 1100;
	contention_end(&c, &a);
	contention_end(&c, &b);
	CHECK_EQ(c.rows.v[0].ended, 2);
	CHECK_EQ(c.rows.v[0].total, 190);
	contention_deinit(&c);
}

TEST(lock_waits_across_a_loss_are_left_out)
{
	struct contention c;

	contention_init(&c);
	begin(&c, 5, 100, 1000, 0);
	CHECK_EQ(contention_lose(&c, 0), 0);
	end(&c, 5, 100, 1500);
	CHECK_EQ(c.discarded, 1);
	CHECK_EQ(c.rows.v[0].total, 0);
	begin(&c, 5, 100, 2000, 0);
	CHECK_EQ(contention_lose(&c, UINT32_MAX), 0);
	/* Its end was lost, and this is the next one. */
	begin(&c, 5, 100, 3000, 0);
	end(&c, 5, 100, 3100);
	CHECK_EQ(c.discarded, 2);
	CHECK_EQ(c.rows.v[0].total, 100);
	contention_deinit(&c);
}

static void step(struct lockseq *s, enum lockseq_step what, uint64_t time, uint32_t flags)
{
	struct contention_event ev = at(5, 100, time, 0);

	if (!s->rows.n)
		CHECK_EQ(lockseq_add_row(s), 0);
	CHECK_EQ(lockseq_step(s, what, &ev, flags, 0), 0);
}

TEST(lock_steps_wait_from_contended_to_acquired)
{
	struct lockseq s;

	lockseq_init(&s);
	step(&s, LOCKSEQ_ACQUIRE, 10, 0);
	step(&s, LOCKSEQ_CONTENDED, 20, 0);
	step(&s, LOCKSEQ_ACQUIRED, 70, 0);
	step(&s, LOCKSEQ_RELEASE, 80, 0);
	step(&s, LOCKSEQ_ACQUIRE, 90, 0);
	step(&s, LOCKSEQ_ACQUIRED, 91, 0);
	step(&s, LOCKSEQ_RELEASE, 92, 0);
	CHECK_EQ(s.rows.v[0].acquired, 2);
	CHECK_EQ(s.rows.v[0].wait.begun, 1);
	CHECK_EQ(s.rows.v[0].wait.total, 50);
	CHECK(!s.rows.v[0].broken);
	lockseq_deinit(&s);
}

TEST(lock_steps_of_readers_are_counted_each)
{
	struct lockseq s;

	lockseq_init(&s);
	step(&s, LOCKSEQ_ACQUIRE, 10, LOCKSEQ_READ);
	step(&s, LOCKSEQ_ACQUIRE, 11, LOCKSEQ_READ);
	step(&s, LOCKSEQ_RELEASE, 12, 0);
	step(&s, LOCKSEQ_RELEASE, 13, 0);
	CHECK_EQ(s.rows.v[0].acquired, 2);
	/* It is free again: a writer may come. */
	step(&s, LOCKSEQ_ACQUIRE, 14, 0);
	CHECK(!s.rows.v[0].broken);
	lockseq_deinit(&s);
}

TEST(lock_steps_that_do_not_follow_are_told)
{
	struct lockseq s;

	lockseq_init(&s);
	step(&s, LOCKSEQ_RELEASE, 5, 0);
	CHECK(!s.rows.v[0].broken);
	step(&s, LOCKSEQ_ACQUIRE, 10, 0);
	step(&s, LOCKSEQ_ACQUIRE, 11, 0);
	CHECK(s.rows.v[0].broken);
	CHECK_EQ(s.broken[LOCKSEQ_ACQUIRE], 1);
	/* The sequence is over: the next one is whole. */
	step(&s, LOCKSEQ_ACQUIRE, 12, 0);
	step(&s, LOCKSEQ_ACQUIRED, 13, 0);
	CHECK_EQ(s.rows.v[0].acquired, 1);
	lockseq_deinit(&s);
}
