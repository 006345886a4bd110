/* grid.c - periods of an interval, a row for each event and place. */
#include "prof/grid.h"

#include "engine/line.h"
#include "prof/timer.h"

enum { DEFAULT_INTERVAL_MS = 1000, DEFAULT_PERIODS = 10, NS_PER_MS = 1000000 };

const struct opt grid_opts[] = {
	OPT_HEAD("Periods"),
	OPT_STR(0, "period", struct grid_want, period, "<time>",
		"length of a period: 50ms, 100us; without a unit ns (default: a tenth of -i)"),
	OPT_FLAG(0, "perins", struct grid_want, per_instance, "one row per CPU (or thread)"),
	OPT_END,
};

int grid_open(struct grid *g, const struct prof *p, const struct grid_want *w, struct err *e)
{
	uint64_t interval = prof_want(p)->from.interval_ns;

	interval = interval ? interval : (uint64_t)DEFAULT_INTERVAL_MS * NS_PER_MS;
	g->per_place = w->per_instance;
	g->period_ns = interval / DEFAULT_PERIODS;
	if (w->period && (!line_read_time(w->period, &g->period_ns) || !g->period_ns))
		return err_set(e, EINVAL, "--period %s: it is no time; 50ms and 100us are", w->period);
	if (g->period_ns > interval)
		return err_set(e, EINVAL, "--period %s is longer than the interval (-i) of %llu ms", w->period,
			       (unsigned long long)(interval / NS_PER_MS));
	g->interval_ns = interval;
	g->joined = 1;
	g->per_interval = interval / g->period_ns;
	if (g->per_interval > GRID_PERIODS) {
		err_set(e, EINVAL, "--period %s: that is more than %d of them in an interval", w->period,
			(int)GRID_PERIODS);
		return err_hint(e, "a shorter interval: -i 100 is a tenth of a second");
	}
	return 0;
}

void grid_recorded(struct grid *g, const struct prof *p)
{
	const struct perf_head *h = p->feed.session.head;
	uint64_t period = 0;

	for (size_t i = 0; !feed_is_live(&p->feed) && i < p->feed.n_of_event; i++)
		if (p->feed.of_event[i] == 1 && !(h->events.v[i].attr.flags & PERF_ATTR_FREQ))
			period = h->events.v[i].attr.sample_period;
	if (!period || period > g->interval_ns)
		return;
	/* A recorded period cannot be shorter than that of the timer. */
	period = MAX(period, (uint64_t)TIMER_LEAST_NS);
	g->joined = MAX(g->period_ns / period, 1u);
	g->period_ns = g->joined * period;
	g->per_interval = MIN(MAX(g->interval_ns / g->period_ns, 1u), (uint64_t)GRID_PERIODS);
}

static void forget(struct grid *g)
{
	for (size_t i = 0; i < g->rows.n; i++)
		vec_free(&g->rows.v[i].periods);
	vec_free(&g->rows);
	map_deinit(&g->of);
	g->of = (struct map){ 0 };
}

void grid_close(struct grid *g)
{
	forget(g);
}

static struct grid_row *row_of(struct grid *g, uint32_t tap, uint64_t place)
{
	uint64_t *at = map_add(&g->of, hash_u64(place) ^ tap, NULL);
	struct grid_row *r;

	if (!at)
		return NULL;
	if (*at)
		return &g->rows.v[*at - 1];
	r = vec_add(&g->rows);
	if (!r)
		return NULL;
	*at = g->rows.n;
	r->tap = tap;
	r->place = place;
	return r;
}

int grid_add(struct grid *g, uint32_t tap, uint64_t place, uint64_t count, uint64_t periods)
{
	struct grid_row *r = row_of(g, tap, place);

	if (!r)
		return -ENOMEM;
	for (uint64_t left = MIN(periods, g->per_interval * g->joined); left; ) {
		uint64_t n;

		if (!r->periods.n || r->in_last == g->joined) {
			if (!vec_add(&r->periods))
				return -ENOMEM;
			r->in_last = 0;
		}
		n = MIN(left, g->joined - r->in_last);
		r->in_last += n;
		left -= n;
	}
	if (r->periods.n)
		r->periods.v[r->periods.n - 1] += count;
	return 0;
}

bool grid_is_full(const struct grid *g)
{
	for (size_t i = 0; i < g->rows.n; i++)
		if (g->rows.v[i].periods.n > g->per_interval)
			return true;
	return false;
}

/* --- print ----------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const struct grid_row *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->tap < y->tap ? -1 : x->tap > y->tap;
}

static unsigned digits(uint64_t v)
{
	unsigned n = 1;

	while (v /= 10)
		n++;
	return n;
}

/* The printed rows: those of places, or their sums by event. */
struct sums {
	uint64_t *v;                     /* rows by periods */
	size_t n_rows, n_periods;
	const struct grid_row **of;      /* the first row of each sum */
};

static int add_up(const struct grid *g, struct sums *s, size_t periods)
{
	size_t at;

	s->n_periods = periods;
	s->v = calloc(g->rows.n * periods + 1, sizeof(*s->v));
	s->of = calloc(g->rows.n + 1, sizeof(*s->of));
	if (!s->v || !s->of)
		return -ENOMEM;
	for (size_t i = 0; i < g->rows.n; i++) {
		const struct grid_row *r = &g->rows.v[i];

		for (at = 0; !g->per_place && at < s->n_rows && s->of[at]->tap != r->tap; at++)
			;
		if (g->per_place)
			at = s->n_rows;
		if (at == s->n_rows)
			s->of[s->n_rows++] = r;
		for (size_t k = 0; k < MIN(periods, r->periods.n); k++)
			s->v[at * periods + k] += r->periods.v[k];
	}
	return 0;
}

static void widen(struct grid *g, const struct prof *p, const struct sums *s,
		  const char *(*name)(const struct prof *p, uint32_t tap))
{
	for (size_t i = 0; i < s->n_rows; i++) {
		unsigned n = (unsigned)strlen(name(p, s->of[i]->tap)), place = digits(s->of[i]->place);

		g->name_width = MAX(g->name_width, MIN(n, 60u));
		g->place_width = MAX(g->place_width, MAX(place, 3u));
		for (size_t k = 0; k < s->n_periods; k++) {
			unsigned wide = digits(s->v[i * s->n_periods + k]);

			g->width = MAX(g->width, wide);
		}
	}
}

static void put_lines(const struct grid *g, const struct prof *p, const struct sums *s,
		      const char *(*name)(const struct prof *p, uint32_t tap), struct out *o)
{
	for (size_t i = 0; i < s->n_rows; i++) {
		uint64_t total = 0;

		if (g->per_place)
			out_printf(o, "[%0*llu] ", (int)g->place_width, (unsigned long long)s->of[i]->place);
		out_printf(o, "%*s ", (int)g->name_width, name(p, s->of[i]->tap));
		for (size_t k = 0; k < s->n_periods; k++) {
			uint64_t v = s->v[i * s->n_periods + k];

			total += v;
			out_printf(o, "%s%*llu", k ? "|" : "", (int)g->width, (unsigned long long)v);
		}
		out_printf(o, " | total %llu\n", (unsigned long long)total);
	}
}

static int put_table(const struct grid *g, const struct prof *p, const struct sums *s,
		     const char *(*name)(const struct prof *p, uint32_t tap), struct out *o)
{
	const struct table_col cols[] = {
		{ g->unit, NULL, TABLE_RIGHT, 0 }, { "event", NULL, TABLE_LEFT, 0 },
		{ "period", NULL, TABLE_RIGHT, 0 }, { "count", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(p);
	struct table *t = table_new(cols + !g->per_place, ARRAY_SIZE(cols) - !g->per_place);
	int r;

	for (size_t i = 0; t && i < s->n_rows; i++)
		for (size_t k = 0; k < s->n_periods; k++) {
			if (g->per_place)
				table_u64(t, s->of[i]->place);
			table_str(t, name(p, s->of[i]->tap));
			table_u64(t, k);
			table_u64(t, s->v[i * s->n_periods + k]);
		}
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	return r;
}

/* Keep periods that came after the interval. */
static void keep_rest(struct grid *g)
{
	for (size_t i = 0; i < g->rows.n; i++) {
		struct grid_row *r = &g->rows.v[i];
		size_t n = MIN(g->per_interval, r->periods.n);

		memmove(r->periods.v, r->periods.v + n, (r->periods.n - n) * sizeof(*r->periods.v));
		r->periods.n -= n;
	}
}

int grid_show(struct grid *g, const struct prof *p, const char *(*name)(const struct prof *p, uint32_t tap), bool last,
	      struct out *o)
{
	struct sums s = { 0 };
	size_t most = 0;
	int r;

	for (size_t i = 0; i < g->rows.n; i++)
		most = MAX(most, g->rows.v[i].periods.n);
	if (!most)
		return 0;
	if (!last)
		most = MIN(most, g->per_interval);
	qsort(g->rows.v, g->rows.n, sizeof(*g->rows.v), compare);
	/* Sorting has changed the rows' indices. */
	for (size_t i = 0; i < g->rows.n; i++)
		*map_get(&g->of, hash_u64(g->rows.v[i].place) ^ g->rows.v[i].tap) = i + 1;
	r = add_up(g, &s, most);
	if (!r) {
		widen(g, p, &s, name);
		if (prof_table(p).form == TABLE_TEXT) {
			prof_stamp(p, o);
			put_lines(g, p, &s, name, o);
		} else {
			r = put_table(g, p, &s, name, o);
		}
	}
	free(s.v);
	free(s.of);
	keep_rest(g);
	return r;
}
