/* base/kept: blocks that are given back come again, within bounds. */
#include "base/kept.h"
#include "t.h"

#include <malloc.h>

struct kept kept;

#ifndef WITHOUT_KEPT

TEST(kept_is_off_until_it_begins)
{
	void *volatile p = malloc(5000);

	free(p);
	CHECK_EQ(kept.n, 0);
	kept_begin();
	p = malloc(5000);
	free(p);
	CHECK_EQ(kept.n, 1);
}

TEST(kept_blocks_come_again_for_what_fits)
{
	volatile size_t many = SIZE_MAX / 2;
	void *small, *large, *p;

	kept_begin();
	small = malloc(6000);
	large = malloc(20000);
	memset(small, 1, 6000);
	free(large);
	free(small);
	CHECK_EQ(kept.n, 2);
	p = calloc(100, 55);
	CHECK(p == small);
	for (size_t i = 0; i < 5500; i++)
		CHECK_EQ(((char *)p)[i], 0);
	free(p);
	/* Not half of it, and more than it. */
	p = malloc(2000);
	CHECK(p != small && p != large);
	CHECK(malloc(15000) == large);
	CHECK(malloc(7000000) != small);
	CHECK_EQ(kept.n, 1);
	CHECK(!calloc(many, 16));
}

TEST(kept_has_so_many_blocks_and_bytes_and_no_more)
{
	static void *v[KEPT_BLOCKS + 50];

	kept_begin();
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		v[i] = malloc(1000);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		free(v[i]);
	CHECK_EQ(kept.n, KEPT_BLOCKS);
	for (size_t i = 0; i < 20; i++)
		v[i] = malloc(1 << 20);
	for (size_t i = 0; i < 20; i++)
		free(v[i]);
	CHECK(kept.bytes <= KEPT_BYTES);
	CHECK(kept.n > 0 && kept.v[kept.n - 1].n >= 1 << 20);
	free(malloc(KEPT_BYTES));
	CHECK(kept.bytes <= KEPT_BYTES);
}

TEST(kept_arrays_grow_with_what_is_in_them)
{
	uint32_t *v = NULL;
	void *p;

	kept_begin();
	for (uint32_t n = 0; n < 100000; n++) {
		p = realloc(v, (n + 1) * sizeof(*v));
		CHECK(p);
		v = p;
		v[n] = n;
	}
	for (uint32_t n = 0; n < 100000; n++)
		CHECK_EQ(v[n], n);
	p = realloc(v, 80);
	CHECK(p && ((uint32_t *)p)[19] == 19);
	CHECK(malloc_usable_size(p) < 300000);
	free(p);
	free(NULL);
}

#endif
