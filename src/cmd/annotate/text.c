/* text.c - one function: its head, lines of its source, its instructions. */
#include "cmd/annotate/text.h"

#include "base/sort.h"
#include "show/share.h"
#include "show/text.h"

enum { PERCENT_WIDTH = 8, PERIOD_WIDTH = 12, CONTEXT = 5, TAB = 8, PREFIX = 3 };

/* Percent: source lines with no larger share are not named; as in perf. */
static const double least = 0.5;

struct text {
	const struct annotate_view *v;
	struct out *o;
	uint64_t *addr;          /* addresses of the function with samples, ascending */
	struct hits_sum *sums;   /* for each address, one for each event that is shown */
	size_t n_places, next;   /* next: the first address that was not printed yet */
	unsigned digits;         /* of addresses */
	struct sym_spot spot;    /* source line of the last instruction */
	struct sym_spot said;    /* source line that was named last behind an instruction */
	struct mem_out none;     /* the columns of an instruction without samples, as most are */
};

static const char *type_of(const struct annotate_show *s)
{
	static const char *const names[] = { "local period", "local hits", "global period", "global hits" };

	return names[s->of_all * 2 + s->by_hits];
}

static double share(const struct annotate_view *v, size_t event, const struct hits_sum *s)
{
	const struct hits_sum *of = v->show->of_all ? &v->hits->all[event] : hits_func_sum(v->hits, v->func, event);
	uint64_t part = v->show->by_hits ? s->samples : s->weight, all = v->show->by_hits ? of->samples : of->weight;

	return all ? 100.0 * (double)part / (double)all : 0;
}

/* --- columns --- */

static unsigned width(const struct annotate_view *v)
{
	unsigned each = v->show->column == ANNOTATE_PERIOD ? PERIOD_WIDTH : PERCENT_WIDTH;

	return each * (unsigned)v->n_events + 1;
}

static void empty_columns(const struct text *t)
{
	out_fill(t->o, ' ', width(t->v));
	out_char(t->o, ':');
}

/* The sum over the addresses of one instruction; it has several if it was hit at odd addresses. */
static struct hits_sum sum_of(const struct text *t, size_t from, size_t event)
{
	struct hits_sum s = { 0 };

	for (size_t i = from; i < t->next; i++) {
		const struct hits_sum *p = &t->sums[i * t->v->n_events + event];

		s.samples += p->samples;
		s.weight += p->weight;
	}
	return s;
}

static void columns(const struct text *t, struct out *o, size_t from)
{
	for (size_t i = 0; i < t->v->n_events; i++) {
		struct hits_sum s = sum_of(t, from, i);

		if (t->v->show->column == ANNOTATE_PERCENT)
			share_put(o, share(t->v, t->v->event[i], &s), PERCENT_WIDTH);
		else if (t->v->show->column == ANNOTATE_SAMPLES)
			out_u64w(o, s.samples, PERCENT_WIDTH);
		else
			out_u64w(o, s.weight, PERIOD_WIDTH);
	}
	out_str(o, " :");
}

static void head(const struct text *t)
{
	static const char *const names[] = { " Percent", " Samples", " Period" };
	const struct annotate_view *v = t->v;
	const struct sym_loc *at = &v->hits->funcs.v[v->func].at;
	unsigned long long samples = hits_func_sum(v->hits, v->func, v->event[0])->samples;
	uint64_t before = t->o->total;

	out_left(t->o, names[v->show->column], width(v));
	out_str(t->o, "|\tSource code & Disassembly of ");
	text_put(t->o, sv_from(v->show->full_paths ? at->dso : at->dso_short), TEXT_ALL, TEXT_PLAIN);
	out_printf(t->o, " for %s (%llu samples, percent: %s)", v->events, samples, type_of(v->show));
	before = t->o->total - before;
	out_char(t->o, '\n');
	/* The tab is one character to perf, and the bar is not counted twice. */
	out_fill(t->o, '-', before + TAB - 3);
	out_char(t->o, '\n');
}

/*
 * Print a text with a number in the column of addresses: that of a source line or, as perf has it, of a line of
 * objdump.
 */
static void labelled(const struct text *t, uint64_t number, struct sv text)
{
	uint64_t before;

	empty_columns(t);
	before = t->o->total;
	out_char(t->o, ' ');
	out_u64(t->o, number);
	for (uint64_t n = t->o->total - before; text.n && n < t->digits + 2; n++)
		out_char(t->o, ' ');
	text_put(t->o, text, TEXT_ALL, TEXT_PLAIN);
	out_char(t->o, '\n');
}

static void name(const struct text *t)
{
	const struct sym_loc *at = &t->v->code->at;
	char text[LISTING_NAME + 64];

	for (unsigned i = 0; i < 3; i++) {
		empty_columns(t);
		out_char(t->o, '\n');
	}
	snprintf(text, sizeof(text), "Disassembly of section %s:",
		 t->v->code->section[0] ? t->v->code->section : ".text");
	labelled(t, 3, sv_from(text));
	empty_columns(t);
	out_char(t->o, '\n');
	snprintf(text, sizeof(text), "%016llx <%.*s>:", (unsigned long long)t->v->code->start, LISTING_NAME, at->sym);
	labelled(t, 5, sv_from(text));
	snprintf(text, sizeof(text), "%.*s():", LISTING_NAME, at->sym);
	labelled(t, 6, sv_from(text));
}

/* --- the source --- */

static const char *shown_path(const struct annotate_view *v, const char *path)
{
	const char *slash = v->show->full_paths ? NULL : strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void spot_text(const struct annotate_view *v, const struct sym_spot *s, char *buf, size_t size)
{
	snprintf(buf, size, "%s:%u", shown_path(v, s->file), s->line);
}

/*
 * Print the source lines up to this one that were not printed yet, CONTEXT before it at most; if the code goes back,
 * this line again.
 */
static int source_lines(const struct text *t, const struct sym_spot *s)
{
	struct source_file *f = sources_file(t->v->sources, s->file);
	uint32_t from = s->line > CONTEXT ? s->line - CONTEXT : 1;
	struct sv text;
	char place[PATH_MAX + 16];

	if (!f)
		return -ENOMEM;
	if (!f->bytes) {
		spot_text(t->v, s, place, sizeof(place));
		empty_columns(t);
		out_char(t->o, ' ');
		text_put(t->o, sv_from(place), TEXT_ALL, TEXT_PLAIN);
		out_char(t->o, '\n');
		return 0;
	}
	if (f->shown >= from)
		from = f->shown < s->line ? f->shown + 1 : s->line;
	for (; from <= s->line && sources_line(f, from, &text); from++)
		labelled(t, from, sv_trim(text));
	f->shown = MAX(f->shown, s->line);
	return 0;
}

static int source(struct text *t, const struct sym_spot *s)
{
	if (t->spot.file == s->file && t->spot.line == s->line)
		return 0;
	t->spot = *s;
	return t->v->show->no_source ? 0 : source_lines(t, s);
}

/* --- instructions --- */

static size_t take_places(struct text *t, const struct listing_line *line)
{
	size_t from = t->next;

	while (t->next < t->n_places && t->addr[t->next] < line->addr + line->len)
		t->next++;
	return from;
}

static double heaviest(const struct text *t, size_t from)
{
	double most = 0;

	for (size_t i = 0; i < t->v->n_events; i++) {
		struct hits_sum s = sum_of(t, from, i);
		double of_event = share(t->v, t->v->event[i], &s);

		most = MAX(most, of_event);
	}
	return most;
}

static void say_line(struct text *t, size_t from)
{
	char text[PATH_MAX + 16];

	if (!t->v->show->lines || !t->spot.file || heaviest(t, from) <= least)
		return;
	if (t->said.file == t->spot.file && t->said.line == t->spot.line)
		return;
	t->said = t->spot;
	spot_text(t->v, &t->spot, text, sizeof(text));
	out_str(t->o, " // ");
	text_put(t->o, sv_from(text), TEXT_ALL, TEXT_PLAIN);
}

/* Print up to a tab or the end; only names of symbols may be unprintable. */
static size_t put_column(struct out *o, struct sv text)
{
	size_t n = sv_plain(text);

	if (n == text.n || text.s[n] == '\t') {
		out_bytes(o, text.s, n);
		return n;
	}
	while (n < text.n && text.s[n] != '\t')
		n++;
	text_put(o, (struct sv){ text.s, n }, TEXT_ALL, TEXT_PLAIN);
	return n;
}

/* A tab goes on to the next multiple of eight, counted from the address on as in objdump's own lines. */
static void put_tabs(struct out *o, struct sv text)
{
	size_t column = 0;

	for (;;) {
		size_t n = put_column(o, text);

		if (n == text.n)
			return;
		column += n;
		out_fill(o, ' ', TAB - column % TAB);
		column += TAB - column % TAB;
		text.s += n + 1;
		text.n -= n + 1;
	}
}

/* "401380:", padded to a multiple of eight. */
static void put_address(struct out *o, uint64_t addr)
{
	size_t n = 2;

	for (uint64_t v = addr; v >>= 4; )
		n++;
	out_hex(o, addr);
	out_char(o, ':');
	out_fill(o, ' ', TAB - n % TAB);
}

static void instruction(struct text *t, const struct listing_line *line)
{
	size_t from = take_places(t, line);

	if (from == t->next)
		out_bytes(t->o, t->none.v, t->none.n);
	else
		columns(t, t->o, from);
	out_fill(t->o, ' ', PREFIX);
	put_address(t->o, line->addr);
	put_tabs(t->o, (struct sv){ line->text, line->n });
	if (from < t->next)
		say_line(t, from);
	out_char(t->o, '\n');
}

static struct listing listing_of(const struct annotate_view *v)
{
	struct func_code *c = v->code;
	const struct sym_loc *at = &v->hits->funcs.v[v->func].at;
	struct listing l;
	struct listing_want w = {
		.arch = c->session->arch, .addr = c->start, .code = c->bytes, .name = code_name, .arg = c,
		.marks = at->kernel ? NULL : code_marks(c), .raw = v->show->raw,
	};

	listing_init(&l, &w);
	return l;
}

static int instructions(struct text *t)
{
	struct listing l = listing_of(t->v);
	struct listing_line line;
	struct sym_spot spot;
	int r = 0;

	while (!r && listing_next(&l, &line)) {
		if ((t->v->show->lines || !t->v->show->no_source) && code_line(t->v->code, line.addr, &spot))
			r = source(t, &spot);
		instruction(t, &line);
	}
	return r;
}

/* --- the lines of the source by their weight --- */

struct sums {
	VEC(struct line_sum {
		struct sym_spot spot;
		double share[ANNOTATE_EVENTS];
	}) v;
	uint32_t *order;
};

static struct line_sum *sum_for(struct sums *s, const struct sym_spot *spot)
{
	struct line_sum *new;

	for (size_t i = 0; i < s->v.n; i++)
		if (s->v.v[i].spot.file == spot->file && s->v.v[i].spot.line == spot->line)
			return &s->v.v[i];
	new = vec_add(&s->v);
	if (new)
		new->spot = *spot;
	return new;
}

static int sum_up(const struct text *t, struct sums *s)
{
	const struct annotate_view *v = t->v;
	struct sym_spot spot;

	for (size_t i = 0; i < t->n_places; i++) {
		struct line_sum *sum;

		if (!code_line(v->code, t->addr[i], &spot))
			continue;
		sum = sum_for(s, &spot);
		if (!sum)
			return -ENOMEM;
		for (size_t k = 0; k < v->n_events; k++)
			sum->share[k] += share(v, v->event[k], &t->sums[i * v->n_events + k]);
	}
	return 0;
}

static int heavier(const void *arg, uint32_t a, uint32_t b)
{
	const struct sums *s = arg;
	double x = s->v.v[a].share[0], y = s->v.v[b].share[0];

	return x > y ? -1 : x < y;
}

static int put_in_order(struct sums *s)
{
	uint32_t *spare = malloc(MAX(s->v.n, 1u) * sizeof(*spare));

	s->order = malloc(MAX(s->v.n, 1u) * sizeof(*s->order));
	for (uint32_t i = 0; s->order && i < s->v.n; i++)
		s->order[i] = i;
	if (s->order && spare)
		sort_u32(s->order, spare, s->v.n, heavier, s);
	free(spare);
	return s->order && spare ? 0 : -ENOMEM;
}

static void put_summary(const struct text *t, const struct sums *s)
{
	const char *path = t->v->hits->funcs.v[t->v->func].at.dso;
	bool any = false;
	char text[PATH_MAX + 16];

	out_str(t->o, "\nSorted summary for file ");
	text_put(t->o, sv_from(path), TEXT_ALL, TEXT_PLAIN);
	out_str(t->o, "\n----------------------------------------------\n\n");
	for (size_t i = 0; i < s->v.n; i++) {
		const struct line_sum *sum = &s->v.v[s->order[i]];
		double most = 0;

		for (size_t k = 0; k < t->v->n_events; k++)
			most = MAX(most, sum->share[k]);
		if (most <= least)
			continue;
		for (size_t k = 0; k < t->v->n_events; k++)
			share_put(t->o, sum->share[k], PERCENT_WIDTH);
		spot_text(t->v, &sum->spot, text, sizeof(text));
		out_char(t->o, ' ');
		text_put(t->o, sv_from(text), TEXT_ALL, TEXT_PLAIN);
		out_char(t->o, '\n');
		any = true;
	}
	if (!any)
		out_str(t->o, " Nothing higher than 0.5%\n");
}

static int summary(const struct text *t)
{
	struct sums s = { 0 };
	int r = sum_up(t, &s);

	if (!r)
		r = put_in_order(&s);
	if (!r)
		put_summary(t, &s);
	vec_free(&s.v);
	free(s.order);
	return r;
}

static unsigned digits_of(uint64_t v)
{
	unsigned n = 1;

	while (v >>= 4)
		n++;
	return n;
}

void annotate_name_events(const struct perf_head *h, const size_t *events, size_t n, struct out *o)
{
	for (size_t i = 0; i < n; i++) {
		out_str(o, i ? ", " : n > 1 ? "anon group { " : "");
		out_str(o, h->events.v[events[i]].label);
	}
	if (n > 1)
		out_str(o, " }");
}

/*
 * Copy the function's hits side by side: in the table of all places they are in the order in which they were met, each
 * a cache miss; but here, where nothing else is done, these misses overlap.
 */
static int gather(struct text *t)
{
	const struct hits *h = t->v->hits;
	uint32_t *places;
	int n = hits_places(h, t->v->func, &places);
	size_t each = t->v->n_events;

	if (n < 0)
		return n;
	t->n_places = (size_t)n;
	t->addr = malloc(MAX(t->n_places, 1u) * sizeof(*t->addr));
	t->sums = malloc(MAX(t->n_places * each, 1u) * sizeof(*t->sums));
	for (size_t i = 0; t->addr && t->sums && i < t->n_places; i++) {
		t->addr[i] = h->places.v[places[i]].addr;
		for (size_t k = 0; k < each; k++)
			t->sums[i * each + k] = *hits_place_sum(h, places[i], t->v->event[k]);
	}
	free(places);
	return t->addr && t->sums ? 0 : -ENOMEM;
}

static void drop(struct text *t)
{
	mem_out_deinit(&t->none);
	free(t->addr);
	free(t->sums);
}

int annotate_text(const struct annotate_view *v, struct out *o)
{
	struct text t = { .v = v, .o = o };
	int r;

	mem_out_init(&t.none);
	r = gather(&t);
	if (r) {
		drop(&t);
		return r;
	}
	t.digits = digits_of(v->code->start + cur_left(&v->code->bytes));
	t.digits = MAX(t.digits, 4u);
	columns(&t, &t.none.out, 0);
	mem_out_str(&t.none);
	r = v->show->lines ? summary(&t) : 0;
	if (!r) {
		head(&t);
		name(&t);
		r = instructions(&t);
	}
	r = r ? r : t.none.out.error;
	drop(&t);
	return r;
}
