/* heatmap.c - a grid of counters, and its drawing. */
#include "show/heatmap.h"

#include "show/text.h"

enum {
	FIRST_STEP = 1000000,    /* initial width of a column, ns */
	CELL_W = 6, CELL_H = 8,  /* px */
	LEFT = 80, TOP = 40, BOTTOM = 30, RIGHT = 20,
	SHADES = 8,
};

/* Merge pairs of columns. */
static void widen(struct heatmap *h)
{
	for (size_t c = 0; c < HEATMAP_COLUMNS; c++)
		for (size_t r = 0; r < HEATMAP_ROWS; r++) {
			uint32_t v = 0;

			for (size_t from = 2 * c; from < 2 * c + 2 && from < HEATMAP_COLUMNS; from++)
				v += h->cell[from][r];
			h->cell[c][r] = v;
		}
	h->step *= 2;
}

void heatmap_add(struct heatmap *h, uint64_t time, uint64_t value)
{
	uint64_t column;
	unsigned row;

	if (!h->n++) {
		h->start = time;
		h->step = FIRST_STEP;
	}
	while ((column = (time - MIN(time, h->start)) / h->step) >= HEATMAP_COLUMNS)
		widen(h);
	row = heatmap_row(value);
	h->cell[column][MIN(row, HEATMAP_ROWS - 1u)]++;
}

/* --- the picture --- */

struct extent {
	unsigned low, high;      /* rows that are not empty */
	unsigned columns;        /* index of the last one + 1 */
	uint32_t most;           /* maximum of a cell */
};

static struct extent extent_of(const struct heatmap *h)
{
	struct extent x = { .low = HEATMAP_ROWS };

	for (unsigned c = 0; c < HEATMAP_COLUMNS; c++)
		for (unsigned r = 0; r < HEATMAP_ROWS; r++) {
			if (!h->cell[c][r])
				continue;
			x.low = MIN(x.low, r);
			x.high = MAX(x.high, r);
			x.columns = c + 1;
			x.most = MAX(x.most, h->cell[c][r]);
		}
	return x;
}

static void put_number(uint64_t v, bool is_ns, struct out *o)
{
	static const struct { const char *name; uint64_t of; } units[] = {
		{ " s", 1000000000 }, { " ms", 1000000 }, { " us", 1000 },
	};

	for (size_t i = 0; is_ns && i < ARRAY_SIZE(units); i++)
		if (v >= units[i].of) {
			out_fixed(o, (double)v / (double)units[i].of, 0, 1);
			out_str(o, units[i].name);
			return;
		}
	out_u64(o, v);
	out_str(o, is_ns ? " ns" : "");
}

static void put_seconds(uint64_t ns, struct out *o)
{
	out_fixed(o, (double)ns / 1e9, 0, 3);
	out_str(o, " s");
}

/* Logarithmic, by powers of two: a cell of one is visible beside one of a million. */
static unsigned shade_of(uint32_t n, uint32_t most)
{
	unsigned bits = 32 - (unsigned)__builtin_clz(n), all = 32 - (unsigned)__builtin_clz(most);

	return bits * SHADES / all;
}

static void put_cell(const struct heatmap *h, const struct extent *x, unsigned c, unsigned r, bool is_ns,
		     struct out *o)
{
	uint32_t n = h->cell[c][r];

	out_printf(o, "<rect class=\"s%u\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"><title>", shade_of(n, x->most),
		   LEFT + c * CELL_W, TOP + (x->high - r) * CELL_H, CELL_W, CELL_H);
	put_seconds(c * h->step, o);
	out_str(o, ": ");
	out_grouped(o, n);
	out_str(o, " of ");
	put_number(heatmap_least(r), is_ns, o);
	out_str(o, " to ");
	put_number(heatmap_least(r + 1), is_ns, o);
	out_str(o, "</title></rect>\n");
}

static void put_axes(const struct heatmap *h, const struct extent *x, bool is_ns, struct out *o)
{
	unsigned bottom = TOP + (x->high - x->low + 1) * CELL_H;

	for (unsigned r = x->low; r <= x->high; r++) {
		if (r % 4 && r != x->low)
			continue;
		out_printf(o, "<text class=\"r\" x=\"%d\" y=\"%u\">", LEFT - 6, TOP + (x->high - r + 1) * CELL_H);
		put_number(heatmap_least(r), is_ns, o);
		out_str(o, "</text>\n");
	}
	for (unsigned c = 0; c <= x->columns; c += 20) {
		out_printf(o, "<text x=\"%u\" y=\"%u\">", LEFT + c * CELL_W, bottom + 16);
		put_seconds(c * h->step, o);
		out_str(o, "</text>\n");
	}
}

static void put_style(struct out *o)
{
	/* From light yellow to dark red. */
	static const char *const shade[SHADES + 1] = {
		"#ffffe5", "#fff7bc", "#fee391", "#fec44f", "#fe9929", "#ec7014", "#cc4c02", "#993404", "#662506",
	};

	out_str(o, "<style>text{font:11px sans-serif;fill:#333}.r{text-anchor:end}.t{font-size:15px}");
	for (unsigned i = 0; i <= SHADES; i++)
		out_printf(o, ".s%u{fill:%s}", i, shade[i]);
	out_str(o, "rect:hover{stroke:#000}</style>\n");
}

void heatmap_svg(const struct heatmap *h, const char *title, bool is_ns, struct out *o)
{
	struct extent x = extent_of(h);
	unsigned rows = h->n ? x.high - x.low + 1 : 0;
	unsigned width = LEFT + HEATMAP_COLUMNS * CELL_W + RIGHT, height = TOP + rows * CELL_H + BOTTOM;

	out_printf(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
		   width, height, width, height);
	put_style(o);
	out_printf(o, "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n<text class=\"t\" x=\"%d\" y=\"20\">", width,
		   height, LEFT);
	text_put(o, sv_from(title), TEXT_ALL, TEXT_XML);
	out_str(o, " - ");
	out_grouped(o, h->n);
	out_str(o, "</text>\n");
	if (h->n)
		put_axes(h, &x, is_ns, o);
	for (unsigned c = 0; c < x.columns; c++)
		for (unsigned r = x.low; r <= x.high; r++)
			if (h->cell[c][r])
				put_cell(h, &x, c, r, is_ns, o);
	out_str(o, "</svg>\n");
}
