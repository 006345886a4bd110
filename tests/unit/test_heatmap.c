/* test_heatmap.c - rows of numbers, columns that become longer, and the picture. */
#include "show/heatmap.h"
#include "t.h"

TEST(heatmap_rows_hold_a_quarter_of_a_power_of_two)
{
	for (unsigned row = 0; row < 4 * 62; row++) {
		CHECK_EQ(heatmap_row(heatmap_least(row)), row);
		CHECK_EQ(heatmap_row(heatmap_least(row + 1) - 1), row);
	}
	CHECK_EQ(heatmap_row(0), 0);
	CHECK(heatmap_row(UINT64_MAX) < HEATMAP_ROWS);
}

static uint64_t sum(const struct heatmap *h)
{
	uint64_t n = 0;

	for (size_t c = 0; c < HEATMAP_COLUMNS; c++)
		for (size_t r = 0; r < HEATMAP_ROWS; r++)
			n += h->cell[c][r];
	return n;
}

TEST(heatmap_columns_grow_with_the_time)
{
	static struct heatmap h;

	for (uint64_t i = 0; i < 100000; i++)
		heatmap_add(&h, 5000 + i * 1000000, i);
	CHECK_EQ(h.n, 100000);
	CHECK_EQ(sum(&h), 100000);
	CHECK_EQ(h.start, 5000);
	/* 100 s do not fit 160 columns of 512 ms. */
	CHECK_EQ(h.step, UINT64_C(1024) * 1000000);
	CHECK_EQ(h.cell[0][heatmap_row(600)] > 0, 1);
	heatmap_add(&h, 1, 7);
	CHECK_EQ(sum(&h), 100001);
}

TEST(heatmap_is_one_picture)
{
	static struct heatmap h;
	struct mem_out m;
	const char *svg;

	mem_out_init(&m);
	heatmap_svg(&h, "nothing", true, &m.out);
	CHECK(strstr(mem_out_str(&m), "</svg>"));
	mem_out_deinit(&m);
	for (uint64_t i = 0; i < 1000; i++)
		heatmap_add(&h, i * 100000, 1000 + i * i);
	mem_out_init(&m);
	heatmap_svg(&h, "a<b", true, &m.out);
	svg = mem_out_str(&m);
	CHECK(strstr(svg, "a&lt;b - 1,000") && !strstr(svg, "a<b"));
	CHECK(strstr(svg, "0.000 s: ") && strstr(svg, " us to "));
	mem_out_deinit(&m);
}
