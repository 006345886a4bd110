/* gather.c - makes rows from samples. */
#include "cmd/top/top.h"

#include "cmd/report/text.h"
#include "perf/attr.h"
#include "sys/self.h"

#include <time.h>

/* With each shot the weight of older samples decays to so many eighths, as in perf top. */
enum { FADING = 7 };

/* So many rows of a single event are sorted at once; the others are mostly never looked at. */
enum { IN_ORDER = 512 };

/* Default of --max-memory. */
enum { USUAL_MEMORY = 64 << 20 };

/* Samples are shown when the delay is over, so rings that do not fill are read only a few times before. */
unsigned top_sweep_ms(uint64_t delay_ns)
{
	enum { NS_PER_MS = 1000000, LOOKS = 4, LEAST = 50, MOST = 500 };
	uint64_t ms = delay_ns / LOOKS / NS_PER_MS;

	return ms < LEAST ? LEAST : ms > MOST ? MOST : (unsigned)ms;
}

/* The idle task, sampled by a clock that goes on while the CPU has nothing to do. */
static bool is_idle(const struct hit *h)
{
	return !h->tid && h->perf->attr.type == PERF_SOFTWARE;
}

int top_take(struct top *t, const struct hit *h)
{
	bool kernel = h->sample->cpumode == PERF_MISC_KERNEL || h->sample->cpumode == PERF_MISC_GUEST_KERNEL;

	if (is_idle(h)) {
		t->seen.idle++;
		return 0;
	}
	t->seen.all++;
	t->seen.kernel += kernel;
	t->seen.user += !kernel;
	if (t->code.is_open && filter_sample(&t->profile.filter, h->sample) && top_code_take(t, h))
		return -ENOMEM;
	return profile_take(&t->profile, h->perf, h->sample);
}

static bool is_shown(const struct top *t, size_t event)
{
	return event < t->feed.n_of_event && t->feed.of_event[event];
}

/* Rows of callers have no latency; so, as in perf, there are none when rows are sorted by latency. */
static enum hist_mode mode_of(const struct top_want *w)
{
	return w->children && w->graph.on && !w->rows.latency ? HIST_CHILDREN : HIST_SELF;
}

bool top_counts_running(const struct top_want *w)
{
	return w->rows.latency || (w->sort && strstr(w->sort, "parallelism")) ||
	       (w->fields && (strstr(w->fields, "parallelism") || strstr(w->fields, "latency")));
}

static int end_chains(struct top *t, struct profile_want *pw, struct err *e)
{
	const char *ends = t->want->rows.ends;
	int r = ends ? rex_init_extended(&t->ends, &t->ends_arena, sv_from(ends), e) : 0;

	pw->ends = ends ? &t->ends : NULL;
	return r;
}

int top_begin(struct top *t, struct err *e)
{
	const struct top_want *w = t->want;
	enum hist_mode mode = mode_of(w);
	struct profile_want pw = {
		.max_stack = w->max_stack, .values = &t->values, .inlines = w->graph.on,
		.chains = w->graph.on ? PROFILE_CHAINS : PROFILE_FLAT,
		/* One thread, to disturb those that are profiled little. profile_age() bounds what is kept. */
		.budget = { .jobs = 1, .memory = UINT64_C(64) << 20 },
	};
	int r = report_parse_cols(&t->cols, &t->report, mode, &t->values, e);

	if (r)
		return r;
	if (report_keys(&t->cols) & (HIST_VALUES | HIST_PARENT | HIST_TOUCH_KEYS))
		return err_set(e, EINVAL, "-s: top tells apart by pid, tid, comm, dso, sym, srcline, srcfile, cpu, "
			       "socket and parallelism");
	pw.keys = (report_keys(&t->cols) & HIST_GROUP_KEYS) | (top_counts_running(w) ? HIST_PARALLELISM : 0) |
		  report_spaces(&t->cols);
	pw.rows = report_keys(&t->cols) & ~HIST_GROUP_KEYS;
	r = end_chains(t, &pw, e);
	if (r)
		return r;
	t->n_events = 0;
	for (size_t i = 0; i < t->feed.session.head->events.n && t->n_events < TOP_EVENTS; i++)
		if (is_shown(t, i))
			t->events[t->n_events++] = i;
	return profile_begin(&t->profile, &t->feed.session, &pw, &w->filter, e);
}

static void shot_free(struct top *t)
{
	struct top_shot *s = &t->shot;

	if (t->n_events > 1)
		report_rows_deinit(&s->rows);
	for (size_t i = 0; i < t->n_events; i++) {
		branches_deinit(&s->view[i].branches);
		free(s->order[i]);
		hist_deinit(&s->hist[i]);
	}
	calltree_deinit(&s->tree);
	*s = (struct top_shot){ 0 };
}

void top_end(struct top *t)
{
	shot_free(t);
	profile_deinit(&t->profile);
	arena_deinit(&t->ends_arena);
}

static struct report_view view_of(struct top *t, size_t i)
{
	const struct profile_event *pe = &t->profile.events.v[t->events[i]];
	struct report_view v = {
		.want = &t->report, .profile = &t->profile, .cols = &t->cols, .values = &t->values.events[t->events[i]],
		.event = &t->feed.session.head->events.v[t->events[i]], .hist = &t->shot.hist[i],
		.mode = t->shot.hist[i].want.mode, .fitted = true, .chains = t->want->chains,
		.samples = pe->samples, .weight = pe->weight, .latency = pe->latency,
		.with_dsos = t->view.with_dsos,
	};

	if (report_is_relative(t->report.percentage)) {
		v.samples = t->shot.hist[i].samples;
		v.weight = t->shot.hist[i].weight;
		v.latency = report_latency_sum(&t->shot.hist[i]);
	}
	v.total = v.weight;
	if (!t->want->graph.on)
		v.chains.graph = GRAPH_NONE;
	else if (v.chains.graph == GRAPH_DEFAULT)
		v.chains.graph = GRAPH_TREE;
	if (v.chains.order == ORDER_DEFAULT)
		v.chains.order = v.mode == HIST_CHILDREN ? ORDER_CALLER : ORDER_CALLEE;
	v.root = v.chains.order == ORDER_CALLER ? HIST_CALLER : HIST_CALLEE;
	return v;
}

static int make_rows(struct top *t, size_t i)
{
	struct top_shot *s = &t->shot;
	struct hist_input in = profile_input(&t->profile);
	struct hist_want hw = {
		.event = (uint32_t)t->events[i], .keys = report_keys(&t->cols),
		.mode = mode_of(t->want), .by_latency = t->want->rows.latency,
		.ties = t->want->graph.on ? HIST_BY_DEPTH : HIST_BY_TEXT,
	};
	int r;

	in.tree = &s->tree;
	r = hist_init(&s->hist[i], &in, &hw);
	if (r)
		return r;
	s->order[i] = hist_order_first(&s->hist[i], t->n_events > 1 ? SIZE_MAX : IN_ORDER, &s->in_order);
	if (!s->order[i])
		return -ENOMEM;
	s->view[i] = view_of(t, i);
	s->view[i].order = s->order[i];
	return s->view[i].chains.graph == GRAPH_NONE ? 0 : hist_index(&s->hist[i], 0);
}

static void note_rates(struct top *t)
{
	uint64_t now = t->c->sys->now(t->c->sys, CLOCK_MONOTONIC), ns = MAX(now - t->at, UINT64_C(1));
	uint64_t last = t->feed.stats.last, first = t->last ? t->last : t->feed.stats.first;
	struct self_usage u = self_usage();
	uint64_t cpu = u.user_ns + u.system_ns, all = MAX(t->seen.all, UINT64_C(1));

	t->shot.per_second = last > first ? (uint64_t)((double)t->seen.all * 1e9 / (double)(last - first)) : 0;
	t->shot.kernel = (double)t->seen.kernel * 100 / (double)all;
	t->shot.user = (double)t->seen.user * 100 / (double)all;
	t->own = t->at ? (double)(cpu - t->cpu_ns) * 100 / (double)ns : 0;
	t->at = now;
	t->last = last;
	t->cpu_ns = cpu;
	memset(&t->seen, 0, sizeof(t->seen));
}

static int shoot(struct top *t)
{
	int r = profile_gather(&t->profile);

	r = r ? r : profile_shot(&t->shot.tree, &t->profile);
	for (size_t i = 0; !r && i < t->n_events; i++)
		r = make_rows(t, i);
	if (r)
		return r;
	t->shot.is_there = true;
	t->shot.rows = (struct report_rows){ .v = t->shot.order[0], .n = t->shot.hist[0].rows.n, .n_events = 1 };
	return t->n_events == 1 ? 0 : report_join(&t->shot.rows, t->shot.view, t->n_events);
}

/* Free symbols of programs that have ended, or have no samples any more. */
static int trim(struct top *t)
{
	long n = profile_trim(&t->profile, t->want->memory ? t->want->memory : USUAL_MEMORY, top_code_dso(t));

	t->given_back += n > 0 ? (uint64_t)n : 0;
	return n < 0 ? (int)n : 0;
}

int top_shoot(struct top *t)
{
	bool zero = t->want->zero || t->view.zero;
	int r;

	shot_free(t);
	r = t->shown++ ? profile_age(&t->profile, zero ? 0 : FADING) : 0;
	if (r < 0)
		return r;
	t->forgotten += r > 0;
	r = shoot(t);
	r = r ? r : trim(t);
	r = r ? r : top_code_shoot(t);
	top_code_fade(t, zero ? 0 : FADING);
	note_rates(t);
	return r;
}

int top_lead(struct top *t, size_t event)
{
	size_t first = t->events[event];

	shot_free(t);
	memmove(t->events + 1, t->events, event * sizeof(*t->events));
	t->events[0] = first;
	return shoot(t);
}

const struct hist_row *top_row(const struct top *t, const uint32_t *row, size_t *of)
{
	*of = report_has(row);
	return &t->shot.hist[*of].rows.v[row[*of]];
}

static bool is_alike(const struct top *t, const struct hist_group *g)
{
	const struct hist_group *like = &t->view.like;

	return (!t->view.by_thread || (g->comm == like->comm && g->pid == like->pid && g->tid == like->tid)) &&
	       (!t->view.by_socket || g->socket == like->socket);
}

static bool is_wanted(const struct top *t, const uint32_t *row)
{
	size_t of;
	const struct hist_row *r = top_row(t, row, &of);
	const struct hist_frame *f = &t->profile.frames.v.v[r->frame];
	const struct report_view *v = &t->shot.view[of];
	bool no_kernel = t->want->rows.no_kernel || t->view.no_kernel;
	bool no_user = t->want->rows.no_user || t->view.no_user;

	if ((f->kernel && no_kernel) || (!f->kernel && no_user) || (t->view.dso && f->dso != t->view.dso))
		return false;
	if (*t->view.part && !(f->sym && strstr(f->sym, t->view.part)))
		return false;
	if (!is_alike(t, &t->profile.groups.v[r->group]))
		return false;
	return r->samples + r->total_samples >= t->want->rows.least &&
	       report_percent(v, report_row_weight(v, row[of])) >= t->want->percent_limit;
}

/* Rows behind the sorted part are needed when rows are filtered, or when the user looks that far down. */
static bool needs_order(const struct top *t)
{
	const struct top_rows_want *w = &t->want->rows;
	const struct top_view *k = &t->view;
	bool some = w->no_kernel || w->no_user || k->no_kernel || k->no_user || k->dso || k->by_thread ||
		    k->by_socket || *k->part;
	size_t seen = MAX(t->view.list.first, t->view.list.selected) + t->screen.rows;

	return t->n_events == 1 && t->shot.in_order < t->shot.rows.n &&
	       (some || w->entries > t->shot.in_order || seen > t->shot.in_order);
}

static int put_in_order(struct top *t)
{
	struct top_shot *s = &t->shot;
	uint32_t *all = needs_order(t) ? hist_order(&s->hist[0]) : s->order[0];

	if (!all)
		return -ENOMEM;
	if (all == s->order[0])
		return 0;
	free(s->order[0]);
	s->order[0] = all;
	s->view[0].order = s->rows.v = all;
	s->in_order = s->rows.n;
	return 0;
}

/* What is 100 %: all samples ... */
static void all_is_whole(struct top *t)
{
	for (size_t i = 0; i < t->n_events; i++)
		t->shot.view[i].total = t->shot.view[i].weight;
}

/* ... or the rows that are shown. */
static void chosen_is_whole(struct top *t, const uint32_t *rows, size_t n)
{
	for (size_t i = 0; i < t->n_events; i++) {
		uint64_t sum = 0;

		for (size_t k = 0; k < n; k++) {
			uint32_t row = rows[k * t->n_events + i];

			sum += row == HIST_NO_ROW ? 0 : t->shot.hist[i].rows.v[row].self;
		}
		t->shot.view[i].total = sum;
	}
}

long top_choose(struct top *t, uint32_t **v)
{
	const struct report_rows *rows = &t->shot.rows;
	size_t n = rows->n_events, chosen = 0;
	uint32_t *to = put_in_order(t) ? NULL : calloc(rows->n * n + 1, sizeof(*to));

	*v = to;
	all_is_whole(t);
	for (size_t i = 0; to && i < rows->n; i++) {
		if (!is_wanted(t, rows->v + i * n))
			continue;
		memcpy(to + chosen * n, rows->v + i * n, n * sizeof(*to));
		chosen++;
		if (chosen == t->want->rows.entries && !t->view.relative)
			break;
	}
	if (to && t->view.relative)
		chosen_is_whole(t, to, chosen);
	if (t->want->rows.entries)
		chosen = MIN(chosen, t->want->rows.entries);
	return to ? (long)chosen : -ENOMEM;
}
