/* types.c - sums samples by type and offset, and prints types with the samples of each member. */
#include "cmd/annotate/types.h"

#include "base/sort.h"
#include "show/share.h"
#include "show/text.h"

enum { PERCENT_WIDTH = 8, PERIOD_WIDTH = 12, NUMBER_WIDTH = 10, INDENT = 4 };

static int set_type(void *want, const char *value, struct err *e UNUSED)
{
	struct annotate_types_want *w = want;

	w->on = true;
	w->name = value && *value ? value : NULL;
	return 0;
}

const struct opt annotate_types_opts[] = {
	OPT_CALL_WANT(0, "data-type", OPT_OPTIONAL, set_type, "<name>",
		      "show the data types, by member, that sampled loads and stores access, not instructions; <name>: "
		      "only this type"),
	OPT_FLAG(0, "type-stat", struct annotate_types_want, stat,
		 "with --data-type: how many samples have a known type, and why others have none"),
	OPT_REFUSED(0, "insn-stat", OPT_NO_VALUE, "", "samples are not added up by the names of instructions",
		    "--type-stat says why types are not known"),
	OPT_IGNORED(0, "skip-empty", FLAG, struct annotate_types_want, ignored),
	OPT_END,
};

/* Samples at one offset of a type. */
struct spot {
	uint32_t row;
	uint64_t off;
};

struct row {
	const char *dso, *type;      /* interned: equal texts are one pointer */
	uint32_t id;
};

struct sums {
	const struct annotate_view *v;
	VEC(struct row) rows;
	VEC(struct spot) spots;
	VEC(struct hits_sum) of_row, of_spot;   /* n_events for each */
	struct map row_of, spot_of;
	uint32_t *order, *spot_order;
};

/* --- adding up --- */

static int room(struct sums *s, bool for_spot)
{
	for (size_t i = 0; i < s->v->n_events; i++)
		if (for_spot ? !vec_add(&s->of_spot) : !vec_add(&s->of_row))
			return -ENOMEM;
	return 0;
}

/* The row of a dso's type; UINT32_MAX: no memory. */
static uint32_t row_of(struct sums *s, const char *dso, const struct touched_at *at)
{
	uint64_t key = hash_u64((uintptr_t)dso) ^ (uintptr_t)at->type, *known;
	bool is_new;
	struct row *row;

	known = map_add(&s->row_of, key, &is_new);
	if (!known)
		return UINT32_MAX;
	if (!is_new)
		return (uint32_t)*known;
	*known = s->rows.n;
	row = vec_add(&s->rows);
	if (!row || room(s, false))
		return UINT32_MAX;
	*row = (struct row){ dso, at->type, at->id };
	return (uint32_t)s->rows.n - 1;
}

static uint32_t spot_of(struct sums *s, uint32_t row, uint64_t off)
{
	uint64_t *known;
	bool is_new;
	struct spot *spot;

	known = map_add(&s->spot_of, hash_u64((uint64_t)row << 40 ^ off), &is_new);
	if (!known)
		return UINT32_MAX;
	if (!is_new)
		return (uint32_t)*known;
	*known = s->spots.n;
	spot = vec_add(&s->spots);
	if (!spot || room(s, true))
		return UINT32_MAX;
	*spot = (struct spot){ row, off };
	return (uint32_t)s->spots.n - 1;
}

static void add(struct hits_sum *to, const struct hits_sum *more)
{
	to->samples += more->samples;
	to->weight += more->weight;
}

static void count(struct annotate_types_stat *stat, const struct touched_at *at, uint64_t samples)
{
	stat->samples[at->why] += samples;
	if (at->is_followed)
		stat->followed += samples;
}

static int add_place(struct annotate_types *t, struct sums *s, uint32_t func, uint32_t place)
{
	const struct hits *h = s->v->hits;
	struct sym_loc l = h->funcs.v[func].at;
	size_t n = s->v->n_events;
	struct touched_at at;
	uint32_t row, spot;

	l.addr = h->places.v[place].addr;
	if (touched_find(t->touched, &l, &at))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		count(&t->stat, &at, hits_place_sum(h, place, s->v->event[i])->samples);
	if (!at.id)
		return 0;
	row = row_of(s, l.dso, &at);
	spot = row == UINT32_MAX ? row : spot_of(s, row, at.off);
	if (spot == UINT32_MAX)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		add(&s->of_row.v[row * n + i], hits_place_sum(h, place, s->v->event[i]));
		add(&s->of_spot.v[spot * n + i], hits_place_sum(h, place, s->v->event[i]));
	}
	return 0;
}

/* Samples in no function count as samples without symbol. */
static void count_rest(struct annotate_types *t, const struct sums *s)
{
	const struct hits *h = s->v->hits;

	for (size_t i = 0; i < s->v->n_events; i++) {
		uint64_t rest = h->all[s->v->event[i]].samples;

		for (uint32_t f = 0; f < h->funcs.n; f++)
			rest -= hits_func_sum(h, f, s->v->event[i])->samples;
		t->stat.samples[TOUCHED_NO_SYMBOL] += rest;
	}
}

static int add_all(struct annotate_types *t, struct sums *s)
{
	const struct hits *h = s->v->hits;
	int r = 0;

	for (uint32_t f = 0; f < h->funcs.n && !r; f++)
		for (uint32_t p = h->funcs.v[f].first; p != HITS_NONE && !r; p = h->places.v[p].next)
			r = add_place(t, s, f, p);
	if (!r)
		count_rest(t, s);
	return r;
}

/* --- order --- */

static int heavier(const void *arg, uint32_t a, uint32_t b)
{
	const struct sums *s = arg;
	size_t n = s->v->n_events;
	uint64_t x = s->of_row.v[a * n].weight, y = s->of_row.v[b * n].weight;

	if (x != y)
		return x > y ? -1 : 1;
	int c = strcmp(s->rows.v[a].type, s->rows.v[b].type);

	return c ? c : strcmp(s->rows.v[a].dso, s->rows.v[b].dso);
}

static int by_offset(const void *arg, uint32_t a, uint32_t b)
{
	const struct sums *s = arg;
	const struct spot *x = &s->spots.v[a], *y = &s->spots.v[b];

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->off > y->off) - (x->off < y->off);
}

/* The numbers below n, sorted; malloc'ed. NULL: no memory. */
static uint32_t *in_order(size_t n, int (*compare)(const void *arg, uint32_t a, uint32_t b), const void *arg)
{
	uint32_t *order = malloc((n + 1) * sizeof(*order)), *spare = malloc((n + 1) * sizeof(*spare));

	for (uint32_t i = 0; order && i < n; i++)
		order[i] = i;
	if (order && spare) {
		sort_u32(order, spare, n, compare, arg);
	} else {
		free(order);
		order = NULL;
	}
	free(spare);
	return order;
}

/* --- text --- */

struct text {
	const struct annotate_types *t;
	const struct sums *s;
	struct out *o;
	uint32_t row;
	size_t first, end;       /* the row's spots, a range of spot_order */
	struct hits_sum *sum;    /* sums of the line being printed, for each event */
};

static unsigned width(const struct annotate_show *s)
{
	return s->column == ANNOTATE_PERIOD ? PERIOD_WIDTH : PERCENT_WIDTH;
}

static void put_sum(const struct text *x, size_t event)
{
	const struct annotate_view *v = x->s->v;
	const struct hits_sum *of = v->show->of_all ? &v->hits->all[v->event[event]] :
						      &x->s->of_row.v[x->row * v->n_events + event];
	uint64_t part = v->show->by_hits ? x->sum[event].samples : x->sum[event].weight;
	uint64_t all = v->show->by_hits ? of->samples : of->weight;

	if (v->show->column == ANNOTATE_PERCENT)
		share_put(x->o, all ? 100.0 * (double)part / (double)all : 0, PERCENT_WIDTH);
	else
		out_u64w(x->o, v->show->column == ANNOTATE_SAMPLES ? x->sum[event].samples : x->sum[event].weight,
			 width(v->show));
}

/* Add up the row's spots within the bytes of the line. */
static void sum_up(const struct text *x, const struct shape_line *l)
{
	size_t n = x->s->v->n_events;

	memset(x->sum, 0, n * sizeof(*x->sum));
	for (size_t i = x->first; i < x->end; i++) {
		uint32_t spot = x->s->spot_order[i];

		if (x->s->spots.v[spot].off - l->off >= l->size && l->depth)
			continue;
		for (size_t k = 0; k < n; k++)
			add(&x->sum[k], &x->s->of_spot.v[spot * n + k]);
	}
}

static void put_name(struct out *o, const char *text)
{
	text_put(o, sv_from(text), TEXT_ALL, TEXT_PLAIN);
}

static void put_number(struct out *o, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), v ? "0x%llx" : "%llu", (unsigned long long)v);
	out_char(o, ' ');
	out_right(o, text, NUMBER_WIDTH);
}

static int put_line(void *arg, const struct shape_line *l)
{
	const struct text *x = arg;
	const struct annotate_view *v = x->s->v;
	char spelled[SHAPE_PATH];

	if (l->closes) {
		out_fill(x->o, ' ', width(v->show) * v->n_events + 2 * (NUMBER_WIDTH + 1) + 2 + l->depth * INDENT);
		out_str(x->o, "};\n");
		return 0;
	}
	sum_up(x, l);
	for (size_t i = 0; i < v->n_events; i++)
		put_sum(x, i);
	put_number(x->o, l->off);
	put_number(x->o, l->size);
	out_fill(x->o, ' ', 2 + l->depth * INDENT);
	put_name(x->o, ctype_spell(l->type, spelled, sizeof(spelled)));
	out_char(x->o, '\t');
	text_put(x->o, l->name, TEXT_ALL, TEXT_PLAIN);
	out_str(x->o, l->opens ? " {\n" : ";\n");
	return 0;
}

static void head(const struct text *x)
{
	static const char *const names[] = { "Percent", "Samples", "Period" };
	const struct annotate_view *v = x->s->v;
	const struct row *row = &x->s->rows.v[x->row];
	uint64_t samples = 0;

	for (size_t i = 0; i < v->n_events; i++)
		samples += x->s->of_row.v[x->row * v->n_events + i].samples;
	out_str(x->o, "Annotate type: '");
	put_name(x->o, row->type);
	out_str(x->o, "' in ");
	put_name(x->o, row->dso);
	out_printf(x->o, " (%llu samples):\n", (unsigned long long)samples);
	if (v->n_events > 1)
		out_printf(x->o, " events: %s\n", v->events);
	out_fill(x->o, '=', 76);
	out_char(x->o, '\n');
	out_right(x->o, names[v->show->column], width(v->show) * v->n_events);
	out_str(x->o, "     offset       size  field\n");
}

static bool is_wanted(const struct annotate_types_want *w, const char *type)
{
	const char *space = strchr(type, ' ');

	return !w->name || !strcmp(w->name, type) ||
	       (space && (sv_starts(sv_from(type), "struct ") || sv_starts(sv_from(type), "union ")) &&
		!strcmp(w->name, space + 1));
}

static bool is_heavy(const struct text *x)
{
	const struct annotate_view *v = x->s->v;
	uint64_t all = v->hits->all[v->event[0]].weight, own = x->s->of_row.v[x->row * v->n_events].weight;

	return !all || 100.0 * (double)own / (double)all >= x->t->least;
}

/* The spots of a row are adjacent in spot_order. */
static void find_spots(struct text *x)
{
	const struct sums *s = x->s;

	for (x->first = 0; x->first < s->spots.n && s->spots.v[s->spot_order[x->first]].row != x->row; )
		x->first++;
	for (x->end = x->first; x->end < s->spots.n && s->spots.v[s->spot_order[x->end]].row == x->row; )
		x->end++;
}

static int put_row(struct annotate_types *t, struct text *x)
{
	const struct row *row = &x->s->rows.v[x->row];

	if (!is_wanted(t->want, row->type) || !is_heavy(x))
		return 0;
	t->shown++;
	find_spots(x);
	head(x);
	shape_each(touched_type(t->touched, row->id)->type, put_line, x);
	out_char(x->o, '\n');
	return x->o->error;
}

static int put_all(struct annotate_types *t, struct sums *s, struct out *o)
{
	struct text x = { .t = t, .s = s, .o = o };
	int r = 0;

	s->order = in_order(s->rows.n, heavier, s);
	s->spot_order = in_order(s->spots.n, by_offset, s);
	x.sum = calloc(s->v->n_events, sizeof(*x.sum));
	if (!s->order || !s->spot_order || !x.sum)
		r = -ENOMEM;
	for (size_t i = 0; i < s->rows.n && !r; i++) {
		x.row = s->order[i];
		r = put_row(t, &x);
	}
	free(x.sum);
	return r == -ENOMEM ? r : 0;
}

int annotate_types(struct annotate_types *t, const struct annotate_view *v, struct out *o)
{
	struct sums s = { .v = v };
	int r = add_all(t, &s);

	if (!r && o)
		r = put_all(t, &s, o);
	vec_free(&s.rows);
	vec_free(&s.spots);
	vec_free(&s.of_row);
	vec_free(&s.of_spot);
	map_deinit(&s.row_of);
	map_deinit(&s.spot_of);
	free(s.order);
	free(s.spot_order);
	return r;
}

/* --- what became of the samples --- */

static const char *const whys[TOUCHED_WHYS] = {
	[TOUCHED_NO_SYMBOL] = "no symbol", [TOUCHED_NO_CODE] = "no code", [TOUCHED_NO_ACCESS] = "no load or store",
	[TOUCHED_NO_TYPES] = "no debug information, and no BTF",
	[TOUCHED_NO_VARIABLE] = "nothing tells what its address points to",
	[TOUCHED_NO_SIZE] = "the type is only declared",
	[TOUCHED_OUTSIDE] = "behind the end of the type",
};

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

void annotate_types_stat(const struct annotate_types *t, struct out *o)
{
	const uint64_t *n = t->stat.samples;
	uint64_t all = 0, touches;

	for (unsigned i = 0; i < TOUCHED_WHYS; i++)
		all += n[i];
	touches = all - n[TOUCHED_NO_SYMBOL] - n[TOUCHED_NO_CODE] - n[TOUCHED_NO_ACCESS];
	out_str(o, "Annotate data type stats:\n");
	out_printf(o, "total %llu, ok %llu (%.1f%%), bad %llu (%.1f%%); of loads and stores ok %.1f%%\n",
		   (unsigned long long)all, (unsigned long long)n[TOUCHED_OK], percent(n[TOUCHED_OK], all),
		   (unsigned long long)(all - n[TOUCHED_OK]), percent(all - n[TOUCHED_OK], all),
		   percent(n[TOUCHED_OK], touches));
	out_fill(o, '-', 59);
	out_char(o, '\n');
	for (unsigned i = TOUCHED_OK + 1; i < TOUCHED_WHYS; i++)
		if (n[i])
			out_printf(o, "%10llu : %s\n", (unsigned long long)n[i], whys[i]);
	out_printf(o, "%10llu : known by following the code alone\n\n", (unsigned long long)t->stat.followed);
}
