/* test_lock_owners.c - who had the lock, by the event of a wait that begins. */
#include "lock/lock.h"
#include "lock/owners.h"

#include "bpf_ring_fake.h"

static struct owners o;

static ssize_t another_namespace(const struct sys *s UNUSED, const char *path UNUSED, char *buf, size_t n)
{
	return snprintf(buf, n, "pid:[1]");
}

static void set_up(void)
{
	static const struct sys sys = { .readlink = another_namespace };
	const struct lockowner_want w = { .sys = &sys };

	memset(&o, 0, sizeof(o));
	memset(&ring, 0, sizeof(ring));
	CHECK_EQ(owners_open(&o, &w, NULL), -EOPNOTSUPP);
	o.program = (struct lockowner){ .sys = &ring_sys, .kernel = { .locks = { { .flags = LOCK_MUTEX } }, .n = 1 } };
	CHECK_EQ(bpf_ring_init(&o.program.ring, &ring_sys, 3, RING_BYTES), 0);
}

static void end(void)
{
	bpf_ring_deinit(&o.program.ring, &ring_sys);
	owners_close(&o);
}

static void put(uint32_t tid, uint64_t lock, uint64_t time, uint32_t owner)
{
	const struct lockowner_rec rec = {
		.tid = tid, .lock = lock, .time = time, .owner = owner, .state = LOCKOWNER_TASK,
	};

	write_ring(0, &rec, sizeof(rec));
}

/* The row of the owner; OWNERS_UNREAD: nothing is known. */
static uint32_t take(uint32_t tid, uint64_t lock, uint64_t time)
{
	const struct contention_event ev = { .tid = tid, .lock = lock, .time = time };

	return owners_row(&o, owners_take(&o, &ev, OWNERS_FRESH), LOCK_MUTEX);
}

TEST(lock_owners_are_those_of_task_and_lock_before_the_event)
{
	set_up();
	put(5, 100, 1000, 50);
	put(6, 100, 1001, 60);
	put(5, 100, 2000, 51);
	put(5 + OWNERS_BUCKETS, 100, 2001, 52);
	CHECK_EQ(take(5, 100, 1005), 50);
	CHECK_EQ(take(5, 100, 1999), OWNERS_UNREAD);
	CHECK_EQ(take(5 + OWNERS_BUCKETS, 100, 2002), 52);
	CHECK_EQ(take(5, 100, 2000), 51);
	CHECK_EQ(take(6, 100, 3000), 60);
	end();
}

/* Its event was lost: it is nobody else's. */
TEST(lock_owners_of_other_waits_are_of_no_use)
{
	const struct contention_event over = { .tid = 5, .lock = 100, .time = 1500 };

	set_up();
	put(5, 100, 1000, 50);
	CHECK(owners_take(&o, &over, OWNERS_ANY));
	CHECK_EQ(take(5, 100, 1600), OWNERS_UNREAD);
	/* Another lock's wait within this one. */
	put(5, 100, 1700, 50);
	CHECK_EQ(take(5, 200, 1701), OWNERS_UNREAD);
	CHECK_EQ(take(5, 100, 1702), 50);
	/* The latest counts. */
	put(5, 100, 1800, 50);
	put(5, 100, 1900, 51);
	CHECK_EQ(take(5, 100, 1901), 51);
	end();
}

/* The program ran behind the event: what it read is there when the wait ends, however long it was. */
TEST(lock_owners_of_events_that_came_first)
{
	struct contention_event ev = { .tid = 5, .lock = 100, .time = 1000 };
	const struct lockowner_rec *rec;

	set_up();
	put(5, 100, 900, 50);
	put(5, 100, 1001, 51);
	ev.time = UINT64_C(20000000);
	rec = owners_take(&o, &ev, OWNERS_ANY);
	CHECK(rec && rec->owner == 51);
	/* Where one begins it is of another wait. */
	put(5, 100, 1002, 51);
	CHECK_EQ(take(5, 100, UINT64_C(20000000)), OWNERS_UNREAD);
	end();
}

TEST(lock_owners_that_nobody_asks_for_give_way)
{
	const struct contention_event none = { .tid = 1 };

	set_up();
	for (uint32_t i = 0; i < OWNERS_KEPT + 10; i++) {
		put(5 + i % 3, 100, 1000 + i, i);
		/* The ring of the test is small. */
		if (i % 100 == 0)
			owners_take(&o, &none, OWNERS_ANY);
	}
	CHECK_EQ(take(5, 100, 1009), OWNERS_UNREAD);
	CHECK_EQ(take(5, 100, 1012), 12);
	CHECK_EQ(take(6, 100, 1000 + OWNERS_KEPT), OWNERS_KEPT);
	CHECK_EQ(take(7, 100, 1000000), OWNERS_KEPT + 7);
	end();
}

TEST(lock_owners_of_cpus_that_are_asked_for)
{
	struct lockowner_rec rec = { .tid = 5, .lock = 100, .time = 1000, .owner = 50, .state = LOCKOWNER_TASK };
	struct cpus cpus = { 0 };

	set_up();
	cpus_set(&cpus, 1);
	o.cpus = &cpus;
	write_ring(0, &rec, sizeof(rec));
	CHECK_EQ(take(5, 100, 1001), OWNERS_UNREAD);
	rec.cpu = 1;
	write_ring(0, &rec, sizeof(rec));
	CHECK_EQ(take(5, 100, 1001), 50);
	end();
}

/* The record, and its stack behind it. */
static uint32_t take_stack(int64_t bytes, uint64_t place)
{
	const struct contention_event ev = { .tid = 5, .lock = 100, .time = 1001 };
	struct { struct lockowner_rec rec; uint64_t ips[2]; } w = {
		{ .tid = 5, .lock = 100, .time = 1000, .state = LOCKOWNER_TASK, .stack = bytes }, { place, 8 },
	};

	write_ring(0, &w, sizeof(w));
	CHECK(owners_take(&o, &ev, OWNERS_FRESH));
	return o.found_stack;
}

TEST(lock_owners_have_stacks_which_are_kept_once)
{
	uint32_t first;

	set_up();
	o.program.kernel.depth = 2;
	first = take_stack(16, 7);
	CHECK_EQ(o.stacks.list.v[first].len, 16);
	CHECK_EQ(take_stack(16, 7), first);
	CHECK(take_stack(16, 9) != first);
	CHECK(take_stack(8, 7) != first);
	CHECK_EQ(take_stack(0, 7), OWNERS_NO_STACK);
	CHECK_EQ(take_stack(-EFAULT, 7), OWNERS_NO_STACK);
	CHECK_EQ(take_stack(LOCKOWNER_RUNS, 7), OWNERS_RUNS);
	/* No more of them than there is room for, which is told. */
	for (uint64_t i = 0; o.stacks.list.n < OWNERS_STACKS; i++)
		take_stack(16, 1000 + i);
	CHECK_EQ(o.stacks_left_out, 0);
	CHECK_EQ(take_stack(16, 1), OWNERS_NO_STACK);
	CHECK_EQ(o.stacks_left_out, 1);
	CHECK_EQ(take_stack(16, 7), first);
	end();
}

TEST(lock_rows_are_folded_by_owner_and_by_stack)
{
	const struct lock_row v[] = {
		{ .at = 5, .stack = 1, .name = 1, .acquired = 1, .contended = 2, .total = 10, .min = 10, .max = 10 },
		{ .at = 5, .name = 2, .acquired = 1, .contended = 1, .total = 4, .min = 4, .max = 4, .avg = 4 },
		{ .at = 6, .stack = 1, .name = 1, .acquired = 2, .contended = 2, .total = 20, .min = 5, .max = 15 },
		{ .at = 7, .name = 3, .min = UINT64_MAX },
	};
	size_t n;
	struct lock_row *to = lock_folded(v, ARRAY_SIZE(v), LOCK_FOLD_OWNER, &n);

	CHECK_EQ(n, 3);
	CHECK_EQ(to[0].total, 14);
	CHECK_EQ(to[0].contended, 3);
	CHECK_EQ(to[0].min, 4);
	CHECK_EQ(to[0].avg, 7);
	free(to);
	to = lock_folded(v, ARRAY_SIZE(v), LOCK_FOLD_STACK, &n);
	CHECK_EQ(n, 3);
	CHECK_EQ(to[0].total, 30);
	CHECK_EQ(to[0].avg, 10);
	CHECK_EQ(to[0].max, 15);
	CHECK_EQ(to[1].total, 4);
	CHECK_EQ(to[2].name, 3);
	free(to);
}

TEST(lock_owners_that_are_no_tasks)
{
	struct lockowner_rec rec = { .state = LOCKOWNER_READERS, .owner = 7 };

	set_up();
	CHECK_EQ(owners_row(&o, &rec, LOCK_WRITE), OWNERS_READERS);
	rec.state = LOCKOWNER_NOBODY;
	CHECK_EQ(owners_row(&o, &rec, LOCK_WRITE), OWNERS_UNKNOWN);
	CHECK_EQ(owners_row(&o, NULL, LOCK_SPIN), OWNERS_UNKNOWN);
	CHECK_EQ(owners_row(&o, NULL, LOCK_MUTEX), OWNERS_UNREAD);
	rec.state = LOCKOWNER_UNREAD;
	CHECK_EQ(owners_row(&o, &rec, LOCK_MUTEX), OWNERS_UNREAD);
	rec.state = 99;
	CHECK_EQ(owners_row(&o, &rec, LOCK_MUTEX), OWNERS_UNREAD);
	end();
}
