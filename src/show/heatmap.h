/*
 * heatmap.h - distribution of values over time as a self-contained SVG: time to the right, values upwards in steps of a
 * quarter of a power of two, darker for more.
 *
 * Its size is fixed: when the time exceeds it, columns become twice as long.
 */
#ifndef SHOW_HEATMAP_H
#define SHOW_HEATMAP_H

#include "base/fmt.h"

enum { HEATMAP_COLUMNS = 160, HEATMAP_ROWS = 256 };

/* Zeroed it is empty. */
struct heatmap {
	uint64_t start, step;    /* ns */
	uint64_t n;
	uint32_t cell[HEATMAP_COLUMNS][HEATMAP_ROWS];
};

/* Times before the first one count as the first. */
void heatmap_add(struct heatmap *h, uint64_t time, uint64_t value);

/* is_ns: values are times, shown with units. */
void heatmap_svg(const struct heatmap *h, const char *title, bool is_ns, struct out *o);

/*
 * The row of a value, and the lowest value of a row. Values below 4 have rows of their own; above, each power of two
 * has 4 rows.
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
