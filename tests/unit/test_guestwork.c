/* test_guestwork.c - times between events of virtual CPUs, by what they are for. */
#include "analyse/guestwork.h"
#include "t.h"

static const struct guestwork_key io = { 0x7b, 0 }, halt = { 0x78, 0 };

static struct guestwork_vcpu *enter(struct guestwork *g, uint32_t tid)
{
	CHECK_EQ(guestwork_enter(g, tid, tid + 100), 0);
	return guestwork_find(g, tid);
}

TEST(guestwork_counts_by_what_a_time_began_with)
{
	struct guestwork g = { 0 };
	struct guestwork_row *r;
	uint64_t ns;

	CHECK(!guestwork_find(&g, 7));
	enter(&g, 7);
	CHECK_EQ(guestwork_find(&g, 7)->id, 107);
	/* Its first number stays. */
	guestwork_enter(&g, 7, 3);
	CHECK_EQ(guestwork_find(&g, 7)->id, 107);
	for (uint64_t i = 1; i < 4; i++) {
		CHECK_EQ(guestwork_begin(&g, guestwork_find(&g, 7), &io, 100), 0);
		r = guestwork_end(&g, guestwork_find(&g, 7), NULL, 100 + 10 * i, &ns);
		CHECK_EQ(ns, 10 * i);
		CHECK_EQ(r->times.n, i);
	}
	CHECK_EQ(r->total, 60);
	CHECK_EQ(r->min, 10);
	CHECK_EQ(r->max, 30);
	guestwork_forget(&g);
	CHECK_EQ(g.rows.n, 1);
	CHECK_EQ(g.rows.v[0].times.n, 0);
	CHECK_EQ(g.rows.v[0].key.what, io.what);
	guestwork_deinit(&g);
}

TEST(guestwork_takes_the_key_of_the_end)
{
	struct guestwork g = { 0 };
	struct guestwork_key read = { 0x8000, 1 }, write = { 0x8000, 2 };
	struct guestwork_vcpu *v = enter(&g, 1);
	uint64_t ns;

	guestwork_begin(&g, v, NULL, 10);
	/* Nothing came of it, and that is no loss. */
	CHECK(!guestwork_end(&g, v, NULL, 15, &ns));
	CHECK_EQ(ns, 0);
	guestwork_begin(&g, v, NULL, 20);
	CHECK_EQ(guestwork_end(&g, v, &read, 26, &ns)->key.how, 1);
	CHECK_EQ(ns, 6);
	guestwork_begin(&g, v, NULL, 30);
	guestwork_begin(&g, v, &write, 31);
	CHECK_EQ(guestwork_end(&g, v, NULL, 40, &ns)->key.how, 2);
	CHECK_EQ(ns, 9);
	CHECK_EQ(g.rows.n, 2);
	CHECK_EQ(g.strays + g.unended + guestwork_open(&g), 0);
	guestwork_deinit(&g);
}

TEST(guestwork_counts_what_has_no_other_half)
{
	struct guestwork g = { 0 };
	struct guestwork_vcpu *v = enter(&g, 1);
	uint64_t ns;

	CHECK(!guestwork_end(&g, v, &io, 5, &ns));
	CHECK_EQ(g.strays, 1);
	guestwork_begin(&g, v, &io, 10);
	guestwork_begin(&g, v, &halt, 20);
	CHECK_EQ(g.unended, 1);
	CHECK_EQ(guestwork_open(&g), 1);
	/* Times that run backwards are none. */
	CHECK(!guestwork_end(&g, v, NULL, 19, &ns));
	CHECK_EQ(g.strays, 2);
	guestwork_begin(&g, v, &io, 30);
	guestwork_lose(&g);
	CHECK_EQ(g.discarded, 1);
	CHECK(!guestwork_end(&g, v, NULL, 40, &ns));
	for (size_t i = 0; i < g.rows.n; i++)
		CHECK_EQ(g.rows.v[i].times.n, 0);
	guestwork_deinit(&g);
}

TEST(guestwork_is_bounded)
{
	struct guestwork g = { 0 };
	struct guestwork_vcpu *v;
	uint64_t ns, fit = 0;

	for (uint32_t tid = 0; tid < GUESTWORK_VCPUS + 9; tid++)
		guestwork_enter(&g, tid, 0);
	CHECK_EQ(g.vcpus.n, GUESTWORK_VCPUS);
	CHECK_EQ(g.dropped, 9);
	v = guestwork_find(&g, 5);
	/* Of each two addresses that are alike but for how: rows of their own. */
	for (uint64_t i = 0; i < GUESTWORK_ROWS + 50; i++) {
		struct guestwork_key key = { i / 2, i % 2 };

		guestwork_begin(&g, v, &key, i);
		fit += guestwork_end(&g, v, NULL, i + 1, &ns) != NULL;
	}
	CHECK_EQ(fit, GUESTWORK_ROWS);
	CHECK_EQ(g.rows.n, GUESTWORK_ROWS);
	CHECK(g.dropped >= 59);
	guestwork_deinit(&g);
}
