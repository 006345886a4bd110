/*
 * heatmap.h - how numbers are spread over time, as one self-contained SVG: time to the right, numbers upwards in steps
 * of a quarter of a power of two, the darker the more there are.
 *
 * Its size is fixed: where the time does not fit any more, columns become twice as long.
 */
#ifndef SHOW_HEATMAP_H
#define SHOW_HEATMAP_H

#include "base/fmt.h"

enum { HEATMAP_COLUMNS = 160, HEATMAP_ROWS = 256 };

/* A zeroed one is empty. */
struct heatmap {
	uint64_t start, step;    /* ns */
	uint64_t n;
	uint32_t cell[HEATMAP_COLUMNS][HEATMAP_ROWS];
};

/* Times before the first one count as that. */
void heatmap_add(struct heatmap *h, uint64_t time, uint64_t value);

/* is_ns: numbers are times, and have their units. */
void heatmap_svg(const struct heatmap *h, const char *title, bool is_ns, struct out *o);

/*
 * The row of a number, and the smallest number of a row. Numbers below 4 have rows of their own; then there are 4 for
 * each power of two.
 */
static inline unsigned heatmap_row(uint64_t value)
{
	unsigned bits = value ? 63 - (unsigned)__builtin_clzll(value) : 0;

	if (value < 4)
		return (unsigned)value;
	return 4 * (bits - 1) + (unsigned)(value >> (bits - 2) & 3);
}

static inline uint64_t heatmap_least(unsigned row)
{
	if (row < 4)
		return row;
	return (uint64_t)(4 + row % 4) << (row / 4 - 1);
}

#endif
