/* sym/maps: address spaces that change, and lines of /proc/PID/maps. */
#include "sym/maps.h"

#include "t.h"

static void put(struct maps **m, uint64_t start, uint64_t end, uint64_t pgoff, uint32_t dso)
{
	CHECK_EQ(maps_put(m, &(struct maps_range){ start, end, pgoff, dso }), 0);
}

/* dso * 0x10000 + offset in the file, or 0 */
static uint64_t at(struct maps *m, uint64_t addr)
{
	const struct maps_range *r = maps_find(m, addr);

	return r ? r->dso * UINT64_C(0x10000) + addr - r->start + r->pgoff : 0;
}

TEST(maps_new_mapping_splits_the_old_one)
{
	struct maps *m = NULL;

	put(&m, 0x1000, 0x5000, 0x100, 1);
	put(&m, 0x2000, 0x3000, 0, 2);
	CHECK_EQ(maps_count(m), 3);
	CHECK_EQ(at(m, 0x1fff), 0x110ff);
	CHECK_EQ(at(m, 0x2000), 0x20000);
	CHECK_EQ(at(m, 0x3000), 0x12100);
	CHECK_EQ(at(m, 0x5000), 0);
	CHECK_EQ(at(m, 0xfff), 0);
	maps_free(m);
}

TEST(maps_new_mapping_covers_and_cuts_several)
{
	struct maps *m = NULL;

	put(&m, 0x1000, 0x2000, 0, 1);
	put(&m, 0x2000, 0x3000, 0, 2);
	put(&m, 0x4000, 0x6000, 0, 3);
	put(&m, 0x1800, 0x5000, 0, 4);
	CHECK_EQ(maps_count(m), 3);
	CHECK_EQ(at(m, 0x17ff), 0x107ff);
	CHECK_EQ(at(m, 0x1800), 0x40000);
	CHECK_EQ(at(m, 0x4fff), 0x437ff);
	CHECK_EQ(at(m, 0x5000), 0x31000);
	CHECK_EQ(maps_cut(&m, 0x1900, 0x1a00), 0);
	CHECK_EQ(at(m, 0x1900), 0);
	CHECK_EQ(at(m, 0x1a00), 0x40200);
	maps_free(m);
}

TEST(maps_are_shared_until_one_side_changes)
{
	struct maps *parent = NULL, *child;

	put(&parent, 0x1000, 0x2000, 0, 1);
	child = maps_share(parent);
	CHECK(child == parent);
	put(&child, 0x1000, 0x2000, 0, 2);
	CHECK(child != parent);
	CHECK_EQ(at(parent, 0x1000), 0x10000);
	CHECK_EQ(at(child, 0x1000), 0x20000);
	maps_free(parent);
	CHECK_EQ(at(child, 0x1fff), 0x20fff);
	maps_free(child);
}

TEST(maps_refuse_empty_ranges_and_more_than_a_process_can_have)
{
	struct maps *m = NULL;
	int err = 0;

	CHECK_EQ(maps_put(&m, &(struct maps_range){ 5, 5, 0, 1 }), -EINVAL);
	CHECK_EQ(maps_put(&m, &(struct maps_range){ 6, 5, 0, 1 }), -EINVAL);
	for (uint64_t i = 0; i < MAPS_MAX + 5 && !err; i++)
		err = maps_put(&m, &(struct maps_range){ i * 4, i * 4 + 2, 0, 1 });
	CHECK_EQ(err, -ENOSPC);
	CHECK_EQ(maps_count(m), MAPS_MAX);
	maps_free(m);
}

TEST(maps_at_the_end_of_the_address_space_are_found)
{
	struct maps *m = NULL;

	put(&m, 0xffffffffff600000, UINT64_MAX, 0, 1);
	CHECK(maps_find(m, UINT64_MAX - 1));
	CHECK(!maps_find(m, UINT64_MAX));
	CHECK(!maps_find(NULL, 5));
	maps_free(m);
}

/* Against a plain array of pages: each has the number of the mapping that was there last. */
enum { PAGES = 4096, DSOS = 1 << 16 };

static uint32_t model[PAGES];

static bool agrees(struct maps *m)
{
	for (uint32_t i = 0; i < PAGES; i++) {
		const struct maps_range *r = maps_find(m, i * 16 + 5);

		if ((r ? r->dso : 0) != model[i] || (r && r->pgoff + (i * 16 + 5 - r->start) != i * 16 + 5))
			return false;
	}
	return true;
}

static void change_model(struct maps **m, uint32_t from, uint32_t n, uint32_t dso)
{
	struct maps_range r = { from * 16, (from + n) * 16, from * 16, dso };

	CHECK_EQ(dso ? maps_put(m, &r) : maps_cut(m, r.start, r.end), 0);
	for (uint32_t i = from; i < from + n; i++)
		model[i] = dso;
}

TEST(maps_are_those_of_a_plain_array)
{
	struct maps *m = NULL, *old;
	uint64_t x = 1;

	for (uint32_t round = 0; round < 20000; round++) {
		x = x * 6364136223846793005u + 1442695040888963407u;

		uint32_t from = (uint32_t)(x >> 33) % PAGES, most = round % 500 ? 4 : 2000;
		uint32_t n = MIN((uint32_t)(x >> 50) % most + 1, PAGES - from);

		old = round % 64 ? NULL : maps_share(m);
		change_model(&m, from, n, (x >> 20) % 4 ? round % (DSOS - 1) + 1 : 0);
		maps_free(old);
		if (round % 200 == 0 && !agrees(m))
			t_fail(__FILE__, __LINE__, "round %u differs", round);
	}
	CHECK(agrees(m));
	CHECK(maps_count(m) > 500);
	maps_free(m);
}

/* As many as a process can have, from the top down as the kernel gives them: an array would move two billion. */
TEST(maps_move_little_for_each_new_one)
{
	struct maps *m = NULL, *child;
	uint64_t before;

	for (uint64_t i = MAPS_MAX; i-- > 0; )
		put(&m, i * 4, i * 4 + 2, 0, 1);
	CHECK_EQ(maps_count(m), MAPS_MAX);
	CHECK(maps_moves(m) < MAPS_MAX * 150);
	/* A child with one change has most of the parent's. */
	child = maps_share(m);
	put(&child, 400, 402, 0, 2);
	CHECK(maps_moves(child) < MAPS_MAX / 8);
	CHECK_EQ(at(child, 400), 0x20000);
	CHECK_EQ(at(m, 400), 0x10000);
	maps_free(child);
	before = maps_moves(m);
	CHECK_EQ(maps_cut(&m, 0, MAPS_MAX * 4 - 8), 0);
	CHECK_EQ(maps_count(m), 2);
	CHECK(maps_moves(m) - before < MAPS_MAX * 150);
	maps_free(m);
}

static bool parse(const char *s, struct maps_line *l)
{
	size_t n = strlen(s);

	return maps_parse_line((struct sv){ guard_dup(s, n), n }, l);
}

TEST(maps_line_of_a_file_is_parsed)
{
	struct maps_line l;

	CHECK(parse("ffff9c1d0000-ffff9c36a000 r-xp 00010000 fd:1f 3935         /usr/lib/my lib.so.6", &l));
	CHECK_EQ(l.start, 0xffff9c1d0000);
	CHECK_EQ(l.end, 0xffff9c36a000);
	CHECK_EQ(l.pgoff, 0x10000);
	CHECK_EQ(l.major, 0xfd);
	CHECK_EQ(l.minor, 0x1f);
	CHECK_EQ(l.inode, 3935);
	CHECK_EQ(l.prot, MAPS_READ | MAPS_EXEC);
	CHECK(!l.shared);
	CHECK(sv_eq(l.name, "/usr/lib/my lib.so.6"));
}

TEST(maps_line_without_name_is_parsed)
{
	struct maps_line l;

	CHECK(parse("00400000-00401000 rw-s 00000000 00:00 0 ", &l));
	CHECK_EQ(l.name.n, 0);
	CHECK_EQ(l.prot, MAPS_READ | MAPS_WRITE);
	CHECK(l.shared);
	CHECK(parse("00400000-00401000 ---p 00000000 00:00 0", &l));
	CHECK_EQ(l.prot, 0);
	CHECK(parse("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]", &l));
	CHECK(sv_eq(l.name, "[vsyscall]"));
}

TEST(maps_line_that_is_none_is_refused)
{
	static const char *const bad[] = {
		"", "x", "00400000", "00400000-", "00400000-00401000", "00400000-00401000 r-x 0 0:0 0",
		"00400000-00401000 r-xp 0 0 0", "00401000-00400000 r-xp 0 00:00 0 x",
		"00400000-00400000 r-xp 0 00:00 0 x", "0040000g-00401000 r-xp 0 00:00 0 x",
		"11111111111111111-22222222222222222 r-xp 0 00:00 0 x", "00400000-00401000 r-xp 0 00:00 x",
	};
	struct maps_line l;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_SAY(!parse(bad[i], &l), "accepted: %s", bad[i]);
	}
}
