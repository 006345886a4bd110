/* gaps.c - a stack of causes for each thread. */
#include "analyse/gaps.h"

int gaps_watch(struct gaps *g, uint32_t tid)
{
	struct gap_thread *t = vec_add(&g->threads);

	if (!t)
		return -ENOMEM;
	t->tid = tid;
	return (int)g->threads.n - 1;
}

void gaps_deinit(struct gaps *g)
{
	vec_free(&g->threads);
}

static int tell(struct gaps *g, struct gap_thread *t)
{
	if (!t->has_gap)
		return 0;
	t->has_gap = false;
	return g->gap(g->arg, &t->gap);
}

static bool is_off(enum gap_cause c)
{
	return c == GAP_PREEMPTED || c == GAP_ASLEEP;
}

/* Discard the causes from index `at` on: their ends were lost, so their durations, and that of the gap, are unknown. */
static void discard(struct gaps *g, struct gap_thread *t, unsigned at)
{
	if (!at && t->open[0].since == t->gap.from)
		t->has_gap = false;
	g->discarded += t->depth - at;
	t->depth = at;
}

/* No cause nests in itself, and none can be open when the thread leaves its CPU: discard those whose end was lost. */
static void discard_impossible(struct gaps *g, struct gap_thread *t, enum gap_cause next)
{
	unsigned at = 0;

	while (at < t->depth && !is_off(next) && t->open[at].cause != next)
		at++;
	if (at < t->depth)
		discard(g, t, at);
}

int gaps_begin(struct gaps *g, size_t i, uint32_t cpu, uint64_t time, const struct gap_piece *what)
{
	struct gap_thread *t = &g->threads.v[i];
	int r = 0;

	discard_impossible(g, t, what->cause);
	t->cpu = cpu;
	if (!t->depth && t->has_gap && time > t->gap.to && time - t->gap.to > GAP_JOIN)
		r = tell(g, t);
	if (!t->depth && !t->has_gap) {
		t->gap = (struct gap){ .tid = t->tid, .cpu = cpu, .from = time, .to = time };
		t->has_gap = true;
	}
	t->open[t->depth++] = (struct gap_open){ .cause = what->cause, .who = what->who, .since = time };
	if (is_off(what->cause)) {
		t->runs = t->longest = what->who;
		t->runs_since = time;
		t->longest_ns = 0;
	}
	return r;
}

static void add(struct gap *g, const struct gap_piece *p)
{
	g->stolen += gap_is_stolen(p->cause) ? p->ns : 0;
	for (unsigned i = 0; i < g->n; i++) {
		if (g->pieces[i].cause == p->cause && g->pieces[i].who == p->who) {
			g->pieces[i].ns += p->ns;
			return;
		}
	}
	if (g->n < GAP_PIECES)
		g->pieces[g->n++] = *p;
	else
		g->others += p->ns;
}

static void change(struct gap_thread *t, uint64_t time, uint32_t who)
{
	uint64_t ns = time > t->runs_since ? time - t->runs_since : 0;

	if (ns >= t->longest_ns) {
		t->longest = t->runs;
		t->longest_ns = ns;
	}
	t->runs = who;
	t->runs_since = time;
}

int gaps_end(struct gaps *g, size_t i, uint64_t time, enum gap_cause cause)
{
	struct gap_thread *t = &g->threads.v[i];
	unsigned at = t->depth;
	struct gap_piece p;
	struct gap_open *o;
	uint64_t ns;

	while (at && t->open[at - 1].cause != cause)
		at--;
	/* Its start was before the first event, or lost. */
	if (!at)
		return 0;
	g->discarded += t->depth - at;
	t->depth = at - 1;
	o = &t->open[t->depth];
	ns = time > o->since ? time - o->since : 0;
	if (is_off(o->cause))
		change(t, time, t->tid);
	p = (struct gap_piece){ .cause = cause, .who = cause == GAP_PREEMPTED ? t->longest : o->who,
				.ns = ns - MIN(ns, o->inside) };
	if (t->depth)
		t->open[t->depth - 1].inside += ns;
	add(&t->gap, &p);
	t->gap.to = time;
	return g->piece(g->arg, t, &p);
}

void gaps_runs(struct gaps *g, uint32_t cpu, uint64_t time, uint32_t who)
{
	for (size_t i = 0; i < g->threads.n; i++) {
		struct gap_thread *t = &g->threads.v[i];

		if (t->depth && t->cpu == cpu && is_off(t->open[t->depth - 1].cause))
			change(t, time, who);
	}
}

void gaps_lost(struct gaps *g, uint32_t cpu)
{
	for (size_t i = 0; i < g->threads.n; i++) {
		struct gap_thread *t = &g->threads.v[i];

		if (cpu != UINT32_MAX && t->cpu != cpu)
			continue;
		g->discarded += t->depth;
		t->depth = 0;
		t->has_gap = false;
	}
}

int gaps_tell(struct gaps *g, uint64_t time, bool all)
{
	int r = 0;

	for (size_t i = 0; !r && i < g->threads.n; i++) {
		struct gap_thread *t = &g->threads.v[i];

		if (!t->depth && (all || (time > t->gap.to && time - t->gap.to > GAP_JOIN)))
			r = tell(g, t);
	}
	return r;
}
