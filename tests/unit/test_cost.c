/* test_cost.c - what a probe costs. */
#include "t.h"

#include "probe/cost.h"

static const uint64_t second = 1000 * 1000 * 1000;

TEST(cost_share_is_hits_times_time_over_window)
{
	/* 100000 hits of 2 us in a second are a fifth of it */
	CHECK_EQ((long long)(cost_share(&(struct cost_trial){ 100000, second, 2000 }) * 1000 + 0.5), 200);
	CHECK_EQ((long long)(cost_share(&(struct cost_trial){ 100000, second / 10, 2000 }) * 1000 + 0.5), 2000);
	CHECK(cost_share(&(struct cost_trial){ 0, second, 2000 }) == 0);
	CHECK(cost_share(&(struct cost_trial){ 5, 0, 2000 }) == 0);
}

/* What is left of the share with the duty cycle. */
static double left(const struct cost_duty *d, double share)
{
	return share * (double)d->on_ns / (double)(d->on_ns + d->off_ns);
}

TEST(cost_duty_keeps_below_the_limit_and_not_far)
{
	for (double share = 0.011; share < 900; share *= 1.3) {
		for (double limit = 0.01; limit < 1.5; limit *= 2) {
			struct cost_duty d;

			cost_duty(&d, share, limit);
			if (share <= limit) {
				CHECK_EQ(d.off_ns, 0);
				CHECK(!d.is_hopeless);
			} else if (!d.is_hopeless) {
				CHECK(left(&d, share) <= limit * 1.000001);
				CHECK(left(&d, share) >= limit * 0.999);
				CHECK(d.on_ns >= 10 * 1000 * 1000 && d.off_ns <= 10 * second);
			} else {
				CHECK(left(&d, share) > limit);
			}
		}
	}
}

TEST(cost_duty_says_when_it_is_hopeless)
{
	struct cost_duty d;

	cost_duty(&d, 100, 0.01);
	CHECK(d.is_hopeless);
	CHECK(d.on_ns > 0 && d.off_ns > 0);
	cost_duty(&d, 0.5, 0);
	CHECK(d.is_hopeless);
	cost_duty(&d, 0, 0);
	CHECK(!d.is_hopeless);
	/* one per cent of ten cores: 10 ms in 10 s are enough */
	cost_duty(&d, 9, 0.01);
	CHECK(!d.is_hopeless);
}

static enum probe_kind kind_of(const char *arch, const char *bytes, size_t n)
{
	return probe_kind_of_code(arch_by_name(arch), guard_dup(bytes, n), n);
}

TEST(cost_depends_on_the_instruction)
{
	static const char nop[] = "\x1f\x20\x03\xd5", ret[] = "\xc0\x03\x5f\xd6", stp[] = "\xfd\x7b\xbf\xa9";
	static const char bti[] = "\x5f\x24\x03\xd5", adrp[] = "\x00\x00\x00\x90";

	CHECK_EQ(kind_of("aarch64", nop, 4), PROBE_OF_PROGRAM_NOP);
	CHECK_EQ(kind_of("aarch64", ret, 4), PROBE_OF_PROGRAM_SIMULATED);
	CHECK_EQ(kind_of("aarch64", adrp, 4), PROBE_OF_PROGRAM_SIMULATED);
	CHECK_EQ(kind_of("aarch64", stp, 4), PROBE_OF_PROGRAM);
	CHECK_EQ(kind_of("aarch64", bti, 4), PROBE_OF_PROGRAM);
	CHECK_EQ(kind_of("aarch64", ret, 3), PROBE_OF_PROGRAM);
	CHECK_EQ(kind_of("x86_64", "\x55\x48\x89\xe5", 4), PROBE_OF_PROGRAM_SIMULATED);
	CHECK_EQ(kind_of("x86_64", "\x48\x89\xe5", 3), PROBE_OF_PROGRAM);
	for (enum probe_kind kind = PROBE_OF_KERNEL; kind < PROBE_KINDS; kind++)
		CHECK(probe_kind_where(kind));
}
