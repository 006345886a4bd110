/* svg_parts.c - bars of CPUs and tasks, each with a tooltip, and wakeups. */
#include "timechart/svg.h"

#include "show/text.h"
#include "syscalls/value.h"

#define MS UINT64_C(1000000)

/* COLUMN: approximate px of a letter. LABEL: minimum columns of a label. */
enum { DEEPEST = 6, LONG_WAIT_MS = 10, FRAMES = 8, COLUMN = 7, LABEL = 5 };

/* The bar's rectangle, clipped to the picture's time range. */
static void put_rect(const struct chart_svg *s, const char *class, const struct bar *b, double top, double height)
{
	uint64_t last = s->first + s->length, start = MIN(MAX(b->start, s->first), last), end = MIN(b->end, last);
	struct out *o = s->o;

	out_str(o, "<rect class=\"");
	out_str(o, class);
	out_str(o, "\" x=\"");
	out_fixed(o, svg_x(s, start), 0, 4);
	out_str(o, "\" width=\"");
	out_fixed(o, (double)(end - MIN(end, start)) * s->scale, 0, 4);
	out_printf(o, "\" y=\"");
	out_fixed(o, top, 0, 1);
	out_str(o, "\" height=\"");
	out_fixed(o, height, 0, 1);
	out_char(o, '"');
}

/* A merged bar is the more opaque the more of its time is covered. */
static void put_opacity(const struct chart_svg *s, const struct bar *b)
{
	double part = b->end > b->start ? (double)b->sum / (double)(b->end - b->start) : 1;

	if (b->n < 2)
		return;
	out_str(s->o, " fill-opacity=\"");
	out_fixed(s->o, MAX(0.2, MIN(1.0, part)), 0, 2);
	out_char(s->o, '"');
}

/* "0.123 ms"; of a merged bar "12 times, in all 0.123 ms". */
static void put_times(const struct chart_svg *s, const struct bar *b)
{
	if (b->n > 1) {
		out_grouped(s->o, b->n);
		out_str(s->o, " times, in all ");
	}
	svg_ns(s->o, b->sum);
}

static bool any(const struct hist_frame *f UNUSED)
{
	return false;
}

static void put_chain(const struct chart_svg *s, uint32_t chain)
{
	struct mem_out m;

	if (!chain)
		return;
	mem_out_init(&m);
	callers_put_arrows(&s->t->callers, chain, FRAMES, any, &m.out);
	out_str(s->o, "\nleft the CPU in ");
	text_put(s->o, sv_from(mem_out_str(&m)), TEXT_ALL, TEXT_XML);
	mem_out_deinit(&m);
}

static bool is_highlighted(const struct chart_svg *s, const struct bar *b, const struct chart_row *row)
{
	const char *name = s->t->want->show.highlight;

	if (!name || s->long_ns)
		return name && b->end - b->start > s->long_ns;
	return row && strstr(names_str(&s->t->names, row->name), name);
}

/* --- CPUs --- */

/* The task's name in the bar, if there is room for it. */
static void put_label(const struct chart_svg *s, const struct bar *b, const struct chart_row *row)
{
	double columns = (double)(b->end - b->start) * s->scale / COLUMN;

	if (columns < LABEL)
		return;
	out_str(s->o, "<text class=\"l\" x=\"");
	out_fixed(s->o, svg_x(s, b->start) + 3, 0, 2);
	out_str(s->o, "\" y=\"26\">");
	text_put(s->o, sv_from(names_str(&s->t->names, row->name)), (size_t)columns, TEXT_XML);
	out_str(s->o, "</text>\n");
}

static void put_run(const struct chart_svg *s, const struct bar *b)
{
	const struct chart_row *row = b->of < s->t->rows.n ? &s->t->rows.v[b->of] : NULL;

	put_rect(s, is_highlighted(s, b, row) ? "sample_hi" : "sample", b, 0, SVG_CPU);
	put_opacity(s, b);
	out_str(s->o, "><title>");
	if (row)
		svg_name(s, row, TEXT_ALL);
	else
		out_str(s->o, "several tasks");
	out_str(s->o, " running ");
	put_times(s, b);
	put_chain(s, b->note);
	out_str(s->o, "</title></rect>\n");
	if (row)
		put_label(s, b, row);
}

static void put_idle(const struct chart_svg *s, const struct bar *b)
{
	char class[4] = { 'c', (char)('0' + MIN(b->of, (uint32_t)DEEPEST)), '\0' };

	put_rect(s, class, b, 0, SVG_CPU);
	put_opacity(s, b);
	out_str(s->o, "><title>idle");
	if (b->of != (uint32_t)BARS_SEVERAL)
		out_printf(s->o, " C%u", b->of);
	out_char(s->o, ' ');
	put_times(s, b);
	out_str(s->o, "</title></rect>\n");
}

static void put_freq(const struct chart_svg *s, const struct bar *b)
{
	uint32_t most = s->t->most_freq, freq = MIN(b->of, most);
	double y = SVG_CPU - (most ? (double)freq / most * SVG_CPU : 0);

	out_str(s->o, "<line class=\"pstate\" x1=\"");
	out_fixed(s->o, svg_x(s, b->start), 0, 4);
	out_str(s->o, "\" x2=\"");
	out_fixed(s->o, svg_x(s, b->end), 0, 4);
	out_str(s->o, "\" y1=\"");
	out_fixed(s->o, y, 0, 1);
	out_str(s->o, "\" y2=\"");
	out_fixed(s->o, y, 0, 1);
	if (b->of == (uint32_t)BARS_SEVERAL)
		out_printf(s->o, "\"><title>%u frequencies</title></line>\n", b->n);
	else
		out_printf(s->o, "\"><title>%u MHz</title></line>\n", (b->of + 500) / 1000);
}

/* From bottom to top: idle states, running tasks, frequencies. */
void svg_cpu(const struct chart_svg *s, uint32_t cpu)
{
	static const uint32_t order[] = { CHART_IDLE, CHART_RUN, CHART_FREQ };
	const struct bars *b = &s->t->of_cpus;

	for (size_t k = 0; cpu < b->rows.n && k < ARRAY_SIZE(order); k++)
		for (size_t i = 0; i < b->rows.v[cpu].v.n; i++) {
			const struct bar *v = &b->rows.v[cpu].v.v[i];

			if (v->kind == order[k])
				(v->kind == CHART_RUN ? put_run : v->kind == CHART_IDLE ? put_idle : put_freq)(s, v);
		}
}

/* --- tasks --- */

static void put_state(const struct chart_svg *s, const struct bar *b, const struct chart_row *row)
{
	bool is_long = b->kind == CHART_WAIT && b->end - b->start > LONG_WAIT_MS * MS;
	const char *word = b->kind == CHART_RUN ? "running" : b->kind == CHART_WAIT ? "waiting" : "blocked";
	const char *class = b->kind == CHART_RUN ? (is_highlighted(s, b, row) ? "sample_hi" : "sample") :
			    is_long ? "WAITING" : word;

	put_rect(s, class, b, 0, SVG_ROW);
	put_opacity(s, b);
	out_str(s->o, "><title>");
	if (b->of != (uint32_t)BARS_SEVERAL)
		out_printf(s->o, "CPU %u ", b->of);
	out_printf(s->o, "%s ", word);
	put_times(s, b);
	put_chain(s, b->kind == CHART_RUN ? b->note : 0);
	out_str(s->o, "</title></rect>\n");
}

static const struct {
	const char *word, *class;
	enum { UPPER, LOWER, WHOLE } half;
} calls[] = {
	[CHART_READ] = { "read", "disk", UPPER }, [CHART_WRITE] = { "write", "disk", LOWER },
	[CHART_RX] = { "receive", "net", UPPER }, [CHART_TX] = { "send", "net", LOWER },
	[CHART_SYNC] = { "sync", "sync", WHOLE }, [CHART_POLL] = { "poll", "poll", WHOLE },
};

/* The bar's height, in quarters of the row's, relative to the row's largest call. */
static double share_of(const struct bar *b, const struct chart_row *row)
{
	uint64_t quarter = row->most / 4 + 1;

	return b->kind & CHART_FAILED || !row->most ? 1 : (double)(MIN(b->sum / quarter, (uint64_t)3) + 1) / 4;
}

static void put_call(const struct chart_svg *s, const struct bar *b, const struct chart_row *row)
{
	uint32_t kind = b->kind & ~(uint32_t)CHART_FAILED;
	bool failed = b->kind & CHART_FAILED;
	double height = calls[kind].half == WHOLE ? SVG_ROW : share_of(b, row) * SVG_ROW / 2;
	const char *error = failed ? value_errno(b->note) : NULL;

	put_rect(s, failed ? "error" : calls[kind].class, b, calls[kind].half == LOWER ? SVG_ROW - height : 0, height);
	out_printf(s->o, "><title>%s", calls[kind].word);
	if (b->of != (uint32_t)BARS_SEVERAL)
		out_printf(s->o, " fd=%d", (int)b->of);
	out_str(s->o, ": ");
	if (failed) {
		out_str(s->o, error ? error : "error ");
		if (!error)
			out_u64(s->o, b->note);
	} else if (b->sum) {
		out_grouped(s->o, b->sum);
		out_str(s->o, " bytes");
	}
	if (b->n > 1)
		out_printf(s->o, ", %u calls", b->n);
	out_str(s->o, "</title></rect>\n");
}

void svg_task(const struct chart_svg *s, uint32_t at)
{
	const struct bars *b = &s->t->of_rows;
	const struct chart_row *row = &s->t->rows.v[at];

	for (size_t i = 0; at < b->rows.n && i < b->rows.v[at].v.n; i++) {
		const struct bar *v = &b->rows.v[at].v.v[i];

		if (v->kind <= CHART_BLOCKED)
			put_state(s, v, row);
		else if (v->kind >= CHART_READ)
			put_call(s, v, row);
	}
}

/* --- wakeups --- */

static unsigned top_of(const struct chart_svg *s, const struct chart_row *row)
{
	return s->rows_at + (row->slot - 1) * SVG_ROW_STEP;
}

static void put_line(const struct chart_svg *s, const struct bar *b, unsigned from, unsigned to)
{
	out_str(s->o, "<line class=\"wake\" x1=\"");
	out_fixed(s->o, svg_x(s, b->start), 0, 4);
	out_str(s->o, "\" x2=\"");
	out_fixed(s->o, svg_x(s, b->start), 0, 4);
	out_printf(s->o, "\" y1=\"%u\" y2=\"%u\"><title>", from, to);
}

static void put_wakeup(const struct chart_svg *s, const struct bar *b, const struct chart_row *row)
{
	const struct chart_row *by = b->kind == CHART_WAKE && b->of < s->t->rows.n ? &s->t->rows.v[b->of] : NULL;
	unsigned top = top_of(s, row);

	/* If the waker has no row, draw only a short end of the line. */
	if (by && by->slot && by != row)
		put_line(s, b, top_of(s, by) + (by->slot < row->slot ? SVG_ROW : 0),
			 by->slot < row->slot ? top : top + SVG_ROW);
	else
		put_line(s, b, top - 4, top);
	if (by)
		svg_name(s, by, TEXT_ALL);
	else
		out_str(s->o, b->kind == CHART_IRQ_WAKE ? "an interrupt" : "somebody");
	out_str(s->o, " wakes up ");
	svg_name(s, row, TEXT_ALL);
	if (b->n > 1)
		out_printf(s->o, ", %u times", b->n);
	out_str(s->o, "</title></line>\n");
}

void svg_wakeups(const struct chart_svg *s)
{
	const struct bars *b = &s->t->of_rows;

	for (unsigned k = 0; k < s->n_rows; k++)
		for (size_t i = 0; s->rows[k] < b->rows.n && i < b->rows.v[s->rows[k]].v.n; i++) {
			const struct bar *v = &b->rows.v[s->rows[k]].v.v[i];

			if (v->kind == CHART_WAKE || v->kind == CHART_IRQ_WAKE)
				put_wakeup(s, v, &s->t->rows.v[s->rows[k]]);
		}
}
