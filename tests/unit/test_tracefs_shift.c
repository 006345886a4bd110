/* tracefs/shift: times of a guest as those of its host. */
#include "tracefs/dat/shift.h"

#include "t.h"

#include "base/vec.h"

static uint64_t shifted(uint32_t flags, const struct tshift_sample *v, uint32_t n, uint64_t ts)
{
	struct tshift_sample copy[8];
	struct tshift_cpu c = { .v = copy, .n = n, .flags = flags };

	memcpy(copy, v, n * sizeof(*v));
	tshift_sort(&c);
	return tshift_time(&c, ts);
}

static const struct tshift_sample rising[] = {
	{ 3000, 130, 1, 0 }, { 1000, 100, 1, 0 }, { 2000, 120, 1, 0 },
};

TEST(shift_goes_on_between_samples)
{
	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, rising, 3, 1500), 1610);
	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, rising, 3, 2000), 2120);
	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, rising, 3, 2900), 3029);
	CHECK_EQ(shifted(0, rising, 3, 2900), 3020);
}

/* Before the first and behind the last as between the two that are next; rounded as trace-cmd does. */
TEST(shift_goes_on_beyond_the_samples)
{
	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, rising, 3, 500), 591);
	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, rising, 3, 5000), 5150);
	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, rising, 0, 5000), 5000);
}

TEST(shift_of_one_sample_is_its_offset)
{
	static const struct tshift_sample one = { 1000, -400, 3, 1 };

	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, &one, 1, 5000), 4600);
}

/* A ratio of 3/2, as KVM has it: 3 << 0 with one bit of fraction. */
TEST(shift_scales)
{
	static const struct tshift_sample v[] = { { 0, -10, 3, 1 }, { 1000, -10, 3, 1 } };

	CHECK_EQ(shifted(0, v, 2, 500), 740);
}

TEST(shift_two_samples_of_one_time_are_one)
{
	static const struct tshift_sample v[] = { { 7, 5, 1, 0 }, { 7, 5, 1, 0 } };

	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, v, 2, 100), 105);
}

TEST(shift_offsets_may_be_as_large_as_they_get)
{
	static const struct tshift_sample v[] = { { 0, INT64_MIN / 4, 1, 0 }, { 1000000, INT64_MAX / 4, 1, 0 } };

	CHECK_EQ(shifted(TSHIFT_INTERPOLATE, v, 2, 500000), 500000);
}

static struct sv put(struct mem_out *m)
{
	static struct tshift_sample v[] = { { 10, -20, 1, 0 }, { 30, 40, 5, 2 } };
	static struct tshift_cpu cpus[] = { { .v = v, .n = 2 }, { .v = v, .n = 1 } };

	mem_out_init(m);
	tshift_put(&m->out, &(struct tshift){ .peer = 0x55, .flags = 1, .ncpus = 2, .cpus = cpus });
	return (struct sv){ mem_out_str(m), (size_t)m->out.total };
}

TEST(shift_option_comes_as_it_was)
{
	struct arena a = { 0 };
	struct tshift s;
	struct mem_out m;
	struct sv bytes = put(&m);

	CHECK_EQ(bytes.n, 16 + (4 + 48) + (4 + 24) + 24);
	CHECK_EQ(tshift_parse(&s, cur_from(guard_dup(bytes.s, bytes.n), bytes.n), &a), 0);
	CHECK(s.peer == 0x55 && s.flags == 1 && s.ncpus == 2);
	CHECK(s.cpus[0].n == 2 && s.cpus[0].v[1].offset == 40 && s.cpus[0].v[1].fraction == 2);
	CHECK(s.cpus[1].n == 1 && s.cpus[1].v[0].time == 10 && s.cpus[1].flags == 1);
	/* trace-cmd 2.9 has no fractions. */
	CHECK_EQ(tshift_parse(&s, cur_from(guard_dup(bytes.s, bytes.n - 24), bytes.n - 24), &a), 0);
	CHECK_EQ(s.cpus[0].v[1].fraction, 0);
	arena_deinit(&a);
	mem_out_deinit(&m);
}

TEST(shift_option_that_is_cut_is_refused)
{
	struct arena a = { 0 };
	struct tshift s;
	struct mem_out m;
	struct sv bytes = put(&m);

	for (size_t n = 0; n < bytes.n; n++)
		if (n != bytes.n - 24)
			CHECK_EQ(tshift_parse(&s, cur_from(guard_dup(bytes.s, n), n), &a), -EBADMSG);
	arena_deinit(&a);
	mem_out_deinit(&m);
}

TEST(shift_option_that_lies_is_refused)
{
	struct arena a = { 0 };
	struct tshift s;
	struct mem_out m;
	struct sv bytes = put(&m);
	uint8_t lies[200];

	memcpy(lies, bytes.s, bytes.n);
	memset(lies + 12, 0xff, 4);            /* CPUs */
	CHECK_EQ(tshift_parse(&s, cur_from(guard_dup(lies, bytes.n), bytes.n), &a), -EBADMSG);
	memcpy(lies, bytes.s, bytes.n);
	memset(lies + 16, 0xff, 4);            /* samples */
	CHECK_EQ(tshift_parse(&s, cur_from(guard_dup(lies, bytes.n), bytes.n), &a), -EBADMSG);
	memcpy(lies, bytes.s, bytes.n);
	lies[bytes.n - 24] = 64;               /* bits of fraction */
	CHECK_EQ(tshift_parse(&s, cur_from(guard_dup(lies, bytes.n), bytes.n), &a), -EBADMSG);
	arena_deinit(&a);
	mem_out_deinit(&m);
}
