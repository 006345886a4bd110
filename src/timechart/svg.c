/* svg.c - selects rows, draws the time scale and the frame of the picture. */
#include "timechart/svg.h"

#include "base/sort.h"
#include "show/text.h"

#define NS_PER_S UINT64_C(1000000000)

enum { PER_SECOND = 200, GROWS_TO = 6000, GRID = 90, NAME = 16, STAMP = 80 };

double svg_x(const struct chart_svg *s, uint64_t time)
{
	return SVG_LEFT + (double)(int64_t)(time - s->first) * s->scale;
}

void svg_ns(struct out *o, uint64_t ns)
{
	static const struct { const char *name; uint64_t of; } units[] = {
		{ " s", NS_PER_S }, { " ms", 1000000 }, { " us", 1000 },
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(units) - 1 && ns < units[i].of)
		i++;
	out_fixed(o, (double)ns / (double)units[i].of, 0, 3);
	out_str(o, units[i].name);
}

void svg_name(const struct chart_svg *s, const struct chart_row *row, size_t columns)
{
	text_put(s->o, sv_from(names_str(&s->t->names, row->name)), columns, TEXT_XML);
	out_printf(s->o, ":%u", row->tid);
}

/* --- which rows, in which order --- */

static uint64_t weight_of(const struct timechart *t, const struct chart_row *row)
{
	return t->has_calls ? row->bytes : row->run;
}

static unsigned count(const struct timechart *t, uint64_t least)
{
	unsigned n = 0;

	for (size_t i = 0; i < t->rows.n; i++)
		n += t->rows.v[i].first != UINT64_MAX && t->rows.v[i].tid && weight_of(t, &t->rows.v[i]) >= least;
	return n;
}

/* The minimum weight of a row, as perf: 10 ms or 1 MB; then a tenth of it and so on, until there are enough rows. */
static uint64_t least_weight(const struct timechart *t)
{
	uint64_t least = t->has_calls ? 1 << 20 : 10000000;

	while (least > 1 && count(t, least) < t->want->show.least_rows)
		least /= 10;
	return MAX(least, (uint64_t)1);
}

static bool is_chosen(const struct timechart *t, const struct chart_row *row)
{
	const struct opt_list *l = &t->want->show.whom;
	uint64_t tid;

	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i], names_str(&t->names, row->name)) ||
		    (str_u64(sv_from(l->v[i]), 10, &tid) && tid == row->tid))
			return true;
	return false;
}

/* By tid; the names of a task in the order in which it had them. */
static int by_task(const void *arg, uint32_t a, uint32_t b)
{
	const struct timechart *t = arg;
	const struct chart_row *x = &t->rows.v[a], *y = &t->rows.v[b];

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int choose_rows(struct chart_svg *s)
{
	struct timechart *t = s->t;
	uint64_t least = least_weight(t);
	uint32_t *v = calloc(2 * t->rows.n + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	s->rows = v;
	for (uint32_t i = 0; i < t->rows.n && !t->want->show.power_only && t->want->show.least_rows; i++) {
		const struct chart_row *row = &t->rows.v[i];

		if (row->first != UINT64_MAX && row->tid &&
		    (t->want->show.whom.n ? is_chosen(t, row) : weight_of(t, row) >= least))
			v[s->n_rows++] = i;
	}
	sort_u32(v, v + t->rows.n, s->n_rows, by_task, t);
	for (uint32_t i = 0; i < s->n_rows; i++)
		t->rows.v[v[i]].slot = i + 1;
	return 0;
}

static int by_place(const void *arg, uint32_t a, uint32_t b)
{
	const struct cpu_places *p = arg;
	const struct cpu_place none = { 0 }, *x = a < p->v.n ? &p->v.v[a] : &none, *y = b < p->v.n ? &p->v.v[b] : &none;
	uint32_t of[2][3] = { { x->socket, x->die, x->core }, { y->socket, y->die, y->core } };

	for (int i = 0; i < 3; i++)
		if (of[0][i] != of[1][i])
			return of[0][i] < of[1][i] ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int choose_cpus(struct chart_svg *s)
{
	unsigned n = view_cpus(s->t->prof);

	s->n_cpus = s->t->has_calls ? 0 : MAX(n, (unsigned)s->t->cpus.n);
	s->cpus = calloc(2 * s->n_cpus + 1, sizeof(*s->cpus));
	if (!s->cpus)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n_cpus; i++)
		s->cpus[i] = i;
	sort_u32(s->cpus, s->cpus + s->n_cpus, s->n_cpus, by_place, &s->t->places);
	return 0;
}

/* --- around the rows --- */

static void put_style(struct out *o)
{
	out_str(o, "<style>\n"
		"text{font:11px sans-serif;fill:#222}\n"
		".t{font-size:15px}\n"
		".r{text-anchor:end}.l{fill:#fff;pointer-events:none}\n"
		".grid{stroke:#d8d8d8}\n"
		".cpu{fill:#c0c0c0;fill-opacity:.2;stroke:#808080;stroke-width:.5}\n"
		".process{fill:#b4b4b4;fill-opacity:.35}\n"
		".sample{fill:#3b5bdb}.sample_hi{fill:#ff8000}\n"
		".blocked{fill:#e03131}.waiting{fill:#fcc419}.WAITING{fill:#e8930c}\n"
		".c0{fill:#fff5f5}.c1{fill:#ffe0e0}.c2{fill:#ffc2c2}.c3{fill:#ffa3a3}.c4{fill:#ff8787}\n"
		".c5{fill:#fa6b6b}.c6{fill:#f03e3e}\n"
		".pstate{stroke:#f59f00;stroke-width:1.5}\n"
		".wake{stroke:#2b8a3e;stroke-width:.4}.wake:hover{stroke-width:2}\n"
		".disk{fill:#3b5bdb}.net{fill:#2b8a3e}.sync{fill:#808000}.poll{fill:#0c8599;fill-opacity:.3}\n"
		".error{fill:#e03131}\n"
		"</style>\n");
}

static void put_key(struct out *o, unsigned at, const char *class, const char *text)
{
	out_printf(o, "<rect class=\"%s\" x=\"%u\" y=\"34\" width=\"12\" height=\"12\"/>"
		      "<text x=\"%u\" y=\"44\">%s</text>\n", class, SVG_LEFT + at, SVG_LEFT + at + 16, text);
}

static void put_keys(const struct chart_svg *s)
{
	static const struct { unsigned at; const char *class, *text; } states[] = {
		{ 0, "sample", "runs" }, { 80, "waiting", "waits for a CPU" }, { 210, "blocked", "blocked" },
		{ 300, "process", "sleeps" }, { 380, "c1", "idle" }, { 440, "c3", "deeper" }, { 510, "c6", "deepest" },
	}, calls[] = {
		{ 0, "disk", "reads above, writes below" }, { 190, "net", "receives, sends" }, { 320, "sync", "sync" },
		{ 390, "poll", "polls" }, { 460, "error", "fails" },
	};
	size_t n = s->t->has_calls ? ARRAY_SIZE(calls) : ARRAY_SIZE(states);

	for (size_t i = 0; i < n; i++)
		if (s->t->has_calls)
			put_key(s->o, calls[i].at, calls[i].class, calls[i].text);
		else
			put_key(s->o, states[i].at, states[i].class, states[i].text);
}

static void put_head(const struct chart_svg *s)
{
	struct out *o = s->o;
	unsigned width = SVG_LEFT + s->width + SVG_RIGHT;

	out_printf(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
		   width, s->height, width, s->height);
	put_style(o);
	out_printf(o, "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n<text class=\"t\" x=\"%d\" y=\"22\">", width,
		   s->height, SVG_LEFT);
	svg_ns(o, s->length);
	if (s->n_cpus)
		out_printf(o, ", %u CPUs", s->n_cpus);
	out_printf(o, ", %u of %zu tasks", s->n_rows, s->t->rows.n);
	if (s->t->of_rows.gap) {
		out_str(o, "; what is nearer than ");
		svg_ns(o, s->t->of_rows.gap);
		out_str(o, " is drawn as one");
	}
	out_str(o, "</text>\n");
	put_keys(s);
}

/* Grid lines at multiples of 1, 2 or 5 times a power of ten. */
static void put_grid(const struct chart_svg *s)
{
	static const uint8_t steps[] = { 2, 5, 10 };
	uint64_t ten = 1, step = 1;

	for (unsigned i = 0; (double)step * s->scale < GRID && ten < UINT64_MAX / 100; i++) {
		step = ten * steps[i % 3];
		ten *= i % 3 == 2 ? 10 : 1;
	}
	for (uint64_t at = s->first - s->first % step + step; at - s->first < s->length; at += step) {
		double x = svg_x(s, at);

		out_str(s->o, "<line class=\"grid\" x1=\"");
		out_fixed(s->o, x, 0, 2);
		out_str(s->o, "\" x2=\"");
		out_fixed(s->o, x, 0, 2);
		out_printf(s->o, "\" y1=\"%d\" y2=\"%u\"/>\n", SVG_TOP - 10, s->height - 8);
		if (x + STAMP > SVG_LEFT + s->width + SVG_RIGHT)
			break;
		out_str(s->o, "<text x=\"");
		out_fixed(s->o, x, 0, 2);
		out_printf(s->o, "\" y=\"%d\">%llu.%06llu</text>\n", SVG_TOP - 14, (unsigned long long)(at / NS_PER_S),
			   (unsigned long long)(at % NS_PER_S / 1000));
	}
}

static void put_cpus(const struct chart_svg *s)
{
	for (unsigned i = 0; i < s->n_cpus; i++) {
		out_printf(s->o, "<g transform=\"translate(0,%u)\">\n"
				 "<text class=\"r\" x=\"%d\" y=\"26\">CPU %u</text>\n"
				 "<rect class=\"cpu\" x=\"%d\" width=\"%u\" height=\"%d\"/>\n",
			   SVG_TOP + i * SVG_CPU_STEP, SVG_LEFT - 8, s->cpus[i], SVG_LEFT, s->width, SVG_CPU);
		svg_cpu(s, s->cpus[i]);
		out_str(s->o, "</g>\n");
	}
}

static void put_task(const struct chart_svg *s, uint32_t at)
{
	const struct chart_row *row = &s->t->rows.v[at];
	uint64_t end = s->first + s->length, from = MIN(MAX(row->first, s->first), end);
	uint64_t to = row->last ? MIN(row->last, end) : end;
	char bytes[32];

	out_printf(s->o, "<g transform=\"translate(0,%u)\">\n<text class=\"r\" x=\"%d\" y=\"14\">",
		   s->rows_at + (row->slot - 1) * SVG_ROW_STEP, SVG_LEFT - 8);
	svg_name(s, row, NAME);
	out_str(s->o, " (");
	if (s->t->has_calls)
		out_str(s->o, fmt_bytes(bytes, sizeof(bytes), row->bytes));
	else
		svg_ns(s->o, row->run);
	out_str(s->o, ")</text>\n<rect class=\"process\" x=\"");
	out_fixed(s->o, svg_x(s, from), 0, 4);
	out_str(s->o, "\" width=\"");
	out_fixed(s->o, (double)(to - MIN(from, to)) * s->scale, 0, 4);
	out_printf(s->o, "\" height=\"%d\"/>\n", SVG_ROW);
	svg_task(s, at);
	out_str(s->o, "</g>\n");
}

static void measure(struct chart_svg *s)
{
	const struct timechart_show *show = &s->t->want->show;
	uint64_t wide = MIN(s->length / (NS_PER_S / PER_SECOND), (uint64_t)GROWS_TO);

	s->width = (unsigned)MAX(show->width, wide);
	s->scale = (double)s->width / (double)s->length;
	s->rows_at = SVG_TOP + s->n_cpus * SVG_CPU_STEP + (s->n_cpus ? SVG_BETWEEN : 0);
	s->height = s->rows_at + s->n_rows * SVG_ROW_STEP + 20;
	if (show->highlight && !str_time(sv_from(show->highlight), 1, &s->long_ns))
		s->long_ns = 0;
}

int timechart_draw(struct timechart *t, struct out *o)
{
	struct chart_svg s = { .t = t, .o = o, .first = t->first, .length = t->last - t->first };
	int r = choose_rows(&s);

	r = r ? r : choose_cpus(&s);
	if (!r) {
		measure(&s);
		put_head(&s);
		put_grid(&s);
		put_cpus(&s);
		for (unsigned i = 0; i < s.n_rows; i++)
			put_task(&s, s.rows[i]);
		svg_wakeups(&s);
		out_str(o, "</svg>\n");
	}
	free(s.rows);
	free(s.cpus);
	return r;
}
