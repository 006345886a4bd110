/*
 * polled.c - sonde why without permission to trace the scheduler: schedstat tells how long each thread ran and waited
 * for a CPU; why it was off the CPU is sampled from /proc at intervals, and the time off CPUs is divided in proportion
 * to the samples.
 */
#include "why/why.h"

#include "poll/threads.h"

#include <time.h>

enum { LOOK_NS = 10000000, LIST_EVERY = 10, POLLED_THREADS = 4096 };

struct seen {
	uint32_t tid;
	bool over;
	uint64_t from, to;               /* ns */
	uint64_t ran[2], waited[2];      /* the kernel's sums in ns: first and last */
	uint64_t ticks[2], was[2];       /* ticks in user and kernel mode */
	struct ledger looks;            /* row.n: how often the thread was seen in that state */
};

struct polling {
	struct why *w;
	struct loop loop;
	VEC(struct seen) v;
	uint64_t from;
};

/* --- threads --- */

/* Read the kernel's sums. If the thread has ended, those of the last look stay. */
static bool read_sums(const struct polling *l, struct seen *s, unsigned which)
{
	const struct sys *sys = l->w->prof->sys;
	uint64_t ran, waited;

	if (!poll_thread_sched(sys, s->tid, POLL_SCHED_RAN, &ran) ||
	    !poll_thread_sched(sys, s->tid, POLL_SCHED_WAITED, &waited))
		return false;
	s->ran[which] = ran;
	s->waited[which] = waited;
	return true;
}

static int add(struct polling *l, uint32_t tid)
{
	struct seen *s;

	for (size_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].tid == tid && !l->v.v[i].over)
			return 0;
	if (l->v.n >= POLLED_THREADS) {
		l->w->ledger.dropped++;
		return 0;
	}
	s = vec_add(&l->v);
	if (!s)
		return -ENOMEM;
	s->tid = tid;
	s->from = s->to = l->loop.now ? l->loop.now : l->from;
	s->over = !read_sums(l, s, 0);
	s->ran[1] = s->ran[0];
	s->waited[1] = s->waited[0];
	return 0;
}

static int add_named(void *arg, const char *name)
{
	uint64_t tid;

	return str_u64(sv_from(name), 10, &tid) && tid <= INT32_MAX ? add(arg, (uint32_t)tid) : 0;
}

static int list(struct polling *l)
{
	const struct why *w = l->w;
	char path[40];
	int r = 0;

	for (size_t i = 0; r >= 0 && i < w->ids.n; i++) {
		snprintf(path, sizeof(path), "/proc/%u/task", w->ids.v[i]);
		r = w->are_threads ? add(l, w->ids.v[i])
				   : w->prof->sys->each_entry(w->prof->sys, path, add_named, l);
	}
	return r == -ENOMEM ? r : 0;
}

static int look(struct polling *l, struct seen *s)
{
	struct ledger_row r = { .n = 1 };
	struct why_stat st;
	char path[40];

	snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", s->tid, s->tid);
	if (s->over || !why_stat(l->w->prof->sys, path, &st) || st.state == 'Z' || st.state == 'X') {
		s->over = true;
		return 0;
	}
	for (unsigned i = 0; i < 2; i++) {
		uint64_t now = st.v[WHY_STAT_USER + i];

		s->ticks[i] += s->from == s->to ? 0 : now - MIN(now, s->was[i]);
		s->was[i] = now;
	}
	s->to = l->loop.now;
	read_sums(l, s, 1);
	r.cause = why_cause_told(st.state);
	if (r.cause == LEDGER_RUN)
		return 0;
	r.what = why_place_told(l->w, s->tid);
	return r.what == NAMES_NONE ? -ENOMEM : ledger_add(&s->looks, &r);
}

/* --- the measurement --- */

static int run(struct polling *l, struct err *e)
{
	const struct prof_want *want = &l->w->want->prof;
	unsigned turn = 0;
	int r = 0;

	loop_every(&l->loop, l->from, LOOK_NS);
	if (!l->w->prof->argc)
		loop_watch_tasks(&l->loop, (const int *)l->w->ids.v, l->w->ids.n);
	if (want->from.interval_ns)
		loop_in(&l->loop, LOOP_LIMIT, want->from.interval_ns);
	for (;;) {
		enum loop_what what = loop_next(&l->loop);

		if (what == LOOP_SIGNAL || what == LOOP_END || r)
			break;
		if (what == LOOP_TICK && turn++ % LIST_EVERY == 0)
			r = list(l);
		for (size_t i = 0; !r && what == LOOP_TICK && i < l->v.n; i++)
			r = look(l, &l->v.v[i]);
	}
	return r ? err_nomem(e) : 0;
}

/* Divide the rest of a thread's time, in which it was off the CPU, by how often it was seen in each state. */
static int divide(struct ledger *a, const struct seen *s, uint64_t left)
{
	uint64_t all = 0, given = 0;
	int r = 0;

	for (size_t i = 0; i < s->looks.rows.n; i++)
		all += s->looks.rows.v[i].n;
	for (size_t i = 0; !r && i < s->looks.rows.n; i++) {
		struct ledger_row row = s->looks.rows.v[i];

		row.ns = i + 1 == s->looks.rows.n ? left - given
						  : (uint64_t)((double)left * (double)row.n / (double)all);
		row.ns = MIN(row.ns, left - given);
		given += row.ns;
		r = ledger_add(a, &row);
	}
	return r || given == left
		       ? r : ledger_add(a, &(struct ledger_row){ .cause = LEDGER_UNKNOWN, .ns = left - given });
}

static int settle(struct polling *l, struct seen *s)
{
	struct ledger *a = &l->w->ledger;
	uint64_t ran, waited, wall;
	struct ledger_thread *t = vec_add(&a->threads);
	int r;

	if (!t)
		return -ENOMEM;
	if (!s->over)
		s->to = l->w->ledger.to;
	t->tid = s->tid;
	t->from = s->from;
	t->to = s->to;
	wall = s->to - s->from;
	if (!s->over)
		read_sums(l, s, 1);
	ran = MIN(s->ran[1] - MIN(s->ran[0], s->ran[1]), wall);
	waited = MIN(s->waited[1] - MIN(s->waited[0], s->waited[1]), wall - ran);
	r = ledger_add(a, &(struct ledger_row){ .cause = LEDGER_RUN, .ns = ran });
	r = r || !waited ? r : ledger_add(a, &(struct ledger_row){ .cause = LEDGER_BEHIND, .ns = waited, .n = 1 });
	for (unsigned i = 0; i < 2; i++)
		l->w->ticks[i] += s->ticks[i];
	return r ? r : divide(a, s, wall - ran - waited);
}

/* --- all --- */

static int hold(struct polling *l, struct err *e)
{
	struct why *w = l->w;
	int r = loop_open(&l->loop, e);

	if (r || !w->prof->argc)
		return r;
	r = loop_hold(&l->loop, w->prof->argv, NULL, e);
	if (r)
		return r;
	return why_ids(w, l->loop.child.pid, e);
}

static int watch(struct polling *l, struct err *e)
{
	const struct sys *sys = l->w->prof->sys;
	struct why *w = l->w;
	int r = hold(l, e);

	if (r)
		return r;
	l->from = w->ledger.from = sys->now(sys, CLOCK_MONOTONIC);
	why_told_now(&w->told, sys, w->ids.v, w->ids.n, w->are_threads);
	r = list(l);
	r = r ? err_nomem(e) : l->loop.child.pid ? loop_go(&l->loop, e) : 0;
	r = r ? r : run(l, e);
	if (r)
		return r;
	w->ledger.to = sys->now(sys, CLOCK_MONOTONIC);
	why_told_end(w, &l->loop);
	for (size_t i = 0; !r && i < l->v.n; i++)
		r = settle(l, &l->v.v[i]);
	w->prof->status = l->loop.state == LOOP_COMMAND_ENDED ? l->loop.status : 0;
	return r ? err_nomem(e) : 0;
}

int why_alone(struct prof *p, struct out *o, struct err *e)
{
	struct why *w = p->own;
	struct polling l = { .w = w };
	int r = why_ids(w, 0, e);

	loop_init(&l.loop, p->sys);
	r = r ? r : watch(&l, e);
	loop_close(&l.loop);
	if (!r && !w->ledger.threads.n)
		r = err_set(e, ESRCH, "%s: there is no such task", w->want->task ? w->want->task : "the command");
	else if (!r && why_show(w, o))
		r = err_nomem(e);
	for (size_t i = 0; i < l.v.n; i++)
		ledger_deinit(&l.v.v[i].looks);
	vec_free(&l.v);
	why_close(w);
	return r;
}
