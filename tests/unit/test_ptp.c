/* ftrace/ptp: which probe counts, and what the host sends of its times. */
#include "tracing/transport/ptp.h"

#include "t.h"

static struct ptp_times times;

static void set(size_t i, int64_t sent, int64_t met, int64_t back)
{
	times.sent[i] = sent;
	times.met[i] = met;
	times.back[i] = back;
}

TEST(ptp_the_quickest_probe_counts)
{
	int64_t time = 0, offset = 0;

	set(0, 1000, 5060, 1100);
	set(1, 2000, 6025, 2040);    /* 40: the quickest; half way it was 2020, and the host had 6025 */
	set(338, 3000, 7060, 3090);
	CHECK(ptp_offset(&times, &time, &offset));
	CHECK_EQ(time, 2020);
	CHECK_EQ(offset, 4005);
}

TEST(ptp_a_host_may_be_behind)
{
	int64_t time = 0, offset = 0;

	set(7, 1000000, 11, 1000020);
	CHECK(ptp_offset(&times, &time, &offset));
	CHECK_EQ(time, 1000010);
	CHECK_EQ(offset, 11 - 1000010);
}

TEST(ptp_a_probe_that_was_lost_does_not_count)
{
	int64_t time = 0, offset = 0;

	set(0, 1000, 0, 1001);
	set(1, 0, 5, 1001);
	set(2, 1000, 5, 0);
	set(3, 1000, 5, 999);
	CHECK(!ptp_offset(&times, &time, &offset));
	set(4, 1000, 5000, 1500);
	CHECK(ptp_offset(&times, &time, &offset));
	CHECK_EQ(time, 1250);
}

TEST(ptp_results_come_as_they_were)
{
	static uint8_t bytes[PTP_RESULTS_BYTES];
	static struct ptp_times got;

	times.met[0] = 0x0102030405060708;
	times.met[338] = INT64_MAX;
	ptp_put_results(bytes, 9, &times);
	CHECK(!memcmp(bytes, "\0\0\0\x09\0\0\x01\x53\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\x01", 20));
	got.met[5] = 77;
	CHECK_EQ(ptp_take_results(&got, guard_dup(bytes, sizeof(bytes)), sizeof(bytes)), 0);
	CHECK(!memcmp(got.met, times.met, sizeof(times.met)));
}

TEST(ptp_results_that_lie_are_refused)
{
	static uint8_t bytes[PTP_RESULTS_BYTES];

	ptp_put_results(bytes, 1, &times);
	CHECK_EQ(ptp_take_results(&times, guard_dup(bytes, 7), 7), -EBADMSG);
	CHECK_EQ(ptp_take_results(&times, guard_dup(bytes, 100), 100), -EBADMSG);
	bytes[4] = 0x7f;
	CHECK_EQ(ptp_take_results(&times, guard_dup(bytes, sizeof(bytes)), sizeof(bytes)), -EBADMSG);
	/* A number beyond those that were sent is passed over. */
	ptp_put_results(bytes, 1, &times);
	bytes[8 + 8] = 0xff;
	CHECK_EQ(ptp_take_results(&times, bytes, sizeof(bytes)), 0);
}
