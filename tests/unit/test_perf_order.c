/* order: against a stable sort of the same items, with and without rounds. */
#include "perf/order.h"

#include "t.h"

struct numbered {
	struct order_item it;
	size_t seq;
};

static int by_time(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	if (x->it.time != y->it.time)
		return x->it.time < y->it.time ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

static uint32_t rnd(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

enum { N = 20000 };

static struct numbered all[N];

/* Items as several rings give them: runs of random length, each ascending; many times are equal. */
static size_t fill(uint64_t seed, unsigned run_max)
{
	size_t n = N / 2 + rnd(&seed) % (N / 2);
	uint64_t time = 1;

	for (size_t i = 0, left = 0; i < n; i++, left--) {
		if (!left) {
			left = 1 + rnd(&seed) % run_max;
			time = 1 + rnd(&seed) % 5000;
		}
		time += rnd(&seed) % 3;
		all[i] = (struct numbered){ { time, i * 3 }, i };
	}
	return n;
}

static void check_sorted(struct order *o, size_t n)
{
	struct order_item it;

	qsort(all, n, sizeof(all[0]), by_time);
	for (size_t i = 0; i < n; i++) {
		CHECK_EQ(order_pop(o, &it), 1);
		CHECK_EQ(it.time, all[i].it.time);
		CHECK_EQ(it.off, all[i].it.off);
	}
	CHECK_EQ(order_pop(o, &it), 0);
}

TEST(order_is_a_stable_sort_when_there_are_no_rounds)
{
	for (unsigned seed = 1; seed < 12; seed++) {
		struct order *o = order_new();
		size_t n = fill(seed, seed % 2 ? 1000 : 3);
		struct order_item it;

		for (size_t i = 0; i < n; i++) {
			CHECK_EQ(order_push(o, all[i].it), 0);
			CHECK_EQ(order_pop(o, &it), 0);
		}
		order_end(o);
		CHECK_EQ(order_stats(o)->peak, n);
		check_sorted(o, n);
		CHECK_EQ(order_stats(o)->pushed, n);
		CHECK_EQ(order_stats(o)->late, 0);
		order_free(o);
	}
}

/*
 * Four rings that are read in turn: a round's items are all of the time slice before it or of its
 * own.
 */
static size_t push_round(struct order *o, uint64_t *seed, uint64_t slice, size_t n)
{
	for (unsigned ring = 0; ring < 4; ring++) {
		uint64_t time = slice * 1000 + rnd(seed) % 300;

		for (unsigned i = 0; i < 10; i++, n++) {
			time += rnd(seed) % 100;
			all[n] = (struct numbered){ { time, n }, n };
			CHECK_EQ(order_push(o, all[n].it), 0);
		}
	}
	return n;
}

TEST(order_keeps_to_two_rounds_of_memory_and_is_still_sorted)
{
	enum { ROUNDS = 400, ROUND = 40 };
	static struct order_item got[N];
	struct order *o = order_new();
	uint64_t seed = 7;
	size_t n = 0, popped = 0;

	for (unsigned r = 0; r < ROUNDS; r++) {
		n = push_round(o, &seed, r + 1, n);
		order_round(o);
		while (order_pop(o, &got[popped]))
			popped++;
	}
	CHECK(order_stats(o)->peak <= 3 * ROUND);
	CHECK_EQ(order_stats(o)->rounds, ROUNDS);
	order_end(o);
	while (order_pop(o, &got[popped]))
		popped++;
	CHECK_EQ(popped, n);
	CHECK_EQ(order_stats(o)->late, 0);
	qsort(all, n, sizeof(all[0]), by_time);
	for (size_t i = 0; i < n; i++)
		CHECK_EQ(got[i].off, all[i].it.off);
	order_free(o);
}

/* Far apart in time, and forwards and backwards in the file: nothing of an item is lost. */
TEST(order_keeps_items_that_are_far_apart)
{
	struct order *o = order_new();
	struct order_item it;
	uint64_t seed = 3;
	size_t n = 0;

	for (uint64_t time = 1, off = UINT64_C(1) << 40; n < 4000; n++) {
		time += rnd(&seed) % 4 ? rnd(&seed) % 3 : (uint64_t)rnd(&seed) << rnd(&seed) % 4;
		off += (uint64_t)rnd(&seed) << rnd(&seed) % 5;
		off -= (uint64_t)rnd(&seed) << rnd(&seed) % 4;
		if (n % 500 == 499)
			time /= 2;
		all[n] = (struct numbered){ { time, off }, n };
		CHECK_EQ(order_push(o, all[n].it), 0);
	}
	order_end(o);
	check_sorted(o, n);
	CHECK_EQ(order_pop(o, &it), 0);
	order_free(o);
}

/* Room is made while the newest run has been given out: what comes next does not go on from it. */
TEST(order_begins_anew_behind_a_run_that_was_squeezed_out)
{
	struct order *o = order_new();
	size_t n = 0;

	for (uint64_t round = 0; round < 40; round++) {
		struct order_item it;

		for (uint64_t i = 0; i < 60; i++, n++) {
			all[n] = (struct numbered){ { 1000000 + n, n << 20 }, n };
			CHECK_EQ(order_push(o, all[n].it), 0);
		}
		for (uint64_t i = 0; i < 60; i++) {
			CHECK_EQ(order_push(o, (struct order_item){ 1 + round * 60 + i, n * 7 + i }), 0);
			order_upto(o, 1 + round * 60 + i);
			CHECK_EQ(order_pop(o, &it), 1);
			CHECK_EQ(it.off, n * 7 + i);
		}
	}
	order_end(o);
	check_sorted(o, n);
	order_free(o);
}

static void push(struct order *o, uint64_t time)
{
	CHECK_EQ(order_push(o, (struct order_item){ time, time * 10 }), 0);
}

static uint64_t popped_time(struct order *o)
{
	struct order_item it;

	return order_pop(o, &it) ? it.time : UINT64_MAX;
}

TEST(order_gives_out_up_to_the_newest_of_the_round_before)
{
	struct order *o = order_new();

	push(o, 10);
	push(o, 20);
	order_round(o);
	CHECK_EQ(popped_time(o), UINT64_MAX);
	push(o, 15);
	push(o, 40);
	order_round(o);
	CHECK_EQ(popped_time(o), 10);
	CHECK_EQ(popped_time(o), 15);
	CHECK_EQ(popped_time(o), 20);
	CHECK_EQ(popped_time(o), UINT64_MAX);
	order_end(o);
	CHECK_EQ(popped_time(o), 40);
	CHECK_EQ(order_stats(o)->late, 0);
	order_free(o);
}

TEST(order_counts_late_items_and_gives_them_out_at_once)
{
	struct order *o = order_new();

	push(o, 10);
	push(o, 20);
	order_round(o);
	order_round(o);
	CHECK_EQ(popped_time(o), 10);
	CHECK_EQ(popped_time(o), 20);
	push(o, 20);
	CHECK_EQ(order_stats(o)->late, 0);
	push(o, 12);
	CHECK_EQ(order_stats(o)->late, 1);
	CHECK_EQ(popped_time(o), 12);
	CHECK_EQ(popped_time(o), 20);
	CHECK_EQ(popped_time(o), UINT64_MAX);
	order_free(o);
}

TEST(order_gives_items_without_time_out_at_once)
{
	struct order *o = order_new();

	push(o, 50);
	push(o, 0);
	CHECK_EQ(popped_time(o), 0);
	CHECK_EQ(popped_time(o), UINT64_MAX);
	order_round(o);
	order_round(o);
	push(o, 0);
	CHECK_EQ(order_stats(o)->late, 0);
	order_free(o);
	order_free(NULL);
}
