/*
 * prof_ldlat_loads.c - sonde prof ldlat-loads: latency of loads by data source. x86 puts both into samples of
 * mem-loads; on Arm such samples are synthesised from SPE records.
 */
#include "analyse/spread.h"
#include "base/sort.h"
#include "engine/line.h"
#include "perf/data_src.h"
#include "prof/rows.h"
#include "prof/prof.h"

struct want {
	struct prof_want prof;
	uint64_t ldlat, period, than;
	bool per_instance;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Loads"),
	OPT_U64(0, "ldlat", struct want, ldlat, "<cycles>",
		"only loads with at least this latency (default: 3; of a recording: all)"),
	OPT_U64('T', "trigger", struct want, period, "<n>", "sample one of <n> loads (default: 1000)"),
	OPT_U64(0, "than", struct want, than, "<cycles>", "print and count loads with a higher latency"),
	OPT_FLAG(0, "perins", struct want, per_instance,
		 "rows per CPU, or per thread with -p or -t"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print each load"),
	OPT_END,
};

enum { OP_LOAD = 2 };            /* in the low bits of a data source */
enum { LEAST_CYCLES = 3, LONGEST_CYCLES = 4095, USUAL_PERIOD = 1000 };

struct row {
	uint64_t source, place;
	struct spread spread;            /* cycles */
	uint64_t than;
};

struct loads {
	struct prof *prof;
	struct prof_key key;
	struct names ids;                /* (source, place) of each row */
	VEC(struct row) rows;
	uint64_t others, unmeasured, dropped;
	double total;                    /* cycles of all rows */
};

/* --- events -------------------------------------------------------------------------------------------------- */

static bool has(const struct prof *p, const char *file)
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", file);
	return sys_exists(p->sys, path);
}

/* "cpu/mem-loads,ldlat=30,period=1000/P", or SPE with its names for these: ldlat is the minimum latency. */
static int add_event(struct prof *p, const char *name, const char *ldlat, const char *behind, struct err *e)
{
	const struct want *w = p->want;
	char text[160];
	int r;

	snprintf(text, sizeof(text), "%s%s=%llu,period=%llu/%s", name, ldlat,
		 (unsigned long long)(w->ldlat ? w->ldlat : LEAST_CYCLES),
		 (unsigned long long)(w->period ? w->period : USUAL_PERIOD), behind);
	r = specs_add_event(&p->specs, text, e);
	if (!r)
		p->specs.v.v[0].alias = "mem-loads";
	return r;
}

/* Physical addresses: only needed for cache lines, and only for privileged users. */
static int add_spe(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	bool shown = (w->verbose || w->than) && !p->sys->uid(p->sys) && has(p, "arm_spe_0/format/pa_enable");

	return add_event(p, shown ? "arm_spe_0/ts_enable=1,load_filter=1,pa_enable=1," :
				    "arm_spe_0/ts_enable=1,load_filter=1,", "min_latency", "", e);
}

/* CPUs that need an auxiliary event (mem-loads-aux) in the group are not supported: events here have no groups. */
static int prepare_live(struct prof *p, struct err *e)
{
	const struct want *w = p->want;

	if (prof_own_only(p, e))
		return -e->code;
	if (w->ldlat > LONGEST_CYCLES)
		return err_set(e, EINVAL, "--ldlat %llu: the processor's threshold is %d at most",
			       (unsigned long long)w->ldlat, LONGEST_CYCLES);
	if (has(p, "arm_spe_0/type"))
		return add_spe(p, e);
	if (has(p, "cpu/events/mem-loads") && !has(p, "cpu/events/mem-loads-aux"))
		return add_event(p, "cpu/mem-loads,", "ldlat", "P", e);
	err_set(e, EOPNOTSUPP, "no PMU here samples loads: neither SPE (arm_spe_0) nor cpu/mem-loads%s",
		has(p, "cpu/events/mem-loads-aux") ? " without an event beside it" : "");
	return err_hint(e, "recordings of elsewhere are read: -i perf.data, made by perf mem record on x86, by record "
			   "-e arm_spe_0/load_filter=1,min_latency=30/ on arm64");
}

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;

	if (prof_want(p)->key)
		return err_set(e, EINVAL, "-k: ldlat-loads has no keys");
	if (w->verbose && prof_table(p).form != TABLE_TEXT)
		return err_set(e, EINVAL, "-j and -x have rows alone, -v prints loads");
	if (!prof_want(p)->from.input)
		return prepare_live(p, e);
	if (w->period)
		return err_set(e, EINVAL, "-T is for what runs: a recording (-i) has the loads that it has");
	prof_want(p)->session.itrace = "M";
	/* Take events of any name whose samples have both. */
	return p->specs.v.n ? 0 : specs_add_event(&p->specs, "*", e);
}

static bool tells(const struct perf_event *ev)
{
	uint64_t type = ev->layout.sample_type;

	return type & PERF_SAMPLE_DATA_SRC && type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT);
}

static int begin(struct prof *p, struct err *e)
{
	const struct perf_head *h = p->feed.session.head;
	struct loads *l = p->own;
	bool some = false;

	l->prof = p;
	for (size_t i = 0; i < h->events.n && i < p->feed.n_of_event; i++)
		some |= p->feed.of_event[i] && tells(&h->events.v[i]);
	if (some)
		return prof_key_open(&l->key, p, e);
	err_set(e, ENODATA, "%s has no loads with their latency and data source", p->feed.session.path);
	return feed_hint(&p->feed, "on x86 perf mem record takes them, on arm64 record -e "
				   "arm_spe_0/load_filter=1,min_latency=30/", e);
}

/* --- loads --------------------------------------------------------------------------------------------------- */

static void put_source(uint64_t v, struct out *o)
{
	static const struct { const char *head; enum data_src_part part; uint64_t bits; } parts[] = {
		{ ", snoop ", DATA_SRC_SNOOP, UINT64_C(0x1f) << 19 | UINT64_C(3) << 38 },
		{ ", TLB ", DATA_SRC_TLB, UINT64_C(0x7f) << 26 },
		{ ", locked ", DATA_SRC_LOCKED, UINT64_C(3) << 24 },
		{ ", blocked", DATA_SRC_BLOCKED, UINT64_C(7) << 40 },
	};

	data_src_part_text(v, DATA_SRC_LEVEL, o);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!(v & parts[i].bits))
			continue;
		out_str(o, parts[i].head);
		data_src_part_text(v, parts[i].part, o);
	}
}

static void put_hex(struct out *o, const char *head, uint64_t v)
{
	out_str(o, head);
	out_zero_hex(o, v, 16);
}

static void put_load(struct prof *p, const struct hit *h, uint64_t cycles, struct out *o)
{
	const struct sample *s = h->sample;
	const struct sym_loc *l = resolver_find(p->feed.session.resolver, s->pid, s->cpumode, s->ip);
	uint64_t type = h->perf->layout.sample_type;

	line_place(&p->feed, h, o);
	out_printf(o, "pid %u", s->pid);
	if (type & PERF_SAMPLE_ADDR)
		put_hex(o, " data ", s->addr);
	if (type & PERF_SAMPLE_PHYS_ADDR && s->phys_addr)
		put_hex(o, " phys ", s->phys_addr);
	out_printf(o, " latency %llu cycles, ", (unsigned long long)cycles);
	data_src_part_text(s->data_src, DATA_SRC_LEVEL, o);
	put_hex(o, " RIP ", s->ip);
	if (l)
		out_printf(o, "%s%s (%s)", l->sym ? " " : "", l->sym ? l->sym : "", l->dso_short);
	out_char(o, '\n');
}

/* NULL: no memory, or (l->rows is full) too many. */
static struct row *row_of(struct loads *l, uint64_t source, uint64_t place)
{
	uint64_t id[2] = { source, place };
	uint32_t at = prof_row(&l->ids, id, sizeof(id));
	struct row *r = at < l->rows.n ? &l->rows.v[at] : at == l->rows.n ? vec_add(&l->rows) : NULL;

	if (r && at == l->rows.n - 1 && !r->spread.n)
		*r = (struct row){ .source = source, .place = place };
	return r;
}

static int take(struct loads *l, const struct hit *h, uint64_t cycles)
{
	const struct want *w = l->prof->want;
	uint64_t place = w->per_instance ? (l->key.by_thread ? h->tid : h->cpu) : 0;
	struct row *r = row_of(l, h->sample->data_src, place);

	if (!r && l->rows.n < PROF_ROWS)
		return -ENOMEM;
	if (!r) {
		l->dropped++;
		return 0;
	}
	r->than += cycles > w->than;
	l->total += (double)cycles;
	return spread_add(&r->spread, cycles);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	const struct want *w = p->want;
	struct loads *l = p->own;
	uint64_t cycles = sample_weight(&h->perf->layout, h->sample);

	if (!tells(h->perf))
		return 0;
	if (!(h->sample->data_src & OP_LOAD)) {
		l->others++;
		return 0;
	}
	if (!cycles) {
		l->unmeasured++;
		return 0;
	}
	if (cycles < w->ldlat)
		return 0;
	if (prof_table(p).form == TABLE_TEXT && (w->verbose || (w->than && cycles > w->than)))
		put_load(p, h, cycles, p->feed.expr.out);
	return take(l, h, cycles);
}

/* --- rows ---------------------------------------------------------------------------------------------------- */

/* By place, the most cycles first. */
static int compare(const void *arg, uint32_t a, uint32_t b)
{
	const struct loads *l = arg;
	const struct row *x = &l->rows.v[a], *y = &l->rows.v[b];

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->spread.total != y->spread.total)
		return x->spread.total > y->spread.total ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

enum { COLUMNS = 14 };

struct columns {
	struct table_col v[COLUMNS];
	size_t n;
};

static void add(struct columns *c, const char *head, const char *key, enum table_align align)
{
	c->v[c->n++] = (struct table_col){ head, key, align, 0 };
}

static struct columns columns_of(const struct loads *l)
{
	static const char *const numbers[] = { "total", "min", "avg", "max", "p50", "p95", "p99" };
	const struct want *w = l->prof->want;
	struct columns c = { 0 };

	if (w->per_instance)
		add(&c, l->key.by_thread ? "thread" : "cpu", NULL, TABLE_RIGHT);
	if (w->per_instance && l->key.by_thread)
		add(&c, "comm", NULL, TABLE_LEFT);
	add(&c, "samples", NULL, TABLE_RIGHT);
	if (w->than)
		add(&c, "than", NULL, TABLE_RIGHT);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		add(&c, numbers[i], NULL, TABLE_RIGHT);
	add(&c, "cycles", "cycles_percent", TABLE_RIGHT);
	add(&c, "data source", "source", TABLE_LEFT);
	if (prof_table(l->prof).form != TABLE_TEXT)
		add(&c, "data_src", NULL, TABLE_RIGHT);
	return c;
}

static void put_place(const struct loads *l, struct table *t, const struct row *r)
{
	if (r->place == UINT32_MAX)
		table_none(t);
	else
		table_u64(t, r->place);
	if (l->key.by_thread)
		table_str(t, feed_comm(&l->prof->feed, (uint32_t)r->place));
}

static void put_numbers(struct table *t, const struct spread *s)
{
	table_fixed(t, s->total, 0);
	table_u64(t, s->min);
	table_fixed(t, spread_mean(s), 1);
	table_u64(t, s->max);
	table_u64(t, spread_at(s, 500));
	table_u64(t, spread_at(s, 950));
	table_u64(t, spread_at(s, 990));
}

static void put_row(const struct loads *l, struct table *t, const struct row *r)
{
	const struct want *w = l->prof->want;
	struct mem_out m;

	if (w->per_instance)
		put_place(l, t, r);
	table_u64(t, r->spread.n);
	if (w->than)
		table_u64(t, r->than);
	put_numbers(t, &r->spread);
	table_percent(t, l->total > 0 ? r->spread.total * 100 / l->total : 0);
	mem_out_init(&m);
	put_source(r->source, &m.out);
	table_str(t, mem_out_str(&m));
	mem_out_deinit(&m);
	if (prof_table(l->prof).form != TABLE_TEXT)
		table_hex(t, r->source);
}

static int put_rows(struct loads *l, struct out *o)
{
	struct columns c = columns_of(l);
	struct table_want form = prof_table(l->prof);
	struct table *t = table_new(c.v, c.n);
	uint32_t *order = malloc((2 * l->rows.n + 1) * sizeof(*order));
	int r = -ENOMEM;

	if (t && order) {
		for (uint32_t i = 0; i < l->rows.n; i++)
			order[i] = i;
		sort_u32(order, order + l->rows.n, l->rows.n, compare, l);
		for (size_t i = 0; i < l->rows.n; i++)
			put_row(l, t, &l->rows.v[order[i]]);
		r = table_print(t, &form, o);
	}
	free(order);
	table_free(t);
	return r;
}

static void forget(struct loads *l)
{
	for (size_t i = 0; i < l->rows.n; i++)
		spread_clear(&l->rows.v[i].spread);
	l->rows.n = 0;
	names_deinit(&l->ids);
	l->ids = (struct names){ 0 };
	l->others = l->unmeasured = l->dropped = 0;
	l->total = 0;
}

static int show(struct prof *p, bool last UNUSED, struct out *o, struct err *e)
{
	struct loads *l = p->own;
	int r;

	/* An empty interval prints no table. */
	if (prof_want(p)->from.interval_ns && !l->rows.n && !l->others && !l->unmeasured)
		return 0;
	prof_interval(p, o);
	r = put_rows(l, o);
	prof_count(p, o, l->others, "samples are no loads");
	prof_count(p, o, l->unmeasured, "loads tell no latency, and are in no row");
	prof_count(p, o, l->dropped, "loads are in no row: there are too many");
	forget(l);
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct loads *l = p->own;

	forget(l);
	vec_free(&l->rows);
}

DEFINE_PROF(ldlat_loads) = {
	.cmd = {
		.name = "ldlat-loads", .family = "prof", .brief = "Show load latencies by data source",
		.synopsis = "[--ldlat <cycles>] [-T <n>] [--than <cycles>] [options] [-- command [arguments]]",
		.details = PACKED(
			"One row per data source reported by the processor: cache or memory level, snoop result, TLB "
			"level. total to p99 are cycles, the share is of all cycles. Loads are sampled by Arm's SPE "
			"(arm_spe_0) or x86's mem-loads; in recordings each event with latencies and data sources is "
			"used. -T below the processor's minimum is raised to it."),
		.examples = PACKED(
			"sonde prof ldlat-loads -p 2347 --ldlat 10 --than 100 -i 1000\ta process, every second\n"
			"sonde prof ldlat-loads -i perf.data\ta recording: perf mem record, record -e arm_spe_0//\n"
			"sonde prof ldlat-loads -i perf.data --perins --than 300\tper CPU, print loads above 300 "
				"cycles"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct loads), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
	.sample = PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR,
};
