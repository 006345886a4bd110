/* Bounds, sticky failure, byte order and LEB128 of base/cursor. */
#include "base/cursor.h"
#include "t.h"

TEST(cursor_reads_in_order_and_stops_at_the_end)
{
	static const uint8_t b[] = { 1, 2, 0, 3, 0, 0, 0, 9 };
	struct cursor c = cur_from(guard_dup(b, sizeof(b)), sizeof(b));

	CHECK_EQ(cur_u8(&c), 1);
	CHECK_EQ(cur_u16(&c), 2);
	CHECK_EQ(cur_u32(&c), 3);
	CHECK_EQ(cur_off(&c), 7);
	CHECK(!c.bad);
	CHECK_EQ(cur_u16(&c), 0);
	CHECK(c.bad);
	CHECK_EQ(cur_u8(&c), 0);
}

TEST(cursor_swaps_a_foreign_byte_order)
{
	static const uint8_t b[] = { 0x12, 0x34, 0x56, 0x78, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct cursor c = cur_from(b, sizeof(b));

	c.swap = true;
	CHECK_EQ(cur_u32(&c), 0x12345678);
	CHECK_EQ(cur_u64(&c), 0x0102030405060708);
}

TEST(cursor_strings_end_inside_the_bytes)
{
	struct cursor c = cur_from(guard_dup("ab\0cd", 5), 5);

	CHECK_STR(cur_str(&c), "ab");
	CHECK_STR(cur_str(&c), "");
	CHECK(c.bad);
}

TEST(cursor_leb128_like_the_dwarf_standard)
{
	/* DWARF 5, figures C.1 and C.2 (appendix C). */
	static const uint8_t b[] = {2, 0x7f, 0x80, 1, 0x81, 1,    0x82, 1, 0xb9, 0x64,
				    2, 0x7e, 0xff, 0, 0x81, 0x7f, 0x80, 1, 0x80, 0x7f};
	struct cursor c = cur_from(guard_dup(b, sizeof(b)), sizeof(b));
	static const uint64_t u[] = { 2, 127, 128, 129, 130, 12857 };
	static const int64_t s[] = { 2, -2, 127, -127, 128, -128 };

	for (size_t i = 0; i < ARRAY_SIZE(u); i++)
		CHECK_EQ(cur_uleb(&c), u[i]);
	for (size_t i = 0; i < ARRAY_SIZE(s); i++)
		CHECK_EQ(cur_sleb(&c), s[i]);
	CHECK(!c.bad);
}

TEST(cursor_endless_leb128_is_bad)
{
	uint8_t b[32];
	struct cursor c;

	memset(b, 0x80, sizeof(b));
	c = cur_from(guard_dup(b, sizeof(b)), sizeof(b));
	cur_uleb(&c);
	CHECK(c.bad);
}

TEST(cursor_sub_checks_offset_and_length_without_overflow)
{
	uint8_t b[16] = { 0 };
	struct cursor c = cur_from(b, sizeof(b));

	CHECK(!cur_sub(&c, 8, 8).bad);
	CHECK(cur_sub(&c, 8, 9).bad);
	CHECK(cur_sub(&c, UINT64_MAX, 2).bad);
	CHECK(cur_sub(&c, 2, UINT64_MAX).bad);
	cur_seek(&c, 17);
	CHECK(c.bad);
}

TEST(cursor_align_counts_from_the_start)
{
	uint8_t b[16] = { 0 };
	struct cursor c = cur_from(b, sizeof(b));

	cur_skip(&c, 5);
	cur_align(&c, 4);
	CHECK_EQ(cur_off(&c), 8);
	cur_align(&c, 8);
	CHECK_EQ(cur_off(&c), 8);
}
