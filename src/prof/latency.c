/* latency.c - sums up pairs, and shows those that took too long with the events in between. */
#include "prof/latency.h"

#include "engine/line.h"

static int set_detail(void *field, const char *value, struct err *e UNUSED)
{
	*(const char **)field = value ? value : "all";
	return 0;
}

const struct opt latency_than_opts[] = {
	OPT_HEAD("Pairs"),
	OPT_STR(0, "than", struct latency_want, than, "<time>",
		"print pairs that take longer: 20us, 5ms; without a unit ns"),
	OPT_STR(0, "only-than", struct latency_want, only_than, "<time>",
		"same as --than, and count only these pairs in the rows"),
	OPT_STR(0, "lower", struct latency_want, lower, "<time>", "print pairs that take less"),
	OPT_CALL(0, "detail", OPT_OPTIONAL, struct latency_want, detail, set_detail, "<how>",
		 "print the events between the pair: all, or comma-separated: -TIME, +TIME (also before, after the "
		 "pair), 1, 2 (only events like the first or second), hide<TIME, samecpu, samepid, sametid, samekey"),
	OPT_STR(0, "heatmap", struct latency_want, heatmap, "<file>",
		"write a heatmap of latencies, <file>-START-END.svg per kind of pair"),
	OPT_SUB(freeze_opts, struct latency_want, freeze),
	OPT_END,
};

enum { PENDING_MAX = 4096 };   /* pairs that wait for later events; further ones are shown without these */

const struct opt latency_opts[] = {
	OPT_SUB(latency_than_opts, struct latency_want, than),
	OPT_FLAG(0, "perins", struct latency_want, per_instance, "one row per key"),
	OPT_END,
};

static int read_time(const char *name, const char *text, uint64_t *ns, bool *has, struct err *e)
{
	*has = text;
	if (!text || line_read_time(text, ns))
		return 0;
	return err_set(e, EINVAL, "--%s %s: it is no time, as 500, 20us, 5ms or 1s", name, text);
}

static bool read_one(struct latency_detail *d, struct sv one)
{
#define FLAG(name, field) { name, offsetof(struct latency_detail, field) }
	static const struct { const char *name; size_t off; } flags[] = {
		FLAG("1", same_first), FLAG("2", same_second), FLAG("samecpu", same_cpu), FLAG("samepid", same_pid),
		FLAG("sametid", same_tid), FLAG("samekey", same_key),
	};
#undef FLAG

	if (sv_eq(one, "all"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (sv_eq(one, flags[i].name))
			return *(bool *)((char *)d + flags[i].off) = true;
	if (sv_starts(one, "hide<"))
		return str_time((struct sv){ one.s + 5, one.n - 5 }, 1, &d->hide);
	if (one.n && *one.s == '-')
		return str_time((struct sv){ one.s + 1, one.n - 1 }, 1, &d->before);
	if (one.n && *one.s == '+')
		return str_time((struct sv){ one.s + 1, one.n - 1 }, 1, &d->after);
	return false;
}

static int read_detail(struct latency_detail *d, const char *text, struct err *e)
{
	struct sv rest = sv_from(text ? text : ""), one;

	d->on = text;
	while (text && sv_cut(&rest, ',', &one)) {
		if (read_one(d, one))
			continue;
		err_set(e, EINVAL, "--detail: '%.*s' is none of its words", (int)MIN(one.n, 40u), one.s);
		return err_hint(e, "all -1ms +1ms 1 2 hide<10us samecpu samepid sametid samekey, with commas");
	}
	return 0;
}

/* --- rows --- */

struct latency_row *latency_row_of(struct latency *l, const struct stages_pair *p)
{
	const struct latency_shape *s = &l->shape;
	bool by_key = l->want->per_instance || l->key_head, is_full = l->rows.n == LATENCY_ROWS;
	uint64_t events = s->group ? 0 : (uint64_t)p->first->index << 32 | p->second->index;
	uint64_t group = s->group ? s->group(l->arg, p) : 0, key = by_key ? p->key : 0;
	uint64_t id = hash_u64(hash_u64(events) + group) + key;
	uint64_t *at = is_full ? map_get(&l->of, id) : map_add(&l->of, id, NULL);
	struct latency_row *r;

	if (!at)
		return NULL;
	if (*at)
		return &l->rows.v[*at - 1];
	r = vec_add(&l->rows);
	if (!r)
		return NULL;
	*at = l->rows.n;
	r->first = p->first;
	r->second = p->second;
	r->key = key;
	r->group = group;
	return r;
}

/* --- detail --- */

static bool is_shown(const struct latency *l, const struct stages_pair *p, const struct timeline_item *it)
{
	const struct latency_detail *d = &l->detail;
	const struct hit *h = &it->hit;
	bool is_like = !(d->same_first || d->same_second) || (d->same_first && h->event == p->first->event) ||
		       (d->same_second && h->event == p->second->event);

	if (it->seq == p->seq_from || it->seq == p->seq_to)
		return true;
	return d->on && is_like && (!d->same_cpu || h->cpu == p->cpu_from || h->cpu == p->cpu_to) &&
	       (!d->same_pid || h->pid == p->pid_from || h->pid == p->pid_to) &&
	       (!d->same_tid || h->tid == p->tid_from || h->tid == p->tid_to) && (!d->same_key || it->key == p->key);
}

static void put_item(struct latency *l, const struct stages_pair *p, const struct timeline_item *it)
{
	char time[LINE_TIME];
	bool before = it->hit.time < p->from;
	uint64_t off = before ? p->from - it->hit.time : it->hit.time - p->from;
	bool of_pair = it->seq == p->seq_from || it->seq == p->seq_to;
	uint32_t stack;

	out_printf(l->out, "%c %c%11s ", of_pair ? '*' : ' ', before ? '-' : '+', line_time(time, off));
	line_put(&l->prof->feed, &it->hit, l->out);
	out_char(l->out, '\n');
	stack = callers_of(&l->stacks.callers, &it->hit);
	if (stack && stack != CALLTREE_NONE)
		callers_put(&l->stacks.callers, stack, l->out);
}

static void put_pair(struct latency *l, const struct stages_pair *p)
{
	struct timeline_walk w = { 0 };
	struct timeline_item it;
	char time[LINE_TIME];
	uint64_t from = p->from - MIN(p->from, l->detail.before), to = p->to + l->detail.after, last = 0;
	/* Events before the pair have lower numbers: select by time. */
	uint64_t start = l->detail.before ? 0 : p->seq_from;

	out_printf(l->out, "%s => %s took %s\n", p->first->name, p->second->name, line_time(time, p->to - p->from));
	if (p->seq_from < l->timeline.first)
		out_str(l->out, "  (what it began with is not kept any more)\n");
	while (timeline_next(&l->timeline, &w, start, &it) && it.hit.time <= to) {
		bool of_pair = it.seq == p->seq_from || it.seq == p->seq_to;
		bool near = last && it.hit.time - last < l->detail.hide;

		if (it.hit.time < from || !is_shown(l, p, &it) || (near && !of_pair))
			continue;
		last = it.hit.time;
		put_item(l, p, &it);
	}
}

/* Show pending pairs whose time behind the end is over. */
static void put_pending(struct latency *l, uint64_t now)
{
	size_t n = 0;

	while (n < l->pending.n && now - MIN(now, l->pending.v[n].to) > l->detail.after)
		put_pair(l, &l->pending.v[n++]);
	if (!n)
		return;
	memmove(l->pending.v, l->pending.v + n, (l->pending.n - n) * sizeof(*l->pending.v));
	l->pending.n -= n;
}

static int show_pair(struct latency *l, const struct stages_pair *p)
{
	struct stages_pair *keep;

	if (!l->timeline.bytes)
		return 0;
	if (!l->detail.after || l->pending.n == PENDING_MAX) {
		put_pair(l, p);
		return 0;
	}
	keep = vec_add(&l->pending);
	if (!keep)
		return -ENOMEM;
	*keep = *p;
	return 0;
}

static int take_pair(void *arg, const struct stages_pair *p)
{
	struct latency *l = arg;
	uint64_t ns = p->to - p->from;
	bool longer = (l->has_than && ns > l->than) || (l->has_only_than && ns > l->only_than);
	struct latency_row *row;
	int r = 0;

	if ((longer || (l->has_lower && ns < l->lower)) && (!l->wanted || l->wanted(l->arg, p))) {
		r = show_pair(l, p);
		if (longer && l->freeze.want)
			freeze_at(&l->freeze, &(struct freeze_span){ p->from, p->to });
	}
	if (r || (l->has_only_than && ns <= l->only_than))
		return r;
	r = heat_add(&l->heat, p->first->name, p->second->name, p->to, ns);
	if (r)
		return r;
	row = latency_row_of(l, p);
	if (!row && l->rows.n < LATENCY_ROWS)
		return -ENOMEM;
	if (!row) {
		l->rowless++;
		return 0;
	}
	row->than += longer;
	r = spread_add(&row->spread, ns);
	return r || !l->pair ? r : l->pair(l->arg, p, row);
}

/* --- open, feed, show --- */

/* Pairs are only shown as text; rows for scripts come alone, and only count them. */
static int open_timeline(struct latency *l, struct err *e)
{
	bool is_text = prof_table(l->prof).form == TABLE_TEXT, longer = l->has_than || l->has_only_than;

	if (l->detail.on && !longer && !l->has_lower)
		return err_set(e, EINVAL, "--detail is of pairs that take too long: --than says what is too long");
	if (l->want->freeze.around && !longer)
		return err_set(e, EINVAL, "--freeze is about pairs that take too long: --than says what is too long");
	if (!is_text && (l->detail.on || l->has_lower || l->want->freeze.around))
		return err_set(e, EINVAL, "-j and -x have rows alone, %s shows pairs",
			       l->detail.on ? "--detail" : l->has_lower ? "--lower" : "--freeze");
	if (is_text && (longer || l->has_lower) && timeline_open(&l->timeline, TIMELINE_BYTES))
		return err_nomem(e);
	return 0;
}

int latency_open(struct latency *l, struct prof *p, const struct latency_want *w, unsigned stages, struct err *e)
{
	int r = read_time("than", w->than, &l->than, &l->has_than, e);

	l->prof = p;
	l->want = w;
	l->out = p->feed.expr.out;
	l->heat = (struct heat){ .file = w->heatmap, .is_ns = true };
	stages_init(&l->stages, stages, w->cycle);
	l->stages.pair = take_pair;
	l->stages.arg = l;
	r = r ? r : read_time("only-than", w->only_than, &l->only_than, &l->has_only_than, e);
	r = r ? r : read_time("lower", w->lower, &l->lower, &l->has_lower, e);
	r = r ? r : read_detail(&l->detail, w->detail, e);
	r = r ? r : prof_stacks_open(&l->stacks, p, e);
	if (!r && l->stacks.flame) {
		err_set(e, EINVAL, "--flame-graph: %s draws none, stacks stand below the events of --than",
			p->kind->cmd.name);
		r = err_hint(e, "sonde prof trace -g --flame-graph draws those of events");
	}
	if (r)
		return r;
	r = open_timeline(l, e);
	return r ? r : freeze_open(&l->freeze, p, &w->freeze, e);
}

static void forget_rows(struct latency *l)
{
	for (size_t i = 0; i < l->rows.n; i++)
		spread_clear(&l->rows.v[i].spread);
	l->rows.n = 0;
	map_deinit(&l->of);
	l->of = (struct map){ 0 };
}

void latency_close(struct latency *l)
{
	struct err e = { 0 };

	if (freeze_close(&l->freeze, &e))
		l->prof->how->note(l->prof->how->arg, e.text);
	forget_rows(l);
	stages_deinit(&l->stages);
	timeline_close(&l->timeline);
	heat_close(&l->heat);
	prof_stacks_close(&l->stacks);
	vec_free(&l->rows);
	vec_free(&l->pending);
}

int latency_event(struct latency *l, struct stages_event *ev)
{
	const struct hit *h = ev->hit;

	/* A record that hits several taps is stored once. */
	if (l->timeline.bytes && h->record != l->record)
		l->seq = timeline_add(&l->timeline, h, ev->key);
	l->record = h->record;
	ev->seq = l->seq;
	if (l->pending.n)
		put_pending(l, h->time);
	return ev->role ? stages_add(&l->stages, ev) : 0;
}

int latency_pair(struct latency *l, const struct stages_pair *p)
{
	return take_pair(l, p);
}

int latency_hit(struct latency *l, const struct hit *h, unsigned stage, unsigned role, uint64_t key)
{
	struct stages_event ev = { .hit = h, .stage = stage, .role = role, .key = key };

	return latency_event(l, &ev);
}

int latency_lost(struct latency *l, uint32_t cpu)
{
	return stages_lose(&l->stages, cpu);
}

static int by_place(const void *a, const void *b)
{
	const struct latency_row *x = a, *y = b;

	if (x->first != y->first)
		return x->first->index < y->first->index ? -1 : 1;
	if (x->second != y->second)
		return x->second->index < y->second->index ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int by_total(const void *a, const void *b)
{
	const struct latency_row *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->spread.total != y->spread.total)
		return x->spread.total > y->spread.total ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

enum { COLUMNS = LATENCY_NAMES + 10 };

struct columns {
	struct table_col v[COLUMNS];
	size_t n;
	unsigned which;
	bool by_key, than;
};

static void add(struct columns *c, const char *head, const char *key)
{
	c->v[c->n++] = (struct table_col){ head, key, TABLE_RIGHT, 0 };
}

static void choose_columns(const struct latency *l, struct columns *c)
{
	const struct latency_shape *s = &l->shape;

	*c = (struct columns){ .which = s->columns ? s->columns : LATENCY_P50 | LATENCY_P95 | LATENCY_P99 };
	c->by_key = (l->key_head || l->want->per_instance) && !s->n_names;
	c->than = l->has_than || l->has_only_than;
	for (size_t i = 0; i < s->n_names; i++)
		c->v[c->n++] = s->names[i];
	if (c->by_key)
		add(c, l->key_head ? l->key_head : prof_want(l->prof)->key ? prof_want(l->prof)->key : "key", NULL);
	if (!s->n_names) {
		add(c, "start", NULL);
		c->v[c->n++] = (struct table_col){ "=>", "to", TABLE_LEFT, 0 };
		c->v[c->n++] = (struct table_col){ "end", NULL, TABLE_LEFT, 0 };
	}
	add(c, s->count ? s->count : "calls", NULL);
	add(c, "total(us)", "total_us");
	add(c, "min(us)", "min_us");
	if (c->which & LATENCY_AVG)
		add(c, "avg(us)", "avg_us");
	if (c->which & LATENCY_P50)
		add(c, "p50(us)", "p50_us");
	if (c->which & LATENCY_P95)
		add(c, "p95(us)", "p95_us");
	if (c->which & LATENCY_P99)
		add(c, "p99(us)", "p99_us");
	add(c, "max(us)", "max_us");
	if (s->more)
		c->v[c->n++] = *s->more;
	if (c->than)
		add(c, "than(reqs)", "than");
}

static void put_names(struct latency *l, struct table *t, const struct latency_row *r, const struct columns *c)
{
	char buf[64];

	if (l->shape.n_names) {
		l->shape.put_names(l->arg, t, r);
		return;
	}
	if (c->by_key && l->key_name)
		table_str(t, l->key_name(l->arg, r->key, buf));
	else if (c->by_key)
		table_u64(t, r->key);
	table_str(t, r->first->name);
	table_str(t, "=>");
	table_str(t, r->second->name);
}

static void put_us(struct table *t, double ns)
{
	table_fixed(t, ns / 1000, 3);
}

static void put_row(struct latency *l, struct table *t, const struct latency_row *r, const struct columns *c)
{
	const struct spread *s = &r->spread;

	put_names(l, t, r, c);
	table_u64(t, s->n);
	put_us(t, s->total);
	put_us(t, (double)s->min);
	if (c->which & LATENCY_AVG)
		put_us(t, spread_mean(s));
	if (c->which & LATENCY_P50)
		put_us(t, (double)spread_at(s, 500));
	if (c->which & LATENCY_P95)
		put_us(t, (double)spread_at(s, 950));
	if (c->which & LATENCY_P99)
		put_us(t, (double)spread_at(s, 990));
	put_us(t, (double)s->max);
	if (l->shape.more)
		l->shape.put_more(l->arg, t, r);
	if (c->than)
		table_u64(t, r->than);
}

static void put_rest(const struct latency *l, struct out *o)
{
	const struct stages_stats *s = &l->stages.stats;

	prof_count(l->prof, o, s->replaced, "began again before they ended");
	prof_count(l->prof, o, s->unstarted, "ended without a beginning");
	prof_count(l->prof, o, s->discarded, "pairs are left out: events were lost within them");
	prof_count(l->prof, o, s->dropped, "are left out: too many were open at a time");
	prof_count(l->prof, o, l->rowless, "are left out: there are too many rows");
	prof_count(l->prof, o, l->stages.n_open, "are open at the end");
	prof_count(l->prof, o, l->freeze.missed, "took long and are not frozen: --freeze-times");
}

int latency_end(struct latency *l, bool last, struct out *o, struct err *e)
{
	if (last)
		put_pending(l, UINT64_MAX);
	forget_rows(l);
	if (last)
		put_rest(l, o);
	return last ? heat_write(&l->heat, l->prof, e) : 0;
}

int latency_show(struct latency *l, bool last, struct out *o, struct err *e)
{
	struct table_want form = prof_table(l->prof);
	struct columns cols;
	struct table *t;
	int r;

	if (l->prof->feed.tally)
		latency_rest(l);
	choose_columns(l, &cols);
	t = table_new(cols.v, cols.n);
	if (!t)
		return err_nomem(e);
	if (last)
		put_pending(l, UINT64_MAX);
	if (l->rows.n)
		qsort(l->rows.v, l->rows.n, sizeof(*l->rows.v), l->shape.by_total ? by_total : by_place);
	for (size_t i = 0; i < l->rows.n; i++)
		if (l->rows.v[i].spread.n)
			put_row(l, t, &l->rows.v[i], &cols);
	prof_interval(l->prof, o);
	r = table_print(t, &form, o);
	table_free(t);
	r = r ? err_nomem(e) : 0;
	return r ? r : latency_end(l, last, o, e);
}
