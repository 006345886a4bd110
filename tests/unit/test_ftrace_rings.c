/* rings: per_cpu/cpuN/stats. */
#include "tracing/rings.h"

#include "t.h"

TEST(rings_stats_of_a_clock_in_ns)
{
	struct ring_stats s;

	rings_parse(&s, "entries: 195\noverrun: 17\ncommit overrun: 1\nbytes: 8076\noldest event ts:    15.313642\n"
			"now ts:    15.349204\ndropped events: 3\nread events: 396\n");
	CHECK_EQ(s.entries, 195);
	CHECK_EQ(s.overrun, 17);
	CHECK_EQ(s.dropped, 3);
	CHECK_EQ(s.read, 396);
	CHECK_EQ(s.bytes, 8076);
	CHECK(s.now_is_ns);
	CHECK_EQ(s.now, UINT64_C(15349204000));
}

TEST(rings_stats_of_a_counter)
{
	struct ring_stats s;

	rings_parse(&s, "entries: 2\noverrun: 0\noldest event ts: 12\nnow ts: 4711\n");
	CHECK(!s.now_is_ns);
	CHECK_EQ(s.now, 4711);
	CHECK_EQ(s.dropped, 0);
}
