/*
 * flame_svg.c - a flame as an SVG file that shows its frames in any viewer; in a browser the
 * script at its end makes it interactive (flame_script.c).
 *
 * Frames are in one group per depth, from left to right. The group's data-f attribute holds
 * two numbers per frame, exact where the coordinates are rounded: the gap to the frame on its left
 * and the frame's own weight. A frame is
 *   <g><title>name LF numbers</title><rect/><text/></g>
 * with the text only where some of it fits. The script derives everything else.
 */
#include "base/packed.h"
#include "show/flame_tree.h"
#include "show/text.h"

enum {
	PAD = 10,          /* px left and right of the frames */
	HEAD = 84,         /* px above: title, subtitle, legend */
	FOOT = 30,         /* px below: the script's status line */
	ROW = 18,          /* px from row to row, including a separating line */
	FONT = 12,         /* px; monospace, so that text can be cut without measuring it */
	SHADES = 8,
	KINDS = FLAME_KERNEL + 1,
};

static const double char_width = 0.605 * FONT;   /* of the widest common monospace fonts */

struct palette {
	const char *label;
	char letter;         /* of the CSS class */
	unsigned hue;        /* degrees */
	unsigned spread;     /* degrees between the first and the last shade */
	unsigned saturation; /* percent */
};

static const struct palette palettes[KINDS] = {
	[FLAME_PLAIN] = { "other", 'p', 36, 22, 84 },
	[FLAME_USER] = { "program", 'u', 128, 34, 42 },
	[FLAME_LIBRARY] = { "library", 'l', 200, 26, 62 },
	[FLAME_KERNEL] = { "kernel", 'k', 8, 18, 82 },
};

/* Weight of a subtree in both profiles. */
struct flame_sums {
	uint64_t now, old;
};

/* State shared by the writers below. */
struct svg {
	struct out *o;
	const struct flame *f;
	const struct flame_boxes *b;
	struct flame_want want;   /* defaults filled in */
	struct flame_sums *sums;  /* of each node, compared with an older profile; NULL: no comparison */
	double largest;           /* maximum difference of a frame's own share */
};

/* One channel of a colour, 0..255: red, green and blue are offset by 0, 8 and 4 twelfths of a turn. */
static unsigned channel(unsigned twelfths, unsigned hue, double s, double l)
{
	double k = twelfths + hue / 30.0, a = s * MIN(l, 1 - l), ramp;

	while (k >= 12)
		k -= 12;
	ramp = MAX(-1.0, MIN(1.0, MIN(k - 3, 9 - k)));
	return (unsigned)((l - a * ramp) * 255 + 0.5);
}

static void put_fill(struct out *o, unsigned hue, unsigned saturation, unsigned lightness)
{
	double s = saturation / 100.0, l = lightness / 100.0;

	out_printf(o, "{fill:#%02x%02x%02x}", channel(0, hue, s, l), channel(8, hue, s, l),
		   channel(4, hue, s, l));
}

enum scheme { LIGHT, DARK };

/* Neighbouring shades differ in hue and lightness, to distinguish adjacent frames. */
static void put_shades(struct out *o, enum scheme scheme)
{
	for (const struct palette *p = palettes; p < palettes + KINDS; p++)
		for (unsigned i = 0; i < SHADES; i++) {
			unsigned hue = p->hue + p->spread * i / (SHADES - 1);
			unsigned mixed = i * 5 % SHADES;

			out_printf(o, ".%c%u", p->letter, i);
			if (scheme == DARK)
				put_fill(o, hue, p->saturation * 2 / 3, 30 + mixed);
			else
				put_fill(o, hue, p->saturation, 68 + 2 * mixed);
		}
}

/* Shades of a comparison: m is more, w is less; stronger for larger differences. */
static void put_differences(struct out *o, enum scheme scheme)
{
	enum { RED = 6, BLUE = 216 };

	for (unsigned i = 0; i < SHADES; i++) {
		unsigned lightness = scheme == DARK ? 24 + 3 * i : 92 - 4 * i;

		out_printf(o, ".m%u", i);
		put_fill(o, RED, 30 + 8 * i, lightness);
		out_printf(o, ".w%u", i);
		put_fill(o, BLUE, 30 + 8 * i, lightness);
	}
}

static void put_colours(const struct svg *s, enum scheme scheme)
{
	if (s->sums)
		put_differences(s->o, scheme);
	else
		put_shades(s->o, scheme);
}

static void put_style(const struct svg *s)
{
	struct out *o = s->o;

	out_str(o, "<style>\n"
		"svg{color-scheme:light dark;background:#fff}\n"
		"text{font:12px ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;"
		"fill:#16181d;white-space:pre;pointer-events:none}\n"
		".head text,.foot text{font-family:system-ui,\"DejaVu Sans\",sans-serif}\n"
		".head .title{font-size:18px;font-weight:600}\n"
		".head .muted{fill:#5b6270}\n"
		".page{fill:#fff}\n"
		".a0{fill:#d5d9e0}\n"
		".row rect:hover{stroke:#16181d;stroke-width:1.2}\n"
		".up rect{opacity:.45}\n"
		".found .row rect{opacity:.35}\n"
		".found .row .hit rect{opacity:1;fill:#e14bd0}\n");
	put_colours(s, LIGHT);
	out_str(o, "\n@media (prefers-color-scheme:dark){\n"
		"svg{background:#15171c}\n"
		"text{fill:#e9ebf0}\n"
		".head .muted{fill:#9aa2b1}\n"
		".page{fill:#15171c}\n"
		".a0{fill:#3a404b}\n"
		".row rect:hover{stroke:#fff}\n"
		".found .row .hit rect{fill:#b32aa3}\n");
	put_colours(s, DARK);
	out_str(o, "\n}\n</style>\n");
}

/* Print v with up to two decimals. */
static void put_px(struct out *o, double v)
{
	uint64_t c = (uint64_t)(v * 100 + 0.5);

	out_u64(o, c / 100);
	if (c % 100) {
		out_char(o, '.');
		out_u64(o, c % 100 / 10);
		if (c % 10)
			out_u64(o, c % 10);
	}
}

static double inner_width(const struct svg *s)
{
	return s->want.width - 2.0 * PAD;
}

static double to_px(const struct svg *s, uint64_t weight)
{
	return s->f->total ? (double)weight * inner_width(s) / (double)s->f->total : 0;
}

static size_t row_y(const struct svg *s, size_t row)
{
	return HEAD + ROW * (s->want.order == FLAME_GROW_DOWN ? row : s->b->rows - 1 - row);
}

static struct sv box_name(const struct svg *s, const struct flame_box *b)
{
	return sv_from(b->node ? names_str(&s->f->names, s->f->node.v[b->node].name) : "all");
}

static double share(uint64_t weight, uint64_t total)
{
	return total ? (double)weight * 100 / (double)total : 0;
}

/* Difference of the frame's own share, in percentage points. */
static double own_difference(const struct svg *s, uint32_t node)
{
	const struct flame_node *n = &s->f->node.v[node];

	return share(n->self, s->f->total) - share(n->old, s->f->old_total);
}

static void put_class(const struct svg *s, const struct flame_box *b)
{
	const struct flame_node *n = &s->f->node.v[b->node];
	struct sv name = box_name(s, b);
	double more = s->sums && b->node ? own_difference(s, b->node) : 0;

	if (s->sums) {
		out_char(s->o, more > 0 ? 'm' : more < 0 ? 'w' : 'a');
		out_u64(s->o, more ? (uint64_t)((more < 0 ? -more : more) * (SHADES - 1) / s->largest + 0.5) : 0);
		return;
	}
	out_char(s->o, b->node ? palettes[n->kind].letter : 'a');
	out_u64(s->o, b->node ? hash_bytes(name.s, name.n) % SHADES : 0);
}

static void put_title(const struct svg *s, const struct flame_box *b)
{
	uint64_t total = s->f->total;

	out_str(s->o, "<g><title>");
	text_put(s->o, box_name(s, b), TEXT_ALL, TEXT_XML);
	out_char(s->o, '\n');
	out_grouped(s->o, b->w);
	out_char(s->o, ' ');
	text_put(s->o, sv_from(s->want.unit), TEXT_ALL, TEXT_XML);
	out_printf(s->o, ", %.2f%%", total ? share(b->w, total) : 100.0);
	if (s->sums && b->node)
		out_printf(s->o, " (%+.2f, itself %+.2f)",
			   share(b->w, total) - share(s->sums[b->node].old, s->f->old_total),
			   own_difference(s, b->node));
	out_str(s->o, "</title>");
}

static void put_box(const struct svg *s, const struct flame_box *b)
{
	double w = b->node ? to_px(s, b->w) : inner_width(s);   /* a root may have no samples */
	int columns = (int)((w - 6) / char_width);

	put_title(s, b);
	out_str(s->o, "<rect x=\"");
	put_px(s->o, PAD + to_px(s, b->x));
	out_str(s->o, "\" width=\"");
	put_px(s->o, w > 2 ? w - 0.5 : w);
	out_printf(s->o, "\" height=\"%d\" class=\"", ROW - 1);
	put_class(s, b);
	out_str(s->o, "\"/>");
	if (columns >= 3) {
		out_str(s->o, "<text x=\"");
		put_px(s->o, PAD + to_px(s, b->x) + 3);
		out_str(s->o, "\" y=\"13\">");
		text_put(s->o, box_name(s, b), (size_t)columns, TEXT_XML);
		out_str(s->o, "</text>");
	}
	out_str(s->o, "</g>\n");
}

/* The boxes of one row, from `at`; returns where the next row starts. */
static size_t put_row(const struct svg *s, size_t at)
{
	const struct flame_box *v = s->b->list.v;
	size_t end = at;
	uint64_t x = 0;

	out_printf(s->o, "<g class=\"row\" transform=\"translate(0 %zu)\" data-f=\"",
		   row_y(s, v[at].row));
	for (; end < s->b->list.n && v[end].row == v[at].row; end++) {
		if (end > at)
			out_char(s->o, ' ');
		out_u64(s->o, v[end].x - x);
		out_char(s->o, ' ');
		out_u64(s->o, v[end].w);
		x = v[end].x + v[end].w;
	}
	out_str(s->o, "\">\n");
	for (; at < end; at++)
		put_box(s, &v[at]);
	out_str(s->o, "</g>\n");
	return end;
}

/* Percentage of the older profile in frames that this one lacks. */
static double gone(const struct svg *s)
{
	uint64_t sum = 0;

	for (size_t i = 1; i < s->f->node.n; i++)
		sum += s->sums[i].now ? 0 : s->f->node.v[i].old;
	return share(sum, s->f->old_total);
}

static void put_subtitle(const struct svg *s)
{
	out_printf(s->o, "<text class=\"muted\" x=\"%d\" y=\"48\">", PAD);
	if (s->want.subtitle) {
		text_put(s->o, sv_from(s->want.subtitle), TEXT_ALL, TEXT_XML);
		out_str(s->o, " \xc2\xb7 ");
	}
	out_grouped(s->o, s->f->total);
	out_char(s->o, ' ');
	text_put(s->o, sv_from(s->want.unit), TEXT_ALL, TEXT_XML);
	if (s->sums)
		out_printf(s->o, " \xc2\xb7 red: more than before, blue: less; %.2f%% of what was before is gone",
			   gone(s));
	if (s->b->left_out) {
		out_str(s->o, " \xc2\xb7 ");
		out_grouped(s->o, s->b->left_out);
		out_printf(s->o, " frame%s narrower than %g px left out",
			   s->b->left_out == 1 ? "" : "s", s->want.min_width);
	}
	out_str(s->o, "</text>\n");
}

/* Print the kinds that occur; a single kind needs no legend. */
static void put_legend(const struct svg *s)
{
	unsigned seen = 0, x = PAD;

	for (size_t i = 1; i < s->b->list.n; i++)
		seen |= 1u << s->f->node.v[s->b->list.v[i].node].kind;
	if (!(seen & (seen - 1)) || s->sums)
		return;
	for (unsigned k = 0; k < KINDS; k++) {
		if (!(seen >> k & 1))
			continue;
		out_printf(s->o, "<rect x=\"%u\" y=\"62\" width=\"12\" height=\"12\" rx=\"2\""
			   " class=\"%c3\"/><text class=\"muted\" x=\"%u\" y=\"72\">%s</text>\n",
			   x, palettes[k].letter, x + 17, palettes[k].label);
		x += 84;
	}
}

/* Drawn after the rows, because it covers them when they scroll below it. */
static void put_head(const struct svg *s)
{
	out_printf(s->o, "<g class=\"head\"><rect class=\"page\" width=\"100%%\" height=\"%d\"/>\n"
		   "<text class=\"title\" x=\"%d\" y=\"27\">", HEAD - 4, PAD);
	text_put(s->o, sv_from(s->want.title), TEXT_ALL, TEXT_XML);
	out_str(s->o, "</text>\n");
	put_subtitle(s);
	put_legend(s);
	out_str(s->o, "</g>\n");
}

static void put_document(const struct svg *s)
{
	size_t height = HEAD + s->b->rows * ROW + FOOT;

	out_printf(s->o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%zu\""
		   " viewBox=\"0 0 %u %zu\" data-unit=\"",
		   s->want.width, height, s->want.width, height);
	text_put(s->o, sv_from(s->want.unit), TEXT_ALL, TEXT_XML);
	out_printf(s->o, "\" data-grow=\"%s\">\n<title>",
		   s->want.order == FLAME_GROW_DOWN ? "down" : "up");
	text_put(s->o, sv_from(s->want.title), TEXT_ALL, TEXT_XML);
	out_str(s->o, "</title>\n");
	put_style(s);
	out_str(s->o, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	for (size_t at = 0; at < s->b->list.n; )
		at = put_row(s, at);
	put_head(s);
	out_str(s->o, "<script><![CDATA[\n");
	packed_need();
	out_str(s->o, flame_script);
	out_str(s->o, "\n]]></script>\n</svg>\n");
}

/* Compute all sums; frames only in the older profile have no width. 0 or -ENOMEM. */
static int compare_all(struct svg *s, struct flame_boxes *b)
{
	const struct flame *f = s->f;

	s->sums = calloc(f->node.n, sizeof(*s->sums));
	if (!s->sums)
		return -ENOMEM;
	for (size_t i = f->node.n; i-- > 0; ) {
		double more = own_difference(s, (uint32_t)i);

		s->largest = MAX(s->largest, more < 0 ? -more : more);
		s->sums[i].now += f->node.v[i].self;
		s->sums[i].old += f->node.v[i].old;
		b->left_out -= i && !s->sums[i].now;
		if (i) {
			s->sums[f->node.v[i].parent].now += s->sums[i].now;
			s->sums[f->node.v[i].parent].old += s->sums[i].old;
		}
	}
	return 0;
}

void flame_svg(const struct flame *f, const struct flame_want *w, struct out *o)
{
	struct flame_boxes b;
	struct svg s = { .o = o, .f = f, .b = &b, .want = *w };
	int err;

	s.want.title = w->title ? w->title : "Flame Graph";
	s.want.unit = w->unit ? w->unit : "samples";
	s.want.width = w->width ? MAX(400u, MIN(w->width, 20000u)) : 1200;
	s.want.min_width = w->min_width > 0 ? w->min_width : 0.1;
	err = flame_boxes_init(&b, f, s.want.min_width * (double)f->total / inner_width(&s));
	if (!err && f->compared)
		err = compare_all(&s, &b);
	if (!err)
		put_document(&s);
	else
		o->error = o->error ? o->error : err;
	free(s.sums);
	flame_boxes_deinit(&b);
}
