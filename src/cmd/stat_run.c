/* stat_run.c - the life of a counting run. */
#include "cmd/stat_run.h"

#include <poll.h>
#include <signal.h>
#include <time.h>

#define MS UINT64_C(1000000)

enum {
	GRACE_MS = 2000,     /* for a command that was told to end */
	WATCH_MS = 100,      /* how often it is checked whether threads of others still live */
};

#define NEVER UINT64_MAX

struct run {
	const struct stat_run_want *w;
	struct counters *c;
	struct stat_run_result *r;
	struct child child;
	bool alive;              /* the command runs */
	bool over;               /* count no further */
	bool ended_by_us;        /* time or intervals are over */
	uint64_t start, last, next_tick, deadline, enable_at;
	uint64_t kill_at;        /* a command that got Ctrl-C is ended then */
	uint64_t ticks;
};

static uint64_t now(const struct run *n)
{
	return n->w->sys->now(n->w->sys, CLOCK_MONOTONIC);
}

static void reap(struct run *n)
{
	if (n->alive && child_poll(&n->child, &n->r->status, &n->r->usage)) {
		n->alive = false;
		n->over = true;
		n->r->has_usage = true;
	}
}

static bool asks_for_end(int signo)
{
	return signo == SIGINT || signo == SIGTERM || signo == SIGHUP;
}

static void on_signal(struct run *n, int signo)
{
	if (signo == SIGCHLD) {
		reap(n);
		return;
	}
	if (!asks_for_end(signo))
		return;
	n->r->interrupted = true;
	/*
	 * The terminal sends Ctrl-C to the command too, which may want to say something: the counting ends with it.
	 * It is ended for it after a while, at once at the second Ctrl-C or any other signal.
	 */
	if (n->alive && signo == SIGINT && n->kill_at == NEVER)
		n->kill_at = now(n) + GRACE_MS * MS;
	else
		n->over = true;
}

/* Is one of the watched threads still there? */
static bool target_lives(const struct run *n)
{
	const struct target *t = n->w->target;
	char path[32];

	for (size_t i = 0; i < t->tids.n; i++) {
		snprintf(path, sizeof(path), "/proc/%d", t->tids.v[i]);
		if (!n->w->sys->access(n->w->sys, path, 0))
			return true;
	}
	return false;
}

static void tick(struct run *n, uint64_t at)
{
	counters_read(n->c);
	n->w->tick(n->w->arg, n->c, at - n->start, at - n->last);
	n->last = at;
	n->ticks++;
	if (n->w->max_intervals && n->ticks >= n->w->max_intervals)
		n->over = n->ended_by_us = true;
}

/* From the time that the counters run. */
static void watch_probes(struct run *n)
{
	if (n->w->duty)
		duty_begin(n->w->duty);
	if (n->w->watch)
		probe_watch_begin(n->w->watch);
}

static void look_at_probes(struct run *n)
{
	struct probe_watch *w = n->w->watch;

	counters_refresh(n->c);
	for (size_t i = 0; i < n->c->list.n; i++) {
		const struct counter *k = &n->c->list.v[i];
		size_t event = (size_t)(k->ev - n->w->events->v.v);

		for (size_t j = 0; probe_watch_wants(w, event) && j < k->n; j++) {
			const struct counter_slot *s = &n->c->slots.v[k->first + j];

			probe_watch_add(w, event, counter_place(s), s->now.value);
		}
	}
	if (probe_watch_judge(w))
		n->w->probes_bad(n->w->arg);
}

static void on_time(struct run *n, uint64_t t)
{
	if (t >= n->enable_at) {
		counters_enable(n->c);
		n->enable_at = NEVER;
		n->start = n->last = t;
		n->next_tick = n->w->interval_ns ? t + n->w->interval_ns : NEVER;
		watch_probes(n);
	}
	if (t >= n->next_tick) {
		tick(n, t);
		/* Late ones are left out, the rhythm stays. */
		while (n->next_tick <= t)
			n->next_tick += n->w->interval_ns;
	}
	if (t >= n->deadline)
		n->over = n->ended_by_us = true;
	if (t >= n->kill_at)
		n->over = true;
	/* Last: they take their time, and t is then past. */
	if (n->w->watch && !n->over && t >= n->w->watch->next)
		look_at_probes(n);
	if (n->w->duty && !n->over && t >= n->w->duty->next && duty_step(n->w->duty))
		n->w->probes_off(n->w->arg);
}

static int wait_ms(const struct run *n, uint64_t t)
{
	uint64_t probes_at = n->w->duty ? n->w->duty->next : n->w->watch ? n->w->watch->next : NEVER;
	uint64_t until = MIN(MIN(MIN(n->next_tick, n->deadline), MIN(n->enable_at, n->kill_at)), probes_at);
	uint64_t ms = until == NEVER ? NEVER : until > t ? (until - t + MS - 1) / MS : 0;

	if (n->w->target->kind == TARGET_TASKS)
		ms = MIN(ms, (uint64_t)WATCH_MS);
	return ms == NEVER ? -1 : (int)MIN(ms, (uint64_t)INT_MAX);
}

static void wait_for_end(struct run *n)
{
	while (!n->over) {
		struct pollfd fd = { .fd = n->w->signal_fd, .events = POLLIN };
		int signo;

		n->w->sys->poll(n->w->sys, &fd, 1, wait_ms(n, now(n)));
		while ((signo = signals_next(n->w->signal_fd)))
			on_signal(n, signo);
		if (!n->over)
			on_time(n, now(n));
		if (n->w->target->kind == TARGET_TASKS && !target_lives(n))
			n->over = true;
	}
}

/* The command outlived the counting: end it, and wait a little. */
static void end_command(struct run *n)
{
	uint64_t until = now(n) + GRACE_MS * MS;

	if (!n->alive)
		return;
	child_terminate(&n->child);
	while (n->alive && now(n) < until) {
		struct pollfd fd = { .fd = n->w->signal_fd, .events = POLLIN };
		int signo;

		n->w->sys->poll(n->w->sys, &fd, 1, 20);
		/* It may be one of many runs (-r): no other follows then. */
		while ((signo = signals_next(n->w->signal_fd)))
			n->r->interrupted |= asks_for_end(signo);
		reap(n);
	}
	if (n->ended_by_us)
		n->r->status = 0;
}

static int begin(struct run *n, struct err *e)
{
	const struct target *t = n->w->target;
	bool on_exec = t->kind == TARGET_COMMAND && !t->delay_ms;
	struct counters_want cw = {
		.sys = n->w->sys,
		.events = n->w->events,
		.target = t,
		.tid = n->child.pid,
		.start = on_exec ? COUNTERS_ON_EXEC : COUNTERS_LATER,
	};
	int r = counters_open(n->c, &cw, e);

	if (r)
		return r;
	r = n->w->opened(n->w->arg, n->c, e);
	if (!r && n->w->duty)
		r = duty_start(n->w->duty, n->c, &cw, e);
	if (!r && !on_exec && !t->delay_ms)
		counters_enable(n->c);
	n->start = n->last = now(n);
	if (!r && !t->delay_ms)
		watch_probes(n);
	if (!r && t->argv)
		r = child_go(&n->child, t->argv[0], e);
	if (r) {
		counters_close(n->c);
		return r;
	}
	n->alive = t->argv != NULL;
	n->next_tick = n->w->interval_ns && !t->delay_ms ? n->start + n->w->interval_ns : NEVER;
	n->deadline = n->w->timeout_ns ? n->start + n->w->timeout_ns : NEVER;
	n->enable_at = t->delay_ms > 0 ? n->start + (uint64_t)t->delay_ms * MS : NEVER;
	n->kill_at = NEVER;
	return 0;
}

int stat_run(struct counters *c, const struct stat_run_want *w, struct stat_run_result *r, struct err *e)
{
	struct run n = { .w = w, .c = c, .r = r };
	int code = 0;

	*r = (struct stat_run_result){ 0 };
	if (w->target->argv)
		code = child_hold(&n.child, w->target->argv, NULL, e);
	if (code)
		return code;
	code = begin(&n, e);
	if (code) {
		if (w->target->argv && n.child.go_fd >= 0) {
			child_cancel(&n.child);
			child_wait(&n.child, NULL);
		}
		return code;
	}
	wait_for_end(&n);

	uint64_t end = now(&n);

	if (w->duty)
		duty_end(w->duty);
	counters_disable(c);
	r->elapsed_ns = end - n.start;
	if (w->interval_ns && !n.ended_by_us)
		tick(&n, end);
	else if (!w->interval_ns)
		counters_read(c);
	end_command(&n);
	return 0;
}
