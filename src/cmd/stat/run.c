/* run.c - one counting run, from opening the counters to the end of the command. */
#include "cmd/stat/run.h"

#include <signal.h>
#include <time.h>

#define GRACE_NS UINT64_C(2000000000)    /* ns that a command gets to end after a signal */

static uint64_t now(const struct stat_run *n)
{
	return n->want->sys->now(n->want->sys, CLOCK_MONOTONIC);
}

static bool starts_on_exec(const struct target *t)
{
	return t->kind == TARGET_COMMAND && !t->delay_ms;
}

static struct counters_want counters_want(const struct stat_run *n)
{
	const struct stat_run_want *w = n->want;

	return (struct counters_want){
		.sys = w->sys,
		.events = w->events,
		.target = w->target,
		.tid = w->loop->child.pid,
		.start = starts_on_exec(w->target) ? COUNTERS_ON_EXEC : COUNTERS_LATER,
	};
}

int stat_run_open(struct stat_run *n, const struct stat_run_want *w, struct err *e)
{
	struct counters_want cw;
	int r;

	*n = (struct stat_run){ .want = w };
	loop_begin(w->loop);
	r = w->target->argv ? loop_hold(w->loop, w->target->argv, NULL, e) : 0;
	cw = counters_want(n);
	return r ? r : counters_open(w->counters, &cw, e);
}

/* --- what happens --- */

static void next_look_at_probes(struct stat_run *n)
{
	const struct stat_run_want *w = n->want;

	loop_at(w->loop, LOOP_OTHER, w->duty ? w->duty->next : w->watch ? w->watch->next : LOOP_NEVER);
}

/* Call when the counters start, at t: intervals and the cost of probes are measured from there. */
static void counters_run(struct stat_run *n, uint64_t t)
{
	const struct stat_run_want *w = n->want;

	n->start = n->last = t;
	loop_every(w->loop, t, w->interval_ns);
	if (w->duty)
		duty_begin(w->duty);
	if (w->watch)
		probe_watch_begin(w->watch);
	next_look_at_probes(n);
}

static void on_signal(struct stat_run *n)
{
	struct loop *l = n->want->loop;

	n->interrupted = true;
	/*
	 * The terminal sends Ctrl-C to the command, too, which may have something to do first: go on counting until it
	 * ends, but for no longer than GRACE_NS. A second Ctrl-C or any other signal ends the run at once.
	 */
	if (l->child.pid && l->signal == SIGINT && l->n_signals == 1)
		loop_in(l, LOOP_GRACE, GRACE_NS);
	else
		n->over = true;
}

static void set_tool(struct counter_tools *t, enum event_tool tool, uint64_t ns)
{
	t->value[tool] = ns;
	t->known[tool] = true;
}

static uint64_t in_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

/* User and system time are known only after the command has ended. */
static void read_counters(struct stat_run *n, uint64_t at)
{
	struct counter_tools *t = &n->want->counters->tools;
	const struct loop *l = n->want->loop;

	set_tool(t, EVENT_DURATION_TIME, at - n->start);
	if (l->has_status) {
		set_tool(t, EVENT_USER_TIME, in_ns(&l->usage.ru_utime));
		set_tool(t, EVENT_SYSTEM_TIME, in_ns(&l->usage.ru_stime));
	}
	counters_read(n->want->counters);
}

static enum stat_run_what tick(struct stat_run *n, uint64_t at)
{
	read_counters(n, at);
	n->at = at - n->start;
	n->length = at - n->last;
	n->last = at;
	n->ticks++;
	if (n->want->max_intervals && n->ticks >= n->want->max_intervals)
		n->over = n->ended_by_us = true;
	return STAT_RUN_TICK;
}

static bool probes_are_bad(struct stat_run *n)
{
	struct probe_watch *w = n->want->watch;
	struct counters *c = n->want->counters;

	counters_refresh(c);
	for (size_t i = 0; i < c->list.n; i++) {
		const struct counter *k = &c->list.v[i];
		size_t event = (size_t)(k->ev - n->want->events->v.v);

		for (size_t j = 0; probe_watch_wants(w, event) && j < k->n; j++) {
			const struct counter_slot *s = &c->slots.v[k->first + j];

			probe_watch_add(w, event, counter_place(s), s->now.value);
		}
	}
	return probe_watch_judge(w);
}

static enum stat_run_what look_at_probes(struct stat_run *n)
{
	const struct stat_run_want *w = n->want;
	enum stat_run_what what = w->duty ? duty_step(w->duty) ? STAT_RUN_PROBES_OFF : STAT_RUN_GOES
				  : probes_are_bad(n)	       ? STAT_RUN_PROBES_BAD
							       : STAT_RUN_GOES;

	next_look_at_probes(n);
	return what;
}

static enum stat_run_what on_time(struct stat_run *n)
{
	const struct loop *l = n->want->loop;

	if (l->time == LOOP_INTERVAL)
		return tick(n, l->now);
	if (l->time == LOOP_OTHER)
		return look_at_probes(n);
	counters_enable(n->want->counters);
	counters_run(n, l->now);
	return STAT_RUN_GOES;
}

/* Carry out the commands of --control, up to one that the caller must handle. */
static enum stat_run_what obey(struct stat_run *n)
{
	struct control *c = n->want->control;

	for (enum control_what what; !n->over && (what = control_next(c)); ) {
		if (what == CONTROL_END) {
			loop_watch_fds(n->want->loop, NULL, 0);
			return STAT_RUN_GOES;
		}
		if (what == CONTROL_UNKNOWN || what == CONTROL_SNAPSHOT)
			return STAT_RUN_ODD_ORDER;
		if (what == CONTROL_ENABLE)
			counters_enable(n->want->counters);
		if (what == CONTROL_DISABLE)
			counters_disable(n->want->counters);
		n->over = n->ended_by_us = what == CONTROL_STOP;
		control_ack(c);
		/* Enabling or disabling begins a new interval. */
		if (what != CONTROL_PING && !n->over && n->want->interval_ns)
			return tick(n, now(n));
	}
	return STAT_RUN_GOES;
}

static enum stat_run_what step(struct stat_run *n)
{
	struct loop *l = n->want->loop;
	enum stat_run_what what = n->want->control ? obey(n) : STAT_RUN_GOES;

	if (what || n->over)
		return what;
	switch (loop_next(l)) {
	case LOOP_SIGNAL:
		on_signal(n);
		return STAT_RUN_GOES;
	case LOOP_TICK:
		return on_time(n);
	case LOOP_DATA:
		control_read(n->want->control);
		return STAT_RUN_GOES;
	case LOOP_END:
		n->over = true;
		n->ended_by_us = l->time == LOOP_LIMIT;
		return STAT_RUN_GOES;
	default:
		return STAT_RUN_GOES;
	}
}

int stat_run_go(struct stat_run *n, struct err *e)
{
	const struct stat_run_want *w = n->want;
	const struct target *t = w->target;
	struct counters_want cw = counters_want(n);
	int r = w->duty ? duty_start(w->duty, w->counters, &cw, e) : 0;

	if (r)
		return r;
	if (!starts_on_exec(t) && !t->delay_ms)
		counters_enable(w->counters);
	n->start = n->last = now(n);
	if (!t->delay_ms)
		counters_run(n, n->start);
	else if (t->delay_ms < 0)
		loop_every(w->loop, n->start, w->interval_ns);
	if (w->control) {
		n->fds[1] = (struct pollfd){ .fd = w->control->fd, .events = POLLIN };
		loop_watch_fds(w->loop, n->fds, ARRAY_SIZE(n->fds));
	}
	r = t->argv ? loop_go(w->loop, e) : 0;
	if (t->delay_ms > 0)
		loop_at(w->loop, LOOP_DELAY, n->start + (uint64_t)t->delay_ms * 1000000);
	if (w->timeout_ns)
		loop_at(w->loop, LOOP_LIMIT, n->start + w->timeout_ns);
	if (t->kind == TARGET_TASKS)
		loop_watch_tasks(w->loop, t->tids.v, t->tids.n);
	return r;
}

/* --- the end --- */

static enum stat_run_what stop(struct stat_run *n)
{
	uint64_t end = now(n);

	n->stopped = true;
	if (n->want->duty)
		duty_end(n->want->duty);
	counters_disable(n->want->counters);
	n->elapsed_ns = end - n->start;
	if (n->want->interval_ns && !n->ended_by_us)
		return tick(n, end);
	if (!n->want->interval_ns)
		read_counters(n, end);
	return STAT_RUN_GOES;
}

/* If the command still runs, terminate it, and wait a little. */
static void end_command(struct stat_run *n)
{
	struct loop *l = n->want->loop;
	bool outlived = l->child.pid;
	enum loop_what what;

	if (outlived) {
		child_terminate(&l->child);
		for (enum loop_time t = 0; t < LOOP_TIMES; t++)
			loop_at(l, t, LOOP_NEVER);
		loop_watch_tasks(l, NULL, 0);
		loop_in(l, LOOP_GRACE, GRACE_NS);
	}
	/* After a signal there are no further runs of -r. */
	while (l->child.pid && (what = loop_next(l)) != LOOP_END)
		n->interrupted |= what == LOOP_SIGNAL;
	/* A command that does not end is left alone. */
	l->child.pid = 0;
	n->status = outlived && n->ended_by_us ? 0 : l->status;
}

enum stat_run_what stat_run_next(struct stat_run *n)
{
	enum stat_run_what what = STAT_RUN_GOES;

	while (!what && !n->over)
		what = step(n);
	if (!what && !n->stopped)
		what = stop(n);
	if (what)
		return what;
	end_command(n);
	return STAT_RUN_END;
}
