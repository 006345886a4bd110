/* pmd_gaps.c - the worst gap of each thread in an interval, from tracepoints on the threads' CPUs. */
#include "poll/pmd.h"

static int take_piece(void *arg UNUSED, const struct gap_thread *t UNUSED, const struct gap_piece *g UNUSED)
{
	return 0;
}

static void keep(struct pmd *m, size_t i, uint64_t ns, const struct gap_piece *most)
{
	struct pmd_worst *w = &m->worst.v[i];

	w->ns = ns;
	if (most->cause == GAP_ASLEEP)
		str_copy(w->by, sizeof(w->by), sv_from(taken_cause(most->cause)));
	else
		snprintf(w->by, sizeof(w->by), "%s %s%s", taken_cause(most->cause),
			 most->cause == GAP_PREEMPTED ? "by " : "", taken_by(&m->taken, most));
}

static int take_gap(void *arg, const struct gap *g)
{
	struct pmd *m = arg;
	const struct gap_piece *most = g->pieces;
	size_t i = 0;

	while (i < m->worst.n && m->taken.gaps.threads.v[i].tid != g->tid)
		i++;
	if (i == m->worst.n || !g->n || g->to - g->from <= m->worst.v[i].ns)
		return 0;
	for (unsigned k = 1; k < g->n; k++)
		if (g->pieces[k].ns > most->ns)
			most = &g->pieces[k];
	keep(m, i, g->to - g->from, most);
	return 0;
}

static int begin(struct pmd *m, struct prof *p, struct err *e)
{
	int r = 0;

	m->taken.gaps.piece = take_piece;
	m->taken.gaps.gap = take_gap;
	m->taken.gaps.arg = m;
	m->taken.choice.tids = m->list;
	r = taken_begin(&m->taken, &p->feed, e);
	for (size_t i = 0; !r && i < m->taken.found.v.n; i++) {
		struct pmd_worst *w = vec_add(&m->worst);

		if (!w)
			return err_nomem(e);
		*w = (struct pmd_worst){ 0 };
	}
	return r;
}

/* If a thread is not pinned, all CPUs are measured; then a filter keeps only the events of the threads. */
static int choose(struct pmd *m, struct err *e)
{
	struct program_ids only = { 0 };
	int r = taken_cpus(&m->taken, &m->where, e);

	if (!r && m->where.all && program_listed(&only, m->list))
		r = err_nomem(e);
	r = r ? r : taken_events(&m->sources, m->where.all ? &only : NULL, e);
	program_ids_deinit(&only);
	return r;
}

static void want_feed(struct pmd *m, struct prof *p)
{
	struct feed_want *w = &p->feed_want;
	uint64_t interval = prof_want(p)->from.interval_ns;

	prof_fill_feed(p);
	w->specs = &m->sources;
	w->target = &m->where;
	w->interval_ns = interval ? interval : 1000000000;
	w->everywhere = w->monotonic = true;
}

int pmd_gaps_open(struct pmd *m, struct prof *p, struct err *e)
{
	char line[300];
	int r = choose(m, e);

	if (r)
		return r;
	want_feed(m, p);
	r = feed_open(&p->feed, &p->feed_want, e);
	if (r == -ENOMEM)
		return r;
	m->has_gaps = !r;
	if (!r)
		return begin(m, p, e);
	p->feed = (struct feed){ 0 };
	snprintf(line, sizeof(line), "the worst gaps are left out: %s", e->text);
	if (!prof_want(p)->form.quiet)
		p->how->note(p->how->arg, line);
	return 0;
}

void pmd_gaps_close(struct pmd *m, struct prof *p)
{
	if (m->has_gaps)
		feed_close(&p->feed);
	specs_deinit(&m->sources);
	vec_free(&m->worst);
	taken_close(&m->taken);
}

/* Events are read at least this often, ns: a gap without an end by then is still open. */
enum { READ_WITHIN = 100000000 };

static void take_open(struct pmd *m, struct prof *p, size_t i)
{
	const struct gap_thread *t = &m->taken.gaps.threads.v[i];
	uint64_t seen = p->to - MIN(p->to, (uint64_t)READ_WITHIN), last = MAX(p->feed.stats.last, seen);
	uint64_t ns = t->depth && last > t->open[0].since ? last - t->open[0].since : 0;
	struct gap_piece g = { .cause = t->open[0].cause, .who = t->open[0].who };

	if (ns <= m->worst.v[i].ns)
		return;
	if (g.cause == GAP_PREEMPTED)
		g.who = t->longest_ns > last - MIN(last, t->runs_since) ? t->longest : t->runs;
	keep(m, i, ns, &g);
}

int pmd_gaps_now(struct pmd *m, struct prof *p)
{
	int r = m->has_gaps ? gaps_tell(&m->taken.gaps, p->feed.stats.last, false) : 0;

	for (size_t i = 0; !r && i < m->worst.n; i++)
		take_open(m, p, i);
	return r;
}

void pmd_gaps_forget(struct pmd *m)
{
	for (size_t i = 0; i < m->worst.n; i++)
		m->worst.v[i] = (struct pmd_worst){ 0 };
}
