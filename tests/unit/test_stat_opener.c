/* test_stat_opener.c - what the opener answers to each refusal. */
#include "live/opener.h"
#include "stat_fake.h"
#include "t.h"

static const struct opener_want any = { .pid = 7, .cpu = -1, .group = -1 };
static const struct opener_want may_drop = { .pid = 7, .cpu = -1, .group = -1, .may_drop_kernel = true };

static struct perf_attr newest(void)
{
	return (struct perf_attr){
		.size = sizeof(struct perf_attr),
		.read_format = PERF_FORMAT_ENABLED | PERF_FORMAT_LOST,
		.flags = PERF_ATTR_INHERIT | PERF_ATTR_BUILD_ID | PERF_ATTR_KSYMBOL | PERF_ATTR_EXCLUDE_GUEST,
	};
}

TEST(opener_drops_the_newest_bits_first_and_remembers)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest(), b = newest();

	fake_init(&f);
	f.bad_read = PERF_FORMAT_LOST;
	f.bad_flags = PERF_ATTR_BUILD_ID;
	opener_init(&o, &f.sys);
	CHECK_EQ(opener_open(&o, &a, &any), FAKE_FD);
	CHECK_EQ(a.flags, PERF_ATTR_INHERIT | PERF_ATTR_KSYMBOL | PERF_ATTR_EXCLUDE_GUEST);
	CHECK_EQ(a.read_format, PERF_FORMAT_ENABLED);
	CHECK_EQ(f.tries, 3);
	CHECK_EQ(opener_open(&o, &b, &any), FAKE_FD + 1);
	CHECK_EQ(f.tries, 4);
	CHECK_EQ(b.flags, a.flags);
}

TEST(opener_forgets_what_a_failed_open_tried)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest(), b = newest();

	fake_init(&f);
	f.bad_flags = PERF_ATTR_INHERIT;
	opener_init(&o, &f.sys);
	CHECK_EQ(opener_open(&o, &a, &any), -EINVAL);
	CHECK_EQ(a.flags, newest().flags);
	f.bad_flags = 0;
	CHECK(opener_open(&o, &b, &any) >= 0);
	CHECK_EQ(b.flags, newest().flags);
	CHECK_EQ(b.read_format, newest().read_format);
}

TEST(opener_what_a_pmu_refuses_is_tried_again_with_the_next)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest(), b = newest();

	fake_init(&f);
	f.bad_flags = PERF_ATTR_EXCLUDE_GUEST;
	opener_init(&o, &f.sys);
	CHECK(opener_open(&o, &a, &any) >= 0);
	f.bad_flags = 0;
	CHECK(opener_open(&o, &b, &any) >= 0);
	CHECK_EQ(b.flags, newest().flags);
	CHECK_EQ(b.read_format, newest().read_format);
}

TEST(opener_shrinks_an_attr_with_a_zero_tail)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest(), b = newest();

	fake_init(&f);
	f.max_size = PERF_ATTR_VER5;
	opener_init(&o, &f.sys);
	CHECK(opener_open(&o, &a, &any) >= 0);
	CHECK_EQ(a.size, PERF_ATTR_VER5);
	CHECK(opener_open(&o, &b, &any) >= 0);
	CHECK_EQ(f.tries, 3);
}

TEST(opener_does_not_cut_off_what_was_asked)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest();

	fake_init(&f);
	f.max_size = PERF_ATTR_VER5;
	a.config3 = 1;
	opener_init(&o, &f.sys);
	CHECK_EQ(opener_open(&o, &a, &any), -E2BIG);
	CHECK_EQ(f.tries, 1);
}

TEST(opener_leaves_the_kernel_out_when_it_may)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest(), b = newest(), c = newest();

	fake_init(&f);
	f.no_kernel = true;
	opener_init(&o, &f.sys);
	CHECK_EQ(opener_open(&o, &a, &any), -EACCES);
	CHECK(!o.user_only);
	CHECK(opener_open(&o, &b, &may_drop) >= 0);
	CHECK(b.flags & PERF_ATTR_EXCLUDE_KERNEL);
	CHECK(o.user_only);
	f.tries = 0;
	CHECK(opener_open(&o, &c, &may_drop) >= 0);
	CHECK_EQ(f.tries, 1);
}

TEST(opener_never_turns_kernel_only_into_nothing)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest();

	fake_init(&f);
	f.no_kernel = true;
	a.flags |= PERF_ATTR_EXCLUDE_USER;
	opener_init(&o, &f.sys);
	CHECK_EQ(opener_open(&o, &a, &may_drop), -EACCES);
}

TEST(opener_raises_the_descriptor_limit_once)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest();

	fake_init(&f);
	f.fds_left = 0;
	opener_init(&o, &f.sys);
	CHECK(opener_open(&o, &a, &any) >= 0);
	CHECK_EQ(f.raises, 1);
	f.fds_left = 0;
	CHECK_EQ(opener_open(&o, &a, &any), -EMFILE);
	CHECK_EQ(f.raises, 1);
}

TEST(opener_reports_a_task_that_is_gone)
{
	struct fake f;
	struct opener o;
	struct perf_attr a = newest();

	fake_init(&f);
	f.dead_tid = 7;
	opener_init(&o, &f.sys);
	CHECK_EQ(opener_open(&o, &a, &any), -ESRCH);
	CHECK_EQ(f.tries, 1);
}
