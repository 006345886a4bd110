/* test_kernel_memory.c - blocks and pages of the kernel, from who allocates them to who frees them. */
#include "analyse/pages.h"
#include "analyse/slabs.h"
#include "t.h"

static void take(struct slabs *s, uint64_t site, uint64_t block, uint64_t asked, uint64_t given, int32_t cpu)
{
	CHECK_EQ(slabs_alloc(s, &(struct slabs_event){
		.site = site, .block = block, .asked = asked, .given = given, .cpu = cpu }), 0);
	CHECK_EQ(slabs_settle(s), 0);
}

static void give_back(struct slabs *s, uint64_t block, int32_t cpu)
{
	CHECK_EQ(slabs_free(s, block, cpu), 0);
	CHECK_EQ(slabs_settle(s), 0);
}

TEST(slabs_are_added_up_by_place_and_by_block)
{
	struct slabs s = { 0 };

	take(&s, 1, 100, 10, 16, 0);
	take(&s, 1, 200, 30, 32, 0);
	take(&s, 2, 300, 8, 8, 1);
	CHECK_EQ(s.sites.n, 2);
	CHECK_EQ(s.sites.v[0].asked, 40);
	CHECK_EQ(s.sites.v[0].given, 48);
	CHECK_EQ(s.sites.v[0].hits, 2);
	CHECK_EQ(s.blocks.n, 3);
	CHECK_EQ(s.given, 56);
	CHECK(slabs_waste(40, 48) > 16.6 && slabs_waste(40, 48) < 16.7);
	slabs_deinit(&s);
}

TEST(slabs_that_another_cpu_frees_count_for_who_allocated)
{
	struct slabs s = { 0 };

	take(&s, 1, 100, 10, 16, 0);
	take(&s, 2, 100, 10, 16, 0);
	give_back(&s, 100, 1);
	CHECK_EQ(s.sites.v[0].moved, 0);
	CHECK_EQ(s.sites.v[1].moved, 1);
	CHECK_EQ(s.blocks.v[0].row.moved, 1);
	CHECK_EQ(s.freed, 16);
	/* Nobody was seen to allocate it. */
	give_back(&s, 500, 1);
	CHECK_EQ(s.freed, 16);
	/* Its allocation was not told: as perf has it, once more. */
	give_back(&s, 100, 0);
	CHECK_EQ(s.freed, 32);
	CHECK_EQ(s.blocks.v[0].row.moved, 2);
	slabs_deinit(&s);
}

TEST(slabs_of_the_next_interval_know_what_is_not_freed)
{
	struct slabs s = { 0 };

	take(&s, 1, 100, 10, 16, 0);
	take(&s, 1, 200, 10, 16, 0);
	give_back(&s, 100, 0);
	CHECK_EQ(slabs_forget(&s), 0);
	CHECK_EQ(s.blocks.n, 1);
	CHECK_EQ(s.sites.v[0].hits, 0);
	CHECK_EQ(s.given + s.freed + s.allocs, 0);
	give_back(&s, 200, 0);
	give_back(&s, 100, 0);
	CHECK_EQ(s.freed, 16);
	slabs_deinit(&s);
}

/* Beside what is told at once: rows that are new while others that mean them wait, growth, blocks that come again. */
TEST(slabs_that_wait_for_their_turn_come_to_the_same)
{
	enum { N = 20000, BLOCKS = 1500, SITES = 90 };
	struct slabs late = { 0 }, at_once = { 0 };
	uint64_t seed = 1;

	for (int i = 0; i < N; i++) {
		uint64_t block, site;

		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		block = (seed >> 33) % (i / 10 + 1) % BLOCKS * 8;
		site = (seed >> 50) % SITES;
		if (seed >> 62) {
			struct slabs_event ev = {
				.site = site, .block = block, .asked = site, .given = 100, .cpu = i & 1,
			};

			CHECK_EQ(slabs_alloc(&late, &ev), 0);
			take(&at_once, ev.site, ev.block, ev.asked, ev.given, ev.cpu);
		} else {
			CHECK_EQ(slabs_free(&late, block, 1), 0);
			give_back(&at_once, block, 1);
		}
	}
	CHECK_EQ(slabs_settle(&late), 0);
	CHECK(late.blocks.n > BLOCKS / 2 && late.blocks.n == at_once.blocks.n);
	CHECK_EQ(late.sites.n, SITES);
	CHECK_EQ(late.freed, at_once.freed);
	CHECK(!memcmp(late.sites.v, at_once.sites.v, SITES * sizeof(*late.sites.v)));
	CHECK(!memcmp(late.blocks.v, at_once.blocks.v, late.blocks.n * sizeof(*late.blocks.v)));
	slabs_deinit(&late);
	slabs_deinit(&at_once);
}

static void get(struct pages *p, uint64_t page, uint64_t site, uint32_t order, uint32_t type)
{
	CHECK_EQ(pages_alloc(p, &(struct pages_event){
		.page = page, .site = site, .bytes = UINT64_C(4096) << order,
		.kind = { .flags = 7, .order = order, .type = type } }), 0);
}

TEST(pages_are_told_apart_by_order_type_and_place)
{
	struct pages p = { .by_page = true };

	get(&p, 1, 10, 0, 0);
	get(&p, 2, 10, 0, 0);
	get(&p, 4, 10, 1, 0);
	get(&p, 6, 11, 0, 1);
	CHECK_EQ(p.callers.n, 3);
	CHECK_EQ(p.callers.v[0].allocs, 2);
	CHECK_EQ(p.callers.v[0].bytes, 8192);
	CHECK_EQ(p.rows.n, 4);
	CHECK_EQ(p.orders[0][0], 2);
	CHECK_EQ(p.orders[1][0], 1);
	CHECK_EQ(p.orders[0][1], 1);
	pages_free(&p, 1, 4096);
	pages_free(&p, 1, 4096);
	CHECK_EQ(p.frees.n, 2);
	CHECK_EQ(p.unknown.n, 1);
	CHECK_EQ(p.orders[0][0], 2);
	pages_failed(&p, 4096);
	CHECK_EQ(p.allocs.n, 5);
	CHECK_EQ(p.failed.n, 1);
	pages_deinit(&p);
}

TEST(pages_that_are_freed_are_not_live)
{
	struct pages p = { .live = true, .by_page = true };

	get(&p, 1, 10, 0, 0);
	get(&p, 2, 10, 0, 0);
	pages_free(&p, 1, 4096);
	CHECK_EQ(p.callers.v[0].allocs, 1);
	CHECK_EQ(p.orders[0][0], 1);
	/* Its free was lost: it is live once. */
	get(&p, 2, 11, 0, 1);
	CHECK_EQ(p.callers.v[0].allocs, 0);
	CHECK_EQ(p.orders[0][0], 0);
	CHECK_EQ(p.orders[0][1], 1);
	CHECK_EQ(pages_live_rows(&p), 0);
	CHECK_EQ(p.rows.n, 1);
	CHECK_EQ(p.rows.v[0].site, 11);
	CHECK_EQ(pages_forget(&p), 0);
	CHECK_EQ(p.pages.n, 1);
	pages_free(&p, 2, 4096);
	CHECK_EQ(p.orders[0][1], 0);
	CHECK_EQ(p.callers.v[1].allocs, 0);
	pages_deinit(&p);
}
