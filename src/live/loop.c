/* loop.c - one poll() over the signals' descriptor and the watched ones, with the next timer as time-out. */
#include "live/loop.h"

#include <poll.h>
#include <signal.h>
#include <time.h>

#define NS_PER_MS UINT64_C(1000000)

enum { TASKS_EVERY_MS = 100 };

static uint64_t now(const struct loop *l)
{
	return l->sys->now(l->sys, CLOCK_MONOTONIC);
}

void loop_begin(struct loop *l)
{
	*l = (struct loop){ .sys = l->sys, .signals = l->signals, .child = { .go_fd = -1, .err_fd = -1 } };
	for (size_t i = 0; i < LOOP_TIMES; i++)
		l->at[i] = LOOP_NEVER;
}

void loop_init(struct loop *l, const struct sys *sys)
{
	l->sys = sys;
	l->signals = -1;
	loop_begin(l);
}

int loop_open(struct loop *l, struct err *e)
{
	l->signals = signals_open(l->asked, e);
	return MIN(l->signals, 0);
}

int loop_hold(struct loop *l, char *const argv[], const struct child_how *how, struct err *e)
{
	int r = child_hold(&l->child, argv, how, e);

	l->name = argv[0];
	if (r)
		l->child.pid = 0;
	return r;
}

int loop_go(struct loop *l, struct err *e)
{
	return child_go(&l->child, l->name, e);
}

void loop_at(struct loop *l, enum loop_time which, uint64_t ns)
{
	l->at[which] = ns;
}

void loop_in(struct loop *l, enum loop_time which, uint64_t ns)
{
	uint64_t t = now(l);

	l->at[which] = ns < LOOP_NEVER - t ? t + ns : LOOP_NEVER;
}

void loop_every(struct loop *l, uint64_t from, uint64_t ns)
{
	l->interval = ns;
	l->at[LOOP_INTERVAL] = ns ? from + ns : LOOP_NEVER;
}

void loop_watch_tasks(struct loop *l, const int *pids, size_t n)
{
	l->tasks = pids;
	l->n_tasks = n;
	l->looked = now(l);
}

void loop_watch_fds(struct loop *l, struct pollfd *fds, size_t n)
{
	l->fds = fds;
	l->n_fds = n;
	l->ready = false;
}

bool loop_tasks_ended(const struct sys *sys, const int *pids, size_t n)
{
	char path[32];

	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "/proc/%d", pids[i]);
		if (sys_exists(sys, path))
			return false;
	}
	return n > 0;
}

/* --- what happens --- */

static enum loop_what end(struct loop *l, enum loop_state why)
{
	l->state = l->state ? l->state : why;
	return LOOP_END;
}

static void take_signals(struct loop *l)
{
	int sig;

	while ((sig = signals_next(l->sys, l->signals))) {
		if (sig == SIGCHLD) {
			l->news |= 1u << LOOP_CHILD;
			if (l->child.pid > 0 && child_poll(&l->child, &l->status, &l->usage)) {
				l->child.pid = 0;
				l->has_status = true;
				l->news |= 1u << end(l, LOOP_COMMAND_ENDED);
			}
		} else if (sig == SIGUSR2) {
			l->news |= 1u << LOOP_ASKED;
		} else if (sig != SIGWINCH) {
			l->signal = sig;
			l->n_signals++;
			l->state = l->state ? l->state : LOOP_SIGNALLED;
			l->news |= 1u << LOOP_SIGNAL;
		}
	}
}

static int wait_ms(const struct loop *l)
{
	uint64_t until = l->n_tasks ? l->looked + TASKS_EVERY_MS * NS_PER_MS : LOOP_NEVER, t = now(l);

	for (size_t i = 0; i < LOOP_TIMES; i++)
		until = MIN(until, l->at[i]);
	if (until == LOOP_NEVER)
		return -1;
	return until > t ? (int)MIN((until - t + NS_PER_MS - 1) / NS_PER_MS, (uint64_t)INT_MAX) : 0;
}

static void sleep_until_something(struct loop *l)
{
	struct pollfd own, *fds = l->n_fds ? l->fds : &own;
	int n;

	fds[0] = (struct pollfd){ .fd = l->signals, .events = POLLIN };
	n = l->sys->poll(l->sys, fds, MAX(l->n_fds, (size_t)1), wait_ms(l));
	l->wakeups += n > 0;
	l->ready = n > (fds[0].revents != 0);
	if (fds[0].revents)
		take_signals(l);
}

static enum loop_what time_has_come(struct loop *l, enum loop_time which)
{
	l->time = which;
	if (which == LOOP_INTERVAL)
		while (l->at[which] <= l->now)
			l->at[which] += l->interval;
	else
		l->at[which] = LOOP_NEVER;
	if (which == LOOP_LIMIT)
		return end(l, LOOP_TIME_UP);
	return which == LOOP_GRACE ? LOOP_END : LOOP_TICK;
}

static bool tasks_have_ended(struct loop *l)
{
	if (!l->n_tasks || l->now - l->looked < TASKS_EVERY_MS * NS_PER_MS)
		return false;
	l->looked = l->now;
	if (!loop_tasks_ended(l->sys, l->tasks, l->n_tasks))
		return false;
	l->n_tasks = 0;
	return true;
}

/* Return the most urgent of the things that have happened. */
static enum loop_what tell(struct loop *l)
{
	l->now = now(l);
	for (enum loop_what w = LOOP_SIGNAL; w <= LOOP_CHILD; w++) {
		if (l->news & 1u << w) {
			l->news &= ~(1u << w);
			return w;
		}
	}
	for (enum loop_time t = 0; t < LOOP_TIMES; t++)
		if (l->now >= l->at[t])
			return time_has_come(l, t);
	if (tasks_have_ended(l))
		return end(l, LOOP_TASKS_ENDED);
	if (!l->ready)
		return LOOP_NOTHING;
	l->ready = false;
	return LOOP_DATA;
}

enum loop_what loop_next(struct loop *l)
{
	enum loop_what what;

	do
		if (!l->news)
			sleep_until_something(l);
	while (!(what = tell(l)));
	return what;
}

enum loop_what loop_look(struct loop *l)
{
	l->ready = false;
	take_signals(l);
	return tell(l);
}

unsigned loop_signals(struct loop *l)
{
	take_signals(l);
	l->news &= ~(1u << LOOP_SIGNAL);
	return l->n_signals;
}

void loop_close(struct loop *l)
{
	if (l->signals >= 0) {
		/* Take pending signals first. Later ones act at once, which helps if the command ignores SIGTERM. */
		take_signals(l);
		signals_close(l->signals);
	}
	l->signals = -1;
	child_stop(&l->child);
}
