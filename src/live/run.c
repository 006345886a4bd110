/* run.c - set up, hold, start, stop, put back. */
#include "live/run.h"

#include <time.h>

/* Since Linux 6.16 an instance can get copies of writes to the top buffer's trace_marker: switch that on. */
static int copy_markers(struct run *r, const struct tfs *t, struct err *e)
{
	static const char option[] = "options/copy_trace_marker";

	return tfs_is_top(t) || !tfs_has(t, option) ? 0 : undo_put(r->undo, t, option, "1", e);
}

/* Note that another tracer uses this buffer: its events are in our data, and what we read is lost for it. */
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
	ret = loop_hold(&r->loop, w->argv, &w->child, e);
	for (size_t i = 0; !ret && w->who == RUN_WORKLOAD && i < r->buffers.n; i++)
		ret = plan_add_pid(r->buffers.v[i].plan, r->undo, &r->buffers.v[i].tfs, r->loop.child.pid, e);
	return ret;
}

/* Collect the pids of -P of all plans. */
static int gather_pids(struct run *r, struct err *e)
{
	for (size_t i = 0; i < r->want->n_plans; i++) {
		const struct plan *p = &r->want->plans[i];

		if (vec_reserve(&r->pids, p->pids.n))
			return err_nomem(e);
		for (size_t k = 0; k < p->pids.n; k++)
			r->pids.v[r->pids.n++] = p->pids.v[k];
	}
	return 0;
}

static bool is_over(void *arg)
{
	struct run *r = arg;

	return loop_signals(&r->loop) > 0;
}

static int set_up(struct run *r, struct err *e)
{
	int ret = tfs_open(&r->top, r->sys, e);

	ret = ret ? ret : gather_pids(r, e);
	if (ret)
		return ret;
	if (!r->want->argv && loop_tasks_ended(r->sys, r->pids.v, r->pids.n)) {
		err_set(e, ESRCH, "no such process: none of those that were named is there");
		return err_hint(e, "they may have ended; 'ps -e' lists what runs");
	}
	/* From here on Ctrl-C does not kill sonde, so whatever is set up will be undone. */
	ret = loop_open(&r->loop, e);
	if (ret)
		return ret;
	mapped_ask(r->sys->mapped, is_over, r);
	r->undo = undo_new(r->sys, e);
	if (!r->undo)
		return -e->code;
	ret = r->want->before ? r->want->before(r->want->arg, r, e) : 0;
	for (size_t i = 0; !ret && i < r->want->n_plans; i++)
		ret = place(r, &r->want->plans[i], e);
	return ret ? ret : hold(r, e);
}

void run_init(struct run *r, const struct sys *sys)
{
	*r = (struct run){ .sys = sys };
	loop_init(&r->loop, sys);
}

int run_begin(struct run *r, const struct run_want *w, struct err *e)
{
	int ret;

	run_init(r, w->sys);
	r->want = w;
	ret = set_up(r, e);
	if (ret)
		run_end(r, NULL);
	return ret && r->sys->mapped && r->sys->mapped->stopped ? err_set(e, ECANCELED, "interrupted") : ret;
}

/* Wait for -D; the end of the workload or a signal ends the wait, too. */
static void delay(struct run *r)
{
	loop_in(&r->loop, LOOP_DELAY, r->want->delay_ns);
	while (r->loop.state == LOOP_RUNS && loop_next(&r->loop) != LOOP_TICK)
		;
	loop_at(&r->loop, LOOP_DELAY, LOOP_NEVER);
}

int run_go(struct run *r, struct err *e)
{
	const struct run_want *w = r->want;
	bool late = w->delay_ns > 0;
	int ret = late && r->loop.child.pid ? loop_go(&r->loop, e) : 0;

	if (ret)
		return ret;
	if (late)
		delay(r);
	r->started = r->sys->now(r->sys, CLOCK_MONOTONIC);
	r->on = true;
	if (w->limit_ns)
		loop_at(&r->loop, LOOP_LIMIT, r->started + w->limit_ns);
	if (!w->argv)
		loop_watch_tasks(&r->loop, r->pids.v, r->pids.n);
	for (size_t i = 0; !ret && i < r->buffers.n; i++)
		ret = plan_start(r->undo, &r->buffers.v[i].tfs, e);
	return ret || late || !r->loop.child.pid ? ret : loop_go(&r->loop, e);
}

int run_stop(struct run *r, struct err *e)
{
	int ret = 0;

	for (size_t i = 0; i < r->buffers.n; i++) {
		int one = plan_stop(&r->buffers.v[i].tfs, ret ? NULL : e);

		ret = ret ? ret : one;
	}
	r->on = false;
	loop_at(&r->loop, LOOP_LIMIT, LOOP_NEVER);
	loop_watch_tasks(&r->loop, NULL, 0);
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

	if (r->loop.signals >= 0)
		mapped_ask(r->sys->mapped, NULL, NULL);
	loop_close(&r->loop);
	vec_free(&r->buffers);
	vec_free(&r->pids);
	return ret;
}
