/* Vectors, maps, interned names, arenas, heaps. */
#include "base/arena.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/slots.h"
#include "base/sort.h"
#include "t.h"

TEST(map_keeps_every_key_through_growth)
{
	struct map m = { 0 };
	bool is_new;

	for (uint64_t i = 0; i < 10000; i++)
		*map_add(&m, i * 4096, &is_new) = i;
	CHECK_EQ(m.n, 10000);
	for (uint64_t i = 0; i < 10000; i++)
		if (!map_get(&m, i * 4096) || *map_get(&m, i * 4096) != i)
			t_fail(__FILE__, __LINE__, "key %llu", (unsigned long long)i);
	CHECK(map_get(&m, 1) == NULL);
	map_add(&m, 0, &is_new);
	CHECK(!is_new);
	map_deinit(&m);
}

static bool is_key(const void *rows, uint32_t n, const void *key)
{
	return ((const uint64_t *)rows)[n] == *(const uint64_t *)key;
}

/* Hashes that meet among them, and a row that has none of its own. */
TEST(slots_find_every_row_through_growth)
{
	enum { N = 5000 };
	struct slots s = { 0 };
	uint64_t rows[N] = { 0 }, absent = 3;

	CHECK_EQ(slots_find(&s, 0, is_key, rows, &absent), SLOTS_NONE);
	for (uint32_t i = 0; i < N; i++) {
		rows[i] = i * UINT64_C(4096);
		CHECK_EQ(slots_add(&s, slots_hash(rows[i]) >> (i % 3 ? 0 : 24), i), 0);
	}
	CHECK_EQ(s.n, N);
	for (uint32_t i = 0; i < N; i++)
		if (slots_find(&s, slots_hash(rows[i]) >> (i % 3 ? 0 : 24), is_key, rows, &rows[i]) != i)
			t_fail(__FILE__, __LINE__, "row %u", i);
	CHECK_EQ(slots_find(&s, slots_hash(absent), is_key, rows, &absent), SLOTS_NONE);
	CHECK_EQ(slots_find(&s, 0, is_key, rows, &absent), SLOTS_NONE);
	CHECK_EQ(slots_add(&s, 0, SLOTS_NONE), -ENOMEM);
	slots_deinit(&s);
}

TEST(names_are_interned_by_content)
{
	struct names t = { 0 };
	char buf[32];

	for (int i = 0; i < 5000; i++) {
		int n = snprintf(buf, sizeof(buf), "name%d", i);

		CHECK_EQ(names_add(&t, buf, (size_t)n), i);
	}
	CHECK_EQ(names_add(&t, "name77", 6), 77);
	CHECK_EQ(names_find(&t, "name4999", 8), 4999);
	CHECK_EQ(names_find(&t, "name", 4), NAMES_NONE);
	CHECK_STR(names_str(&t, 4999), "name4999");
	CHECK_STR(names_str(&t, NAMES_NONE), "");
	names_deinit(&t);
}

TEST(arena_that_was_cleared_gives_its_blocks_again_and_zeroed)
{
	struct arena a = { 0 };
	size_t total, large;

	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 1000; i++) {
			uint8_t *p = arena_alloc(&a, 100);

			CHECK_EQ(p[0] + p[50] + p[99], 0);
			memset(p, 0xff, 100);
		}
		CHECK(!round || a.total == total);
		total = a.total;
		/* One that was made for a single large thing is of no use to others. */
		CHECK(arena_alloc(&a, 1 << 20));
		large = a.total;
		CHECK(large >= total + (1 << 20));
		arena_clear(&a);
		CHECK_EQ(a.total, total);
		CHECK(a.blocks == NULL);
	}
	arena_deinit(&a);
	CHECK(a.spare == NULL);
}

TEST(arena_pieces_do_not_overlap_and_are_aligned)
{
	struct arena a = { 0 };
	uint8_t *p[300];

	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		p[i] = arena_alloc(&a, i * 7 + 1);
		CHECK_EQ((uintptr_t)p[i] % 8, 0);
		memset(p[i], (int)i, i * 7 + 1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		for (size_t k = 0; k < i * 7 + 1; k++)
			if (p[i][k] != (uint8_t)i)
				t_fail(__FILE__, __LINE__, "piece %zu was overwritten", i);
	CHECK_STR(arena_dup(&a, "abcdef", 3), "abc");
	CHECK(arena_alloc(&a, SIZE_MAX) == NULL);
	CHECK(arena_dup(&a, "", SIZE_MAX) == NULL);
	arena_deinit(&a);
}

static int by_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

TEST(heap_gives_keys_in_the_order_of_qsort)
{
	uint64_t keys[1000], sorted[1000], seed = 42;
	struct heap h;

	CHECK_EQ(heap_init(&h, ARRAY_SIZE(keys)), 0);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		keys[i] = sorted[i] = seed >> 54;
		heap_push(&h, keys[i], (uint32_t)i);
	}
	qsort(sorted, ARRAY_SIZE(sorted), sizeof(sorted[0]), by_u64);

	struct heap_item last = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct heap_item it = heap_pop(&h);

		CHECK_EQ(it.key, sorted[i]);
		CHECK_EQ(it.key, keys[it.val]);
		CHECK(!i || it.key > last.key || it.val > last.val);
		last = it;
	}
	CHECK(heap_top(&h) == NULL);
	heap_deinit(&h);
}

TEST(heap_replace_moves_the_top_down)
{
	struct heap h;

	CHECK_EQ(heap_init(&h, 3), 0);
	heap_push(&h, 1, 0);
	heap_push(&h, 5, 1);
	heap_push(&h, 3, 2);
	heap_replace(&h, 4);
	CHECK_EQ(heap_top(&h)->val, 2);
	heap_replace(&h, 9);
	CHECK_EQ(heap_top(&h)->val, 0);
	heap_deinit(&h);
}

TEST(heap_exchange_gives_the_top_for_another)
{
	struct heap h;

	CHECK_EQ(heap_init(&h, 2), 0);
	heap_push(&h, 5, 0);
	CHECK_EQ(heap_exchange(&h, 7, 1).val, 0);
	CHECK_EQ(heap_top(&h)->key, 7);
	heap_push(&h, 6, 2);
	CHECK_EQ(heap_exchange(&h, 9, 3).key, 6);
	CHECK_EQ(heap_top(&h)->val, 1);
	heap_pop(&h);
	CHECK_EQ(heap_pop(&h).val, 3);
	heap_deinit(&h);
}

TEST(vec_refuses_what_would_overflow)
{
	VEC(uint64_t) v = { 0 };

	CHECK(vec_add(&v) != NULL);
	CHECK(vec_add(&v) != NULL);
	CHECK_EQ(v.v[1], 0);
	CHECK_EQ(v.n, 2);
	CHECK_EQ(vec_reserve(&v, SIZE_MAX - 1), -ENOMEM);
	CHECK_EQ(vec_reserve(&v, SIZE_MAX / 8), -ENOMEM);
	vec_free(&v);
}

static int by_tens(const void *arg UNUSED, uint32_t a, uint32_t b)
{
	return (int)(a / 10) - (int)(b / 10);
}

/* Equal tens keep the order they came in, for every length around the powers of two. */
TEST(sort_is_stable_and_complete)
{
	for (size_t n = 0; n < 70; n++) {
		uint32_t v[70], spare[70], was[70], seed = 7;

		for (size_t i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			v[i] = (seed >> 16) % 9 * 10 + (uint32_t)(i % 10);
		}
		memcpy(was, v, sizeof(v));
		sort_u32(v, spare, n, by_tens, NULL);
		for (size_t i = 1; i < n; i++)
			CHECK(v[i - 1] / 10 <= v[i] / 10);
		for (uint32_t tens = 0; tens < 9; tens++) {
			size_t at = 0;

			for (size_t i = 0; i < n; i++) {
				if (was[i] / 10 != tens)
					continue;
				while (at < n && v[at] / 10 != tens)
					at++;
				CHECK(at < n && v[at++] == was[i]);
			}
		}
	}
}

/* Keys of one byte, of all, of none that differ; what is equal stays in its order. */
TEST(sort_by_key_is_stable_and_complete)
{
	static const uint64_t masks[] = { 0, 0xff, UINT64_C(7) << 60, UINT64_C(0x3000300030003), UINT64_MAX };
	enum { N = 500 };

	for (size_t m = 0; m < ARRAY_SIZE(masks); m++)
		for (size_t n = 0; n < N; n += n < 4 ? 1 : 124) {
			uint64_t key[N], seed = m;
			uint32_t v[N], spare[N];

			for (size_t i = 0; i < N; i++) {
				seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
				key[i] = (seed ^ seed >> 31) & masks[m];
				v[i] = (uint32_t)i;
			}
			sort_by_key(v, spare, n, key);
			for (size_t i = 1; i < n; i++)
				CHECK(key[v[i - 1]] < key[v[i]] || (key[v[i - 1]] == key[v[i]] && v[i - 1] < v[i]));
			for (size_t i = n; i < N; i++)
				CHECK_EQ(v[i], i);
		}
}
