/* svg.h - shared by svg.c and svg_parts.c. */
#ifndef TIMECHART_SVG_H
#define TIMECHART_SVG_H

#include "timechart/timechart.h"

/* Sizes in px; SVG_LEFT is for the names of rows. */
enum {
	SVG_LEFT = 230, SVG_RIGHT = 20, SVG_TOP = 78, SVG_CPU = 44, SVG_CPU_STEP = 52, SVG_ROW = 20, SVG_ROW_STEP = 25,
	SVG_BETWEEN = 16,
};

struct chart_svg {
	struct timechart *t;
	struct out *o;
	uint64_t first, length, long_ns;     /* ns; long_ns: highlight longer runs; 0: highlight by name */
	double scale;                        /* px per ns */
	unsigned width, rows_at, height, n_rows, n_cpus;
	uint32_t *rows, *cpus;               /* indexes, in the order of drawing */
};

double svg_x(const struct chart_svg *s, uint64_t time);
void svg_ns(struct out *o, uint64_t ns);
void svg_name(const struct chart_svg *s, const struct chart_row *row, size_t columns);

/* The bars of a row, relative to its upper left corner; and wake-ups between rows. */
void svg_cpu(const struct chart_svg *s, uint32_t cpu);
void svg_task(const struct chart_svg *s, uint32_t row);
void svg_wakeups(const struct chart_svg *s);

#endif
