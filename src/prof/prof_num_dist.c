/* prof_num_dist.c - sonde prof num-dist: distribution of a field's values. */
#include "analyse/spread.h"
#include "engine/line.h"
#include "prof/heat.h"
#include "prof/prof.h"

struct want {
	struct prof_want prof;
	const char *than, *heatmap;
	bool per_instance;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Numbers"),
	OPT_STR(0, "than", struct want, than, "<n>", "print each event with a larger number"),
	OPT_STR(0, "heatmap", struct want, heatmap, "<file>",
		"write a heatmap of the numbers over time, <file>-EVENT.svg"),
	OPT_FLAG(0, "perins", struct want, per_instance,
		 "one row per CPU, or per thread with -p or -t"),
	OPT_SUB(prof_bpf_opts, struct want, prof),
	OPT_END,
};

struct row {
	struct spread spread;
	uint32_t tap;
	uint64_t place;
};

struct num_dist {
	const struct texpr **num;
	struct prof_key key;
	struct map of;                   /* (tap, place) -> index of its row + 1 */
	VEC(struct row) rows;
	uint64_t than, unknown, negative;
	bool has_than, is_text;
	struct heat heat;
	struct out *out;
};

static const char *num_text(const struct spec *s)
{
	return s->num;
}

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct num_dist *d = p->own;
	int r = prof_compile(&d->num, p, num_text, e);

	d->out = p->feed.expr.out;
	d->has_than = w->than;
	d->is_text = prof_table(p).form == TABLE_TEXT;
	d->heat.file = w->heatmap;
	if (!r && w->than && !str_u64(sv_from(w->than), 0, &d->than) && !line_read_time(w->than, &d->than))
		return err_set(e, EINVAL, "--than %s: it is no number", w->than);
	for (size_t i = 0; !r && i < p->feed.taps.n; i++)
		if (!d->num[i])
			r = err_set(e, EINVAL, "%s has no num=: which of its numbers?", p->feed.taps.v[i].spec->text);
	return r ? r : prof_key_open(&d->key, p, e);
}

static struct row *row_of(struct num_dist *d, uint32_t tap, uint64_t place)
{
	uint64_t *at = map_add(&d->of, hash_u64(place) ^ tap, NULL);
	struct row *r;

	if (!at)
		return NULL;
	if (*at)
		return &d->rows.v[*at - 1];
	r = vec_add(&d->rows);
	if (!r)
		return NULL;
	*at = d->rows.n;
	r->tap = tap;
	r->place = place;
	return r;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	const struct want *w = p->want;
	struct num_dist *d = p->own;
	struct tval v = expr_value(&p->feed.expr, d->num[h->tap->index], h);
	struct row *r;

	if (v.kind != TVAL_NUM) {
		d->unknown++;
		return 0;
	}
	if (!v.type.is_unsigned && (int64_t)v.v < 0) {
		d->negative++;
		return 0;
	}
	if (d->has_than && v.v > d->than && d->is_text) {
		line_put(&p->feed, h, d->out);
		out_char(d->out, '\n');
	}
	r = row_of(d, h->tap->index, w->per_instance ? (d->key.by_thread ? h->tid : h->cpu) : 0);
	if (!r || heat_add(&d->heat, h->tap->name, NULL, h->time, v.v))
		return -ENOMEM;
	return spread_add(&r->spread, v.v);
}

/* --- by BPF programs --- */

static int ask(struct prof *p, struct tally_event *asks, struct err *why)
{
	const struct want *w = p->want;
	struct num_dist *d = p->own;

	if (d->has_than || w->heatmap)
		return err_set(why, EOPNOTSUPP, "--than and --heatmap take each event");
	for (size_t i = 0; i < p->feed.taps.n; i++)
		asks[i] = (struct tally_event){
			.num = { d->num[i] }, .n_num = 1, .is_spread = true,
			.by = !w->per_instance ? TALLY_BY_NOTHING : d->key.by_thread ? TALLY_BY_TID : TALLY_BY_CPU,
		};
	return 0;
}

static int counted(struct prof *p, const struct tally_entry *n)
{
	struct row *r = row_of(p->own, n->event, n->key);

	return r ? spread_add_to(&r->spread, n->part, n->n, n->sum) : -ENOMEM;
}

/* Values that arrive during the reading are counted next time: a row may only have a bound, and is then not shown. */
static int bound(struct prof *p, const struct tally_bound *b)
{
	struct row *r = row_of(p->own, b->event, b->key);

	if (!r)
		return -ENOMEM;
	spread_bound(&r->spread, b->least, b->most);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->tap != y->tap ? (x->tap < y->tap ? -1 : 1) : x->place < y->place ? -1 : x->place > y->place;
}

static void put_row(struct prof *p, struct table *t, const struct row *r, bool places)
{
	const struct spread *s = &r->spread;

	if (places)
		table_u64(t, r->place);
	table_str(t, p->feed.taps.v[r->tap].name);
	table_u64(t, s->n);
	table_fixed(t, s->total, 0);
	table_u64(t, s->n ? s->min : 0);
	table_fixed(t, spread_mean(s), 1);
	table_u64(t, spread_at(s, 500));
	table_u64(t, spread_at(s, 950));
	table_u64(t, spread_at(s, 990));
	table_u64(t, s->max);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	static const struct table_col cols[] = {
		{ "instance", NULL, TABLE_RIGHT, 0 }, { "event", NULL, TABLE_LEFT, 0 },
		{ "calls", NULL, TABLE_RIGHT, 0 }, { "total", NULL, TABLE_RIGHT, 0 },
		{ "min", NULL, TABLE_RIGHT, 0 }, { "avg", NULL, TABLE_RIGHT, 0 },
		{ "p50", NULL, TABLE_RIGHT, 0 }, { "p95", NULL, TABLE_RIGHT, 0 }, { "p99", NULL, TABLE_RIGHT, 0 },
		{ "max", NULL, TABLE_RIGHT, 0 },
	};
	const struct want *w = p->want;
	struct num_dist *d = p->own;
	struct table_want form = prof_table(p);
	bool places = w->per_instance;
	struct table *t = table_new(cols + !places, ARRAY_SIZE(cols) - !places);
	int r;

	if (!t)
		return err_nomem(e);
	if (d->rows.n)
		qsort(d->rows.v, d->rows.n, sizeof(*d->rows.v), by_name);
	for (size_t i = 0; i < d->rows.n; i++)
		if (d->rows.v[i].spread.n)
			put_row(p, t, &d->rows.v[i], places);
	prof_interval(p, o);
	r = table_print(t, &form, o);
	table_free(t);
	prof_count(p, o, d->unknown, "events have no such number");
	prof_count(p, o, d->negative, "numbers are below zero, and in no row");
	for (size_t i = 0; i < d->rows.n; i++)
		spread_clear(&d->rows.v[i].spread);
	d->rows.n = 0;
	map_deinit(&d->of);
	d->of = (struct map){ 0 };
	d->unknown = d->negative = 0;
	if (r)
		return err_nomem(e);
	return last ? heat_write(&d->heat, p, e) : 0;
}

static void close(struct prof *p)
{
	struct num_dist *d = p->own;

	for (size_t i = 0; i < d->rows.n; i++)
		spread_clear(&d->rows.v[i].spread);
	heat_close(&d->heat);
	vec_free(&d->rows);
	map_deinit(&d->of);
}

DEFINE_PROF(num_dist) = {
	.cmd = {
		.name = "num-dist", .family = "prof", .brief = "Show the distribution of an event field",
		.synopsis = "-e <event//num=EXPR/> [options] [-- command [arguments]]",
		.examples = PACKED(
			"sonde prof num-dist -e sched:sched_stat_runtime//num=runtime/ -C 0 -i 1000\tevery second\n"
			"sonde prof num-dist -e 'sched:sched_stat_runtime//num=\"runtime/1000\"/alias=us/'\tin us\n"
			"sonde prof num-dist -e kmem:kmalloc//num=bytes_alloc/ -i perf.data --perins\tper CPU"),
		.details = PACKED(
			"A BPF program counts if it can; then no event is written to ring buffers. The first line says "
			"which; --no-bpf counts in user space."),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct num_dist), .begin = begin, .hit = hit, .show = show, .close = close,
	.ask = ask, .counted = counted, .bound = bound,
};
