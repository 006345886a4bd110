/* feed.c - deliver hits, losses and ticks of a live source or a recording. */
#include "engine/feed_parts.h"

#include "engine/feed_plain.h"

enum { LOOK_EVERY = 4096 };   /* records between two checks of the clock and of signals */

/* --- taps --- */

struct tap *feed_tap_add(struct feed *f, const struct spec *spec, const char *label, struct err *e)
{
	struct tap *t = vec_add(&f->taps);
	const char *kept = arena_dup(&f->arena, label, strlen(label));

	if (!t || !kept) {
		err_nomem(e);
		return NULL;
	}
	*t = (struct tap){ .spec = spec, .index = (uint32_t)f->taps.n - 1, .label = kept, .rule = spec->filter };
	t->name = strchr(kept, ':') && !strchr(kept, '/') ? strchr(kept, ':') + 1 : kept;
	if (spec->alias)
		t->name = spec->alias;
	return t;
}

int feed_tap_bind(struct feed *f, uint32_t tap, size_t event, struct err *e)
{
	uint32_t *at;

	if (event >= f->n_of_event) {
		size_t n = MAX(event + 1, f->n_of_event * 2);
		uint32_t *more = realloc(f->of_event, n * sizeof(*more));

		if (!more)
			return err_nomem(e);
		memset(more + f->n_of_event, 0, (n - f->n_of_event) * sizeof(*more));
		f->of_event = more;
		f->n_of_event = n;
	}
	/* Taps of an event are in the order of the command line. */
	for (at = &f->of_event[event]; *at; at = &f->taps.v[*at - 1].next)
		;
	*at = tap + 1;
	return 0;
}

int feed_compile(struct feed *f, const struct texpr **to, const struct tap *t, const char *text, struct err *e)
{
	*to = NULL;
	return text ? expr_compile(to, t->event, &f->arena, text, e) : 0;
}

static int read_cpus(struct feed *f, struct tap *t, struct err *e)
{
	struct cpus *c;

	if (!t->spec->cpus)
		return 0;
	c = arena_alloc(&f->arena, sizeof(*c));
	if (!c)
		return err_nomem(e);
	memset(c, 0, sizeof(*c));
	t->cpus = c;
	return cpus_parse(c, sv_from(t->spec->cpus), e);
}

/* Mark events of a recording without taps as `unasked`; but samples of group leaders have the counts of members. */
static void leave_out_others(const struct feed *f)
{
	const struct perf_head *h = f->session.head;

	for (size_t i = 0; i < h->events.n; i++)
		h->events.v[i].unasked = (i >= f->n_of_event || !f->of_event[i]) &&
					 !(h->events.v[i].attr.sample_type & PERF_SAMPLE_READ);
}

/* Set the taps' formats, and compile filters that are evaluated here. */
static int complete_taps(struct feed *f, struct err *e)
{
	const struct perf_head *h = f->session.head;
	int r = 0;

	if (!feed_is_live(f))
		leave_out_others(f);
	for (size_t i = 0; !r && i < h->events.n && i < f->n_of_event; i++) {
		const struct perf_attr *a = &h->events.v[i].attr;
		const struct tevent *event = a->type == PERF_TRACEPOINT ? tevents_by_id(f->session.trace, a->config)
									: NULL;

		for (uint32_t at = f->of_event[i]; !r && at; at = f->taps.v[at - 1].next) {
			struct tap *t = &f->taps.v[at - 1];
			bool shared = f->taps.v[f->of_event[i] - 1].next;
			bool here = !feed_is_live(f) || !event || shared || !f->live.events.v.v[i].filter;

			t->event = event;
			if (*t->rule && here)
				r = feed_compile(f, &t->filter, t, t->rule, e);
			r = r ? r : read_cpus(f, t, e);
			t->chooses = t->filter || t->cpus || f->want->filter;
		}
	}
	return r;
}

/* --- names --- */

static const char *comm_of(void *arg, uint32_t tid)
{
	return feed_comm(arg, tid);
}

const char *feed_comm(struct feed *f, uint32_t tid)
{
	const char *name = resolver_comm_of(f->session.resolver, tid, tid);
	char comm[32];

	if (name[0] != ':' || !feed_is_live(f))
		return name;
	/* A task from before our start, whose name was not read yet. */
	if (sys_read_line(f->sys, comm, sizeof(comm), "/proc/%u/comm", tid) < 0)
		return name;
	resolver_comm(f->session.resolver, tid, tid, comm, false);
	return resolver_comm_of(f->session.resolver, tid, tid);
}

static const char *symbol_of(void *arg, uint64_t addr)
{
	struct feed *f = arg;
	const struct sym_loc *l = resolver_find(f->session.resolver, 0, PERF_MISC_KERNEL, addr);

	return l ? l->sym : NULL;
}

/* --- open and close --- */

static int open_source(struct feed *f, struct err *e)
{
	int r;

	if (!feed_is_live(f)) {
		r = session_open(&f->session, f->sys, &f->want->session, e);
		f->was_open = !r;
		return r ? r : feed_file_open(f, e);
	}
	r = feed_live_open(f, e);
	r = r ? r : session_over(&f->session, f->sys, f->source, &f->want->session, e);
	f->was_open = !r;
	return r;
}

int feed_open(struct feed *f, const struct feed_want *w, struct err *e)
{
	int r;

	*f = (struct feed){ .want = w, .sys = w->sys };
	f->expr = (struct expr_env){ .arg = f, .comm = comm_of, .symbol = symbol_of };
	f->enums.sys = feed_is_live(f) ? w->sys : NULL;
	loop_init(&f->live.loop, w->sys);
	r = open_source(f, e);
	f->expr.arch = f->session.arch;
	r = r ? r : complete_taps(f, e);
	f->takes_all = !feed_is_live(f) && !w->interval_ns && !f->has_cpus && !f->only_tasks.n;
	if (r)
		feed_close(f);
	return r;
}

void feed_close(struct feed *f)
{
	if (f->was_open)
		session_close(&f->session);
	f->was_open = false;
	if (feed_is_live(f))
		feed_live_close(f);
	vec_free(&f->taps);
	vec_free(&f->notes);
	vec_free(&f->only_tasks);
	free(f->of_event);
	f->of_event = NULL;
	kenums_deinit(&f->enums);
	arena_deinit(&f->arena);
}

struct feed_targets feed_targets(const struct feed *f)
{
	const struct feed_live *l = &f->live;

	if (!feed_is_live(f))
		return (struct feed_targets){ f->only_tasks.n ? f->only_tasks.v : NULL, f->only_tasks.n,
					      !f->tasks_are_threads, !f->tasks_are_threads };
	if (l->meant == TARGET_CPUS)
		return (struct feed_targets){ 0 };
	if (l->meant == TARGET_COMMAND)
		return (struct feed_targets){ &l->loop.child.pid, 1, true, true };
	return (struct feed_targets){ l->target.tids.v, l->target.tids.n, false, f->want->target->pids != NULL };
}

/* --- next --- */

static bool is_chosen(const struct feed *f, const struct sample *s)
{
	uint32_t task = f->tasks_are_threads ? s->tid : s->pid;
	size_t i = 0;

	if (f->has_cpus && (s->cpu == UINT32_MAX || !cpus_has(&f->only_cpus, s->cpu)))
		return false;
	if (f->want->everywhere)
		return true;
	while (i < f->only_tasks.n && (uint32_t)f->only_tasks.v[i] != task)
		i++;
	return !f->only_tasks.n || i < f->only_tasks.n;
}

static bool is_meant(const struct feed *f, const struct sample *s)
{
	return (!f->has_cpus && !f->only_tasks.n) || is_chosen(f, s);
}

/* False: the hit is rejected. */
static bool is_hit(struct feed *f, const struct tap *t, const struct hit *h)
{
	if (t->cpus && (h->cpu == UINT32_MAX || !cpus_has(t->cpus, h->cpu)))
		return false;
	if ((t->filter && !expr_number(&f->expr, t->filter, h, 0)) ||
	    (f->want->filter && feed_filter_is_out(f, t, h->pid))) {
		f->stats.filtered++;
		return false;
	}
	return true;
}

/* Make a hit of the item for a tap. False: its filter rejects it. */
static bool give(struct feed *f, const struct tap *t, struct hit *h)
{
	feed_fill(f, t, h);
	if (t->chooses && !is_hit(f, t, h))
		return false;
	f->stats.hits++;
	return true;
}

/* All losses that are known, by records or by the source. */
static uint64_t lost_so_far(const struct feed *f)
{
	return f->session.stats.lost + f->session.stats.lost_samples + f->session.source->stats.lost +
	       f->session.source->stats.gaps;
}

/* Throttling loses events, too, an unknown number. */
static bool has_lost(const struct feed *f)
{
	return lost_so_far(f) != f->lost_before || f->session.stats.throttled != f->throttled_before;
}

static bool take_losses(struct feed *f, struct hit *h)
{
	uint64_t lost = lost_so_far(f);

	if (!has_lost(f))
		return false;
	f->throttled_before = f->session.stats.throttled;
	f->stats.lost += lost - f->lost_before;
	f->lost_before = lost;
	*h = (struct hit){ .cpu = f->item.event ? UINT32_MAX : f->item.sample.cpu };
	return true;
}

/* For a recording: has an interval ended before this time? Several empty intervals make one tick. */
static bool take_tick(struct feed *f, uint64_t time)
{
	uint64_t every = f->want->interval_ns, end;

	/* Times of a recording may be invalid: avoid overflow. */
	if (feed_is_live(f) || !time || __builtin_add_overflow(time, every, &end))
		return false;
	if (!f->tick_at)
		f->tick_at = end;
	if (time < f->tick_at)
		return false;
	f->tick_at = end - (time - f->tick_at) % every;
	return true;
}

/* The first tap of a sample; NULL: none, or it is of another target. */
static const struct tap *tap_of_sample(struct feed *f)
{
	const struct tap *t = feed_tap_of(f);

	if (!t || !is_meant(f, &f->item.sample))
		return NULL;
	feed_note_time(f);
	return t;
}

static void note_time(struct feed *f, enum feed_got what)
{
	f->ticks += what == FEED_TICK;
	f->beats += what == FEED_BEAT;
	f->inputs += what == FEED_INPUT;
	f->due |= f->ticks || f->beats || f->inputs;
}

static void note_late_tick(struct feed *f)
{
	if (f->late_tick)
		note_time(f, FEED_TICK);
	f->late_tick = 0;
}

/*
 * No record was found. Records that were in the rings when an interval ended belong to it, however late we read them:
 * so its tick is delivered after the rings were read twice, since the source may hold back records by one sweep.
 */
static void wait_for_more(struct feed *f)
{
	enum { READS = 2 };
	enum feed_got what = FEED_HIT;

	if (f->late_tick > 1)
		f->late_tick--;
	else if (f->late_tick)
		note_late_tick(f);
	else
		what = feed_live_wait(f);
	if (what == FEED_TICK)
		f->late_tick = READS;
	else
		note_time(f, what);
}

/* Pull the next item. FEED_HIT: there is one, with *t its first tap if it has any; or the wait is over. */
static int pull(struct feed *f, const struct tap **t, struct err *e)
{
	int r;

	if (feed_is_live(f) && ++f->since_look == LOOK_EVERY) {
		f->since_look = 0;
		note_late_tick(f);
		note_time(f, feed_live_look(f));
	}
	f->plain = 0;
	r = session_next(&f->session, &f->item, e);
	if (r == SOURCE_NOTHING) {
		f->item.event = NULL;
		f->item.sample.cpu = UINT32_MAX;
		/* Show all output so far before sleeping. */
		if (f->expr.out)
			out_flush(f->expr.out);
		wait_for_more(f);
		return FEED_HIT;
	}
	if (r <= 0) {
		note_late_tick(f);
		return r;
	}
	if (f->item.event)
		*t = tap_of_sample(f);
	else
		f->due |= f->is_record = f->want->records;
	return FEED_HIT;
}

/* What is to be delivered before the item; FEED_HIT: nothing. */
static enum feed_got take_due(struct feed *f, struct hit *h)
{
	if (take_losses(f, h))
		return FEED_LOST;
	if (f->ticks) {
		f->ticks--;
		return FEED_TICK;
	}
	if (f->beats) {
		f->beats = 0;
		return FEED_BEAT;
	}
	if (f->inputs) {
		f->inputs = 0;
		return FEED_INPUT;
	}
	f->due = false;
	if (!f->is_record)
		return FEED_HIT;
	f->is_record = false;
	return FEED_RECORD;
}

/* Losses can only be found when the source was read again. */
static void look_for_losses(struct feed *f)
{
	if (f->session.asked == f->asked_before && !f->over)
		return;
	f->asked_before = f->session.asked;
	f->due |= has_lost(f);
}

int feed_next(struct feed *f, struct hit *h, struct err *e)
{
	int r;

	for (;;) {
		const struct tap *t = f->pending;

		if (!t && !f->due) {
			if (f->over)
				return FEED_END;
			r = pull(f, &t, e);
			if (r < 0)
				return r;
			f->over = r == FEED_END;
			if (f->over && feed_is_live(f))
				f->session.stats.lost += feed_live_untold(f);
			look_for_losses(f);
		}
		if (f->due) {
			f->pending = t;
			r = (int)take_due(f, h);
			if (r != FEED_HIT)
				return r;
		}
		if (!t)
			continue;
		if (f->want->interval_ns && take_tick(f, f->item.sample.time)) {
			f->pending = t;
			return FEED_TICK;
		}
		f->pending = t->next ? &f->taps.v[t->next - 1] : NULL;
		if (give(f, t, h))
			return FEED_HIT;
	}
}
