/* test_spans.c - spans wait for their ends, newest first; those across a loss are told; memory is bounded. */
#include "analyse/spans.h"
#include "t.h"

struct mine {
	struct span span;
	uint64_t key;
};

static struct {
	struct spans s;
	uint64_t deep, old, left;     /* given up; open at the end */
	uint64_t last_key;            /* of those */
} bed;

static void dropped(void *arg UNUSED, const struct span *sp, enum spans_limit why)
{
	bed.deep += why == SPANS_DEEP;
	bed.old += why == SPANS_OLD;
	bed.last_key = ((const struct mine *)sp)->key;
}

static void start(uint32_t deep, uint32_t owners)
{
	spans_deinit(&bed.s);
	memset(&bed, 0, sizeof(bed));
	spans_init(&bed.s, sizeof(struct mine),
		   &(struct spans_limits){ .deep = deep, .owners = owners, .dropped = dropped });
}

static void on(uint64_t owner, uint64_t ts, uint32_t cpu, uint64_t key)
{
	struct mine *m = spans_open(&bed.s, &(struct span){ .owner = owner, .ts = ts, .cpu = cpu, .pinned = key & 1 });

	CHECK(m != NULL);
	CHECK_EQ(m->key, 0);
	m->key = key;
}

static struct span *find(uint64_t owner, uint64_t key)
{
	struct span *sp = spans_newest(&bed.s, owner);

	while (sp && ((struct mine *)sp)->key != key)
		sp = spans_older(&bed.s, sp);
	return sp;
}

/* Ends it on that CPU; was it whole? */
static bool off(uint64_t owner, uint32_t cpu, uint64_t key)
{
	struct span *sp = find(owner, key);
	bool whole = spans_whole(&bed.s, sp, cpu);

	spans_close(&bed.s, sp);
	return whole;
}

static void follow(uint32_t cpu, uint64_t lost, bool in_gap)
{
	struct tstream_rec rec = { .cpu = cpu, .lost = lost, .in_gap = in_gap };

	CHECK_EQ(spans_follow(&bed.s, &rec), 0);
}

enum { PINNED = 1, FREE = 2 };

TEST(spans_end_in_any_order_and_owners_are_apart)
{
	start(8, 8);
	for (uint64_t key = 1; key <= 5; key++)
		on(7, key, 0, key);
	on(8, 6, 0, 3);
	CHECK(off(7, 0, 3));
	CHECK(!find(7, 3));
	CHECK(off(7, 0, 5));
	CHECK(off(7, 0, 1));
	CHECK_EQ(((struct mine *)spans_newest(&bed.s, 7))->key, 4);
	CHECK_EQ(((struct mine *)spans_older(&bed.s, spans_newest(&bed.s, 7)))->key, 2);
	CHECK(!spans_older(&bed.s, find(7, 2)));
	CHECK(off(8, 0, 3));
	CHECK(!spans_newest(&bed.s, 8));
	CHECK(!spans_newest(&bed.s, 9));
	/* What was closed is used again. */
	on(9, 7, 0, 6);
	CHECK_EQ(bed.s.n, 7);
}

TEST(spans_across_a_loss_are_not_whole)
{
	start(8, 8);
	on(7, 1, 0, FREE);
	follow(1, 3, false);
	on(8, 2, 0, FREE);
	CHECK(!off(7, 0, FREE));
	CHECK(off(8, 0, FREE));
}

/* Between the last record before a loss and the first one behind it, other rings go on. */
TEST(spans_within_a_gap_of_another_ring_are_not_whole)
{
	start(8, 8);
	on(6, 1, 0, FREE);
	follow(0, 0, true);
	on(7, 2, 0, FREE);
	CHECK(!off(6, 0, FREE));
	follow(0, 0, true);
	CHECK(!off(7, 0, FREE));
	on(8, 3, 0, FREE);
	follow(1, TPAGE_LOST_UNKNOWN, true);
	CHECK(!off(8, 0, FREE));
	on(9, 4, 0, FREE);
	follow(0, 0, false);
	CHECK(off(9, 0, FREE));
}

TEST(spans_of_one_cpu_know_only_its_losses)
{
	start(8, 8);
	on(7, 1, 0, PINNED);
	follow(1, 3, false);
	CHECK(off(7, 0, PINNED));
	on(7, 2, 1, PINNED);
	follow(1, 3, false);
	CHECK(!off(7, 1, PINNED));
	on(7, 3, 1, PINNED);
	CHECK(!off(7, 0, PINNED));    /* not where it began */
	follow(UINT32_MAX, 1, false);
}

TEST(spans_of_an_owner_are_bounded)
{
	start(3, 8);
	for (uint64_t key = 1; key <= 5; key++)
		on(7, key, 0, key);
	CHECK_EQ(bed.deep, 2);
	CHECK_EQ(bed.last_key, 2);
	CHECK(off(7, 0, 4));
	on(7, 6, 0, 6);
	CHECK_EQ(bed.deep, 2);
	CHECK(find(7, 3) && find(7, 5) && find(7, 6));
}

TEST(spans_old_owners_make_room)
{
	start(2, 100);
	for (uint64_t i = 1; i <= 1000; i++) {
		on(i, i, 0, i);
		CHECK(bed.s.newest.n <= 100);
		CHECK(bed.s.n <= 102);
	}
	CHECK(bed.old >= 900);
	CHECK(find(1000, 1000) != NULL);
	CHECK(find(980, 980) != NULL);
	/* Nothing is given up where owners have nothing open. */
	start(2, 100);
	for (uint64_t i = 1; i <= 1000; i++) {
		on(i, i, 0, i);
		off(i, 0, i);
	}
	CHECK_EQ(bed.old, 0);
	/* Times that tell nothing. */
	start(2, 10);
	for (uint64_t i = 1; i <= 100; i++)
		on(i, UINT64_MAX, 0, i);
	for (uint64_t i = 1; i <= 100; i++)
		on(i, 100 - i, 0, i);
	CHECK(bed.s.newest.n <= 10);
}

static void open(void *arg UNUSED, const struct span *sp)
{
	bed.left += ((const struct mine *)sp)->key;
}

TEST(spans_that_are_open_at_the_end)
{
	start(8, 8);
	on(1, 1, 0, 10);
	on(1, 2, 0, 20);
	on(2, 3, 0, 30);
	off(1, 0, 10);
	spans_end(&bed.s, open, NULL);
	CHECK_EQ(bed.left, 50);
	CHECK(!spans_newest(&bed.s, 1));
	start(1, 1);
	spans_deinit(&bed.s);
}
