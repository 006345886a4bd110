/* Lanes of a page, and the base64 that it is in. */
#include "base/cursor.h"
#include "show/base64.h"
#include "t.h"
#include "timeline/roll.h"

#include <string.h>

static const char *base64_of(struct mem_out *m, const char *text, size_t piece)
{
	struct base64 b;
	size_t n = strlen(text);

	mem_out_init(m);
	base64_init(&b, &m->out);
	for (size_t i = 0; i < n; i += piece) {
		out_bytes(&b.out, text + i, MIN(piece, n - i));
		out_flush(&b.out);
	}
	base64_end(&b);
	return mem_out_str(m);
}

/* RFC 4648, section 10. */
TEST(base64_is_that_of_its_rfc)
{
	static const char *const vectors[][2] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" }, { "\xff\xef\xbe\xfb", "/+++" "+w==" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++)
		for (size_t piece = 1; piece < 5; piece++) {
			struct mem_out m;

			CHECK_STR(base64_of(&m, vectors[i][0], piece), vectors[i][1]);
			mem_out_deinit(&m);
		}
}

static uint64_t number(struct cursor *c)
{
	uint64_t v = 0;
	uint8_t byte = 128;

	for (unsigned shift = 0; byte & 128; shift += 7) {
		byte = cur_u8(c);
		v |= (uint64_t)(byte & 127) << shift;
	}
	return v;
}

static struct cursor at_level(const struct lane *l, unsigned level)
{
	const uint8_t *p = l->level[level]->bytes.v;

	return (struct cursor){ .start = p, .pos = p, .end = p + l->level[level]->bytes.n };
}

TEST(numbers_of_a_lane_are_leb128)
{
	static const uint64_t values[] = { 0, 1, 127, 128, 16383, 16384, UINT64_C(1) << 53, UINT64_MAX };
	uint8_t bytes[LANE_NUMBER];

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		unsigned n = lane_number(bytes, values[i]);
		struct cursor c = { .start = bytes, .pos = bytes, .end = bytes + n };

		CHECK_EQ(number(&c), values[i]);
		CHECK_EQ(cur_left(&c), 0);
		CHECK(!c.bad);
	}
	CHECK_EQ(lane_number(bytes, UINT64_MAX), LANE_NUMBER);
}

/* The second begins before the first has ended, the third before zero. */
TEST(gaps_of_a_lane_may_be_below_zero)
{
	static const struct lane_item in[] = { { 100, 50, 1 }, { 120, 5, 2 }, { -3, 1, 3 } };
	static const uint64_t gaps[] = { 200, 59, 255 };
	struct lane l = { .kind = LANE_IRQ };
	struct cursor c;

	for (size_t i = 0; i < ARRAY_SIZE(in); i++)
		CHECK_EQ(lane_add(&l, &in[i], NULL, 0), 0);
	c = at_level(&l, 0);
	for (size_t i = 0; i < ARRAY_SIZE(in); i++) {
		CHECK_EQ(number(&c), gaps[i]);
		CHECK_EQ(number(&c), in[i].length);
		CHECK_EQ(number(&c), in[i].id);
	}
	CHECK_EQ(cur_left(&c), 0);
	lane_deinit(&l);
}

/* 40 items of 10 ns, 100 apart: of each 16, five are 7's and eleven 9's. */
TEST(sixteen_items_of_a_lane_are_one_above)
{
	struct lane l = { .kind = LANE_SOFTIRQ };
	struct cursor c;

	for (unsigned i = 0; i < 40; i++) {
		struct lane_item it = { 100 * (int64_t)i, 10, i % 16 < 5 ? 7 : 9 };

		CHECK_EQ(lane_add(&l, &it, NULL, 0), 0);
	}
	CHECK_EQ(lane_end(&l), 0);
	c = at_level(&l, 1);
	for (unsigned i = 0; i < 3; i++) {
		unsigned n = i < 2 ? 16 : 8;

		CHECK_EQ(number(&c), i ? 2 * 90 : 0);
		CHECK_EQ(number(&c), 100 * (n - 1) + 10);
		CHECK_EQ(number(&c), i < 2 ? 9 : 7);
		CHECK_EQ(number(&c), 10 * n);
		CHECK_EQ(number(&c), n);
	}
	CHECK_EQ(cur_left(&c), 0);
	c = at_level(&l, 2);
	CHECK_EQ(number(&c), 0);
	CHECK_EQ(number(&c), 3910);
	CHECK_EQ(number(&c), 9);
	CHECK_EQ(number(&c), 400);
	CHECK_EQ(number(&c), 40);
	CHECK_EQ(cur_left(&c), 0);
	CHECK(!l.level[3] || !l.level[3]->bytes.n);
	lane_deinit(&l);
}

TEST(a_counters_merged_item_is_its_highest)
{
	static const uint64_t values[] = { 5, 900, 3, 3, 3 };
	struct lane l = { .kind = LANE_COUNTER };
	struct cursor c;

	for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
		struct lane_item it = { 10 * (int64_t)i, i == 1 ? 1 : 10, values[i] };

		CHECK_EQ(lane_add(&l, &it, NULL, 0), 0);
	}
	CHECK_EQ(lane_end(&l), 0);
	CHECK_EQ(l.highest, 900);
	c = at_level(&l, 1);
	number(&c);
	number(&c);
	CHECK_EQ(number(&c), 900);
	lane_deinit(&l);
}

TEST(a_page_has_no_more_lanes_than_there_is_room_for)
{
	struct mem_out m;
	struct roll r;
	struct lane like = { .kind = LANE_IRQ };
	bool full = false;
	unsigned n = 0;

	mem_out_init(&m);
	roll_init(&r, &m.out);
	while (roll_lane(&r, &like, &full))
		n++;
	CHECK(full);
	CHECK_EQ(n, ROLL_LANES_MAX);
	roll_deinit(&r);
	mem_out_deinit(&m);
}

/* Ten megabytes, of which each of five levels holds two kilobytes a lane; all of it is there in the end. */
TEST(memory_of_a_page_follows_its_lanes)
{
	enum { LANES = 64, ITEMS = 40000 };
	struct mem_out m;
	struct roll r;
	struct lane like = { .kind = LANE_IRQ };
	uint64_t most = 0;
	bool full;

	mem_out_init(&m);
	roll_init(&r, &m.out);
	for (unsigned i = 0; i < LANES; i++)
		CHECK(roll_lane(&r, &like, &full) != NULL);
	for (unsigned i = 0; i < LANES * ITEMS; i++) {
		struct lane_item it = { (int64_t)i * 1000, 500, i % 5 };

		if (roll_add(&r, r.lanes.v[i % LANES], &it, NULL, 0))
			break;
		most = MAX(most, (uint64_t)r.held);
	}
	CHECK(most < LANES * 5 * 2100);
	CHECK_EQ(roll_end(&r), 0);
	CHECK_EQ(r.held, 0);
	out_flush(&m.out);
	CHECK(m.n > (size_t)LANES * ITEMS * 3);
	roll_deinit(&r);
	mem_out_deinit(&m);
}

TEST(moments_too_far_away_are_counted)
{
	struct roll r;
	int64_t at;

	roll_init(&r, NULL);
	CHECK(roll_at(&r, UINT64_C(1) << 63, &at));
	CHECK_EQ(at, 0);
	CHECK(roll_at(&r, (UINT64_C(1) << 63) - 5, &at));
	CHECK_EQ(at, -5);
	CHECK(!roll_at(&r, 7, &at));
	CHECK(!roll_at(&r, UINT64_MAX, &at));
	CHECK_EQ(r.far, 2);
	roll_deinit(&r);
}
