/* run.c - set up, hold, start, wait, stop, put back. */
#include "ftrace/run.h"

#include <poll.h>
#include <signal.h>
#include <time.h>

#define LOOK_FOR_TASKS_NS UINT64_C(200000000)

/* Since 6.16 an instance may have copies of what programs write to trace_marker, which is the top buffer's. */
static int copy_markers(struct run *r, const struct tfs *t, struct err *e)
{
	static const char option[] = "options/copy_trace_marker";

	return tfs_is_top(t) || !tfs_has(t, option) ? 0 : undo_put(r->undo, t, option, "1", e);
}

/* What another has switched on in this buffer goes on: it comes into ours, and what is read is gone for him. */
static void tell_others(const struct tfs *t, char why[160])
{
	char tracer[64] = "nop", *events = NULL;
	size_t n = 0;

	if (tfs_get(t, "current_tracer", tracer, sizeof(tracer)) <= 0)
		return;
	if (tfs_read_all(t, "set_event", &events, &n, NULL))
		n = 0;
	if (n || strcmp(tracer, "nop"))
		snprintf(why, 160, "others trace in this buffer, too (%s): their events come here instead",
			 n ? "see set_event" : tracer);
	free(events);
}

static int place(struct run *r, const struct plan *p, struct err *e)
{
	struct run_buffer *b = vec_add(&r->buffers);
	int ret;

	if (!b)
		return err_nomem(e);
	b->plan = p;
	ret = plan_place(p, r->undo, &r->top, &b->tfs, b->why, e);
	if (!ret && !b->why[0] && (p->instance || tfs_is_top(&b->tfs)))
		tell_others(&b->tfs, b->why);
	if (!ret && !p->instance)
		ret = copy_markers(r, &b->tfs, e);
	return ret ? ret : plan_apply(p, r->undo, &b->tfs, e);
}

static int hold(struct run *r, struct err *e)
{
	const struct run_want *w = r->want;
	int ret;

	if (!w->argv)
		return 0;
	ret = child_hold(&r->child, w->argv, &w->child, e);
	if (ret) {
		r->child.pid = 0;
		return ret;
	}
	for (size_t i = 0; !ret && w->who == RUN_WORKLOAD && i < r->buffers.n; i++)
		ret = plan_add_pid(r->buffers.v[i].plan, r->undo, &r->buffers.v[i].tfs, r->child.pid, e);
	return ret;
}

static bool task_lives(const struct run *r, int pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return sys_exists(r->sys, path);
}

/* Tasks were named (-P), and all of them are gone. */
static bool tasks_ended(const struct run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->want->n_plans; i++) {
		const struct plan *p = &r->want->plans[i];

		for (size_t k = 0; k < p->pids.n; k++, n++)
			if (task_lives(r, p->pids.v[k]))
				return false;
	}
	return n > 0;
}

static void take_signals(struct run *r)
{
	int sig;

	while ((sig = signals_next(r->signals))) {
		if (sig == SIGCHLD) {
			if (r->child.pid > 0 && child_poll(&r->child, &r->status, NULL)) {
				r->child.pid = 0;
				r->state = r->state ? r->state : RUN_CHILD_ENDED;
			}
		} else if (sig != SIGWINCH) {
			r->n_signals++;
			r->signal = sig;
			r->state = r->state ? r->state : RUN_SIGNAL;
		}
	}
}

static bool is_over(void *arg)
{
	struct run *r = arg;

	take_signals(r);
	return r->n_signals > 0;
}

static int set_up(struct run *r, struct err *e)
{
	int ret = tfs_open(&r->top, r->sys, e);

	if (ret)
		return ret;
	if (!r->want->argv && tasks_ended(r)) {
		err_set(e, ESRCH, "no such process: none of those that were named is there");
		return err_hint(e, "they may have ended; 'ps -e' lists what runs");
	}
	/* From here on Ctrl-C is a request, and nothing stays half done. */
	r->signals = signals_open(e);
	if (r->signals < 0)
		return r->signals;
	mapped_ask(r->sys->mapped, is_over, r);
	r->undo = undo_new(r->sys, e);
	if (!r->undo)
		return -e->code;
	ret = r->want->before ? r->want->before(r->want->arg, r, e) : 0;
	for (size_t i = 0; !ret && i < r->want->n_plans; i++)
		ret = place(r, &r->want->plans[i], e);
	return ret ? ret : hold(r, e);
}

int run_begin(struct run *r, const struct run_want *w, struct err *e)
{
	int ret;

	*r = (struct run){ .want = w, .sys = w->sys, .signals = -1, .child = { .go_fd = -1, .err_fd = -1 } };
	ret = set_up(r, e);
	if (ret)
		run_end(r, NULL);
	return ret && r->sys->mapped && r->sys->mapped->stopped ? err_set(e, ECANCELED, "interrupted") : ret;
}

enum run_state run_look(struct run *r)
{
	uint64_t now = r->sys->now(r->sys, CLOCK_MONOTONIC);

	take_signals(r);
	if (r->state || !r->on)
		return r->state;
	if (r->want->limit_ns && now - r->started >= r->want->limit_ns)
		return r->state = RUN_TIME_UP;
	if (!r->want->argv && now - r->looked >= LOOK_FOR_TASKS_NS) {
		r->looked = now;
		if (tasks_ended(r))
			r->state = RUN_TASKS_ENDED;
	}
	return r->state;
}

/* No longer than until something has to be looked at. */
static int shorter(const struct run *r, int timeout_ms)
{
	uint64_t now = r->sys->now(r->sys, CLOCK_MONOTONIC), limit = r->want->limit_ns;

	if (limit) {
		uint64_t left = limit - MIN(limit, now - r->started);

		if (timeout_ms < 0 || left / 1000000 < (uint64_t)timeout_ms)
			timeout_ms = (int)MIN(left / 1000000 + 1, INT_MAX);
	}
	if (!r->want->argv && r->buffers.v[0].plan->pids.n && (timeout_ms < 0 || timeout_ms > 200))
		timeout_ms = 200;
	return timeout_ms;
}

enum run_state run_wait(struct run *r, struct pollfd *fds, size_t n, int timeout_ms)
{
	struct pollfd own;

	if (!n) {
		fds = &own;
		n = 1;
	}
	fds[0] = (struct pollfd){ .fd = r->signals, .events = POLLIN };
	if (!r->state)
		r->sys->poll(r->sys, fds, n, shorter(r, timeout_ms));
	return run_look(r);
}

/* Its end, and a signal, end the delay too. */
static void delay(struct run *r)
{
	uint64_t end = r->sys->now(r->sys, CLOCK_MONOTONIC) + r->want->delay_ns, now;

	while (!r->state && (now = r->sys->now(r->sys, CLOCK_MONOTONIC)) < end) {
		struct pollfd fd = { .fd = r->signals, .events = POLLIN };

		r->sys->poll(r->sys, &fd, 1, (int)MIN((end - now) / 1000000 + 1, INT_MAX));
		take_signals(r);
	}
}

int run_go(struct run *r, struct err *e)
{
	bool late = r->want->delay_ns > 0;
	int ret = late && r->child.pid ? child_go(&r->child, r->want->argv[0], e) : 0;

	if (ret)
		return ret;
	if (late)
		delay(r);
	r->started = r->looked = r->sys->now(r->sys, CLOCK_MONOTONIC);
	r->on = true;
	for (size_t i = 0; !ret && i < r->buffers.n; i++)
		ret = plan_start(r->undo, &r->buffers.v[i].tfs, e);
	return ret || late || !r->child.pid ? ret : child_go(&r->child, r->want->argv[0], e);
}

int run_stop(struct run *r, struct err *e)
{
	int ret = 0;

	for (size_t i = 0; i < r->buffers.n; i++) {
		int one = plan_stop(&r->buffers.v[i].tfs, ret ? NULL : e);

		ret = ret ? ret : one;
	}
	r->on = false;
	return ret;
}

int run_restore(struct run *r, struct err *e)
{
	int ret = r->on ? run_stop(r, e) : 0, undone = 0;

	if (r->undo)
		undone = r->want && r->want->keep && r->started ? undo_keep(r->undo, ret ? NULL : e)
								: undo_finish(r->undo, ret ? NULL : e);
	r->undo = NULL;
	return ret ? ret : undone;
}

int run_end(struct run *r, struct err *e)
{
	int ret = run_restore(r, e);

	if (r->signals >= 0) {
		/* The one that ended us was taken; what comes now acts at once, for the workload may be stubborn. */
		take_signals(r);
		mapped_ask(r->sys->mapped, NULL, NULL);
		signals_close(r->signals);
	}
	child_stop(&r->child);
	vec_free(&r->buffers);
	r->signals = -1;
	return ret;
}
