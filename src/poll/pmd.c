/*
 * pmd.c - sonde pmd: what each polling thread does with its CPU, in total and per packet. It is measured by counters on
 * the thread and tracepoints on its CPU only; numbers of packets are the program's own statistics.
 */
#include "poll/pmd.h"

#include "poll/poll.h"

#include <time.h>

#define NS_PER_S 1000000000

static const char *const counters[PMD_COUNTERS] = {
	"task-clock", "cycles", "instructions", "ll_cache_miss_rd", "l3d_cache_refill", "LLC-load-misses",
};

/* --- processes --- */

static int add_process(struct pmd *m, struct prof *p, int pid)
{
	struct pmd_process *to = m->processes.n ? &m->processes.v[m->processes.n - 1] : NULL;
	struct err e = { 0 };

	if (to && to->pid == pid) {
		to->threads++;
		return 0;
	}
	to = vec_add(&m->processes);
	if (!to)
		return -ENOMEM;
	*to = (struct pmd_process){ .pid = pid, .threads = 1 };
	to->told = !packets_open(&to->packets, p->sys, pid, &e);
	if (!to->told && !prof_want(p)->form.quiet)
		p->how->note(p->how->arg, e.text);
	m->has_packets |= to->told;
	return 0;
}

/* Read the packet statistics of all processes. One that does not answer is not asked again. */
static void ask(struct pmd *m, struct prof *p)
{
	for (size_t i = 0; i < m->processes.n; i++) {
		struct pmd_process *at = &m->processes.v[i];
		struct err e = { 0 };

		if (!at->told || !packets_read(&at->packets, &e))
			continue;
		p->how->note(p->how->arg, e.text);
		packets_close(&at->packets);
		at->told = false;
	}
}

/* --- the end of an interval --- */

static bool counts(const struct counted *c, unsigned counter)
{
	struct counter_value v;

	for (size_t i = 0; i < counted_places(c); i++)
		if (counted_value(c, counter, i, &v))
			return true;
	return false;
}

static int look(struct prof *p, struct counted *c, bool last, struct err *e)
{
	struct pmd *m = p->own;
	double seconds = (double)MAX(p->to - m->at, UINT64_C(1)) / NS_PER_S;
	int r;

	/* The incomplete last interval is not shown. */
	if (last)
		return 0;
	for (unsigned i = 0; i < PMD_COUNTERS; i++)
		m->has[i] = counts(c, i);
	ask(m, p);
	r = pmd_gaps_now(m, p);
	r = r ? r : pmd_print(m, p, c, seconds);
	pmd_gaps_forget(m);
	m->at = p->to;
	return r ? err_nomem(e) : 0;
}

/* --- the run --- */

static int prepare(struct prof *p, struct err *e)
{
	struct prof_want *w = prof_want(p);
	struct pmd *m = p->own;
	int r;

	r = prof_own_only(p, e);
	if (r)
		return r;
	if (w->target.cgroups || p->argc)
		return err_set(e, EINVAL, "pmd looks at threads that poll: -p, -C or -t, and no command");
	if (w->from.interval_ns && w->from.interval_ns < NS_PER_S / 10)
		return err_set(e, EINVAL, "-i %llu: an interval is in ms, and at least 100",
			       (unsigned long long)(w->from.interval_ns / 1000000));
	if (w->from.input) {
		err_set(e, EINVAL, "pmd reads counters while they count: no recording has them");
		return err_hint(e, "sonde pmd steal tells what takes the CPUs, of a recording, too");
	}
	r = poll_threads_find(&m->taken.found, p->sys, &w->target, e);
	for (size_t i = 0; !r && i < PMD_COUNTERS; i++) {
		r = specs_add_event(&p->specs, counters[i], e);
		if (!r)
			p->specs.v.v[i].optional = true;
	}
	return r;
}

static int open_all(struct pmd *m, struct prof *p, struct err *e)
{
	struct target_want *t = &prof_want(p)->target;

	m->list = poll_threads_list(&m->taken.found);
	if (!m->list)
		return err_nomem(e);
	*t = (struct target_want){ .tids = m->list, .no_inherit = true };
	for (size_t i = 0; i < m->taken.found.v.n; i++) {
		uint64_t *waited = vec_add(&m->waited);

		if (!waited || add_process(m, p, m->taken.found.v.v[i].pid))
			return err_nomem(e);
		*waited = 0;
	}
	return 0;
}

/* Read the initial values, from which the first interval's differences are taken. */
static void first_look(struct pmd *m, struct prof *p)
{
	ask(m, p);
	for (size_t i = 0; i < m->waited.n; i++)
		poll_thread_sched(p->sys, (uint32_t)m->taken.found.v.v[i].tid, POLL_SCHED_WAITED, &m->waited.v[i]);
}

/* Does one of the threads still exist? */
static bool lives(const struct pmd *m, const struct sys *sys)
{
	uint64_t ns;

	for (size_t i = 0; i < m->taken.found.v.n; i++)
		if (poll_thread_sched(sys, (uint32_t)m->taken.found.v.v[i].tid, POLL_SCHED_RAN, &ns))
			return true;
	return false;
}

static int take_tick(struct pmd *m, struct prof *p, struct counted *c, struct err *e)
{
	int r;

	counted_read(c);
	p->to = p->sys->now(p->sys, CLOCK_MONOTONIC);
	r = look(p, c, false, e);
	out_flush(p->how->out);
	if (++p->hits == prof_want(p)->limit || !lives(m, p->sys))
		feed_stop(&p->feed);
	return r;
}

static int each(struct pmd *m, struct prof *p, struct counted *c, struct err *e)
{
	struct hit h;
	int got, r = 0;

	while (!r && !p->how->out->error && (got = feed_next(&p->feed, &h, e)) != FEED_END) {
		if (got < 0)
			return got;
		if (got == FEED_TICK)
			r = take_tick(m, p, c, e);
		else if (got == FEED_LOST)
			taken_lost(&m->taken, h.cpu);
		else if (got == FEED_HIT && taken_hit(&m->taken, &h))
			r = err_nomem(e);
	}
	return r;
}

static int run(struct pmd *m, struct prof *p, struct err *e)
{
	struct counted c;
	int r = counted_open(&c, p, e);

	r = r ? r : feed_start(&p->feed, e);
	if (!r) {
		first_look(m, p);
		counted_start(&c);
		m->at = p->sys->now(p->sys, CLOCK_MONOTONIC);
	}
	r = r ? r : each(m, p, &c, e);
	counted_close(&c);
	if (p->feed.stats.lost && !prof_want(p)->form.quiet)
		p->how->note(p->how->arg, "events were lost: a gap may have been longer; larger rings (-m) lose fewer");
	return r;
}

static int run_without_gaps(struct pmd *m, struct prof *p, struct err *e)
{
	uint64_t interval = prof_want(p)->from.interval_ns;
	struct counted_want w = { .period_ns = interval ? interval : NS_PER_S, .look = look };

	first_look(m, p);
	m->at = p->sys->now(p->sys, CLOCK_MONOTONIC);
	return counted_run(p, &w, e);
}

static int alone(struct prof *p, struct out *o UNUSED, struct err *e)
{
	const struct pmd_want *want = p->want;
	struct pmd *m = p->own;
	int r = open_all(m, p, e);

	r = r || want->no_gaps ? r : pmd_gaps_open(m, p, e);
	r = r ? r : m->has_gaps ? run(m, p, e) : run_without_gaps(m, p, e);
	for (size_t i = 0; i < m->processes.n; i++)
		packets_close(&m->processes.v[i].packets);
	vec_free(&m->processes);
	vec_free(&m->waited);
	pmd_gaps_close(m, p);
	free(m->list);
	return r;
}

const struct prof_kind poll_pmd = {
	.cmd = { .name = "pmd" },
	.own = sizeof(struct pmd), .prepare = prepare, .alone = alone,
};
