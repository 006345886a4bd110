/* page_write: what it writes is read back by the reader of the kernel's sub-buffers. */
#include "tracefs/ring/page_write.h"

#include "t.h"

static const struct tpage_layout layout = {
	.commit_offset = 8, .commit_size = 8, .data_offset = 16, .data_size = 240,
};

static struct tpage_writer begin(uint8_t *bytes, bool swap)
{
	return (struct tpage_writer){ .layout = layout, .swap = swap, .bytes = bytes };
}

/* The event of a given size and time is the next on the page. */
static void is_next(struct tpage *p, uint64_t ts, uint32_t n, uint8_t first)
{
	struct tpage_event ev;

	CHECK(tpage_next(p, &ev));
	CHECK_EQ(ev.ts, ts);
	CHECK_EQ(ev.n, n);
	CHECK_EQ(ev.raw[0], first);
}

static void times_and_sizes(bool swap)
{
	/* small, a long gap, a large event, a step back, and equal times */
	static const struct { uint64_t ts; uint32_t n;
	} in[] = {
		{1000, 8}, {1000 + (UINT64_C(1) << 30), 4}, {1000 + (UINT64_C(1) << 30) + 5, 116}, {999, 12}, {999, 4},
	};
	uint8_t bytes[256], raw[128];
	struct tpage_writer w = begin(bytes, swap);
	struct tpage p;

	for (size_t i = 0; i < ARRAY_SIZE(in); i++) {
		memset(raw, (int)i + 1, sizeof(raw));
		CHECK(tpage_put(&w, &(struct tpage_event){ in[i].ts, raw, in[i].n }, 0));
	}
	CHECK(tpage_put_end(&w));
	CHECK_EQ(tpage_init(&p, &layout, swap, guard_dup(bytes, sizeof(bytes)), sizeof(bytes)), 0);
	CHECK_EQ(p.lost, 0);
	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		is_next(&p, in[i].ts, in[i].n, (uint8_t)i + 1);
	CHECK(!tpage_next(&p, &(struct tpage_event){ 0 }));
	CHECK(!p.bad);
}

TEST(page_write_times_and_sizes_are_read_back) { times_and_sizes(false); }
TEST(page_write_in_the_other_byte_order) { times_and_sizes(true); }

TEST(page_write_stops_at_a_full_page)
{
	uint8_t bytes[256], raw[60] = { 7 };
	struct tpage_writer w = begin(bytes, false);
	struct tpage_event ev = { 5, raw, sizeof(raw) };
	struct tpage p;
	unsigned n = 0;

	while (tpage_put(&w, &ev, 0))
		n++;
	CHECK_EQ(n, 3);
	CHECK(tpage_put_end(&w));
	CHECK(!tpage_put_end(&w));
	CHECK_EQ(tpage_init(&p, &layout, false, bytes, sizeof(bytes)), 0);
	for (unsigned i = 0; i < n; i++)
		is_next(&p, 5, 60, 7);
	ev.n = 300;
	CHECK(!tpage_put(&w, &ev, 0));
}

TEST(page_write_tells_what_was_lost)
{
	uint8_t bytes[256], raw[8] = { 3 };
	struct tpage_writer w = begin(bytes, false);
	struct tpage_event ev = { 5, raw, sizeof(raw) };
	struct tpage p;

	CHECK(tpage_put(&w, &ev, 42));
	/* a loss in the middle begins another page */
	CHECK(!tpage_put(&w, &ev, 1));
	CHECK(tpage_put_end(&w));
	CHECK_EQ(tpage_init(&p, &layout, false, bytes, sizeof(bytes)), 0);
	CHECK_EQ(p.lost, 42);
	CHECK(tpage_put(&w, &ev, TPAGE_LOST_UNKNOWN));
	CHECK(tpage_put_end(&w));
	CHECK_EQ(tpage_init(&p, &layout, false, bytes, sizeof(bytes)), 0);
	CHECK(p.lost == TPAGE_LOST_UNKNOWN);
	is_next(&p, 5, 8, 3);
}
