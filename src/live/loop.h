/*
 * loop.h - the event loop of all commands: a workload that is held until everything is open, signals, timers, tasks
 * that exit, descriptors with data. The caller fetches one event at a time:
 *
 *	loop_init(&l, sys);
 *	r = loop_open(&l, e);                        signals are requests from here on
 *	r = r ? r : loop_hold(&l, argv, NULL, e);    the command waits for what is opened now
 *	r = r ? r : loop_go(&l, e);
 *	loop_in(&l, LOOP_LIMIT, 5 * NS_PER_S);
 *	while ((what = loop_next(&l)) != LOOP_END && what != LOOP_SIGNAL)
 *		...
 *	loop_close(&l);
 *
 * Everything is reported once: a caller that continues after a signal or an end gets the events that follow.
 */
#ifndef LIVE_LOOP_H
#define LIVE_LOOP_H

#include "sys/child.h"

struct pollfd;

enum loop_what {
	LOOP_NOTHING,      /* returned by loop_look only */
	LOOP_SIGNAL,       /* SIGINT, SIGTERM or SIGHUP: loop.signal */
	LOOP_END,          /* loop.state says why, unless something else had ended it before */
	LOOP_ASKED,        /* SIGUSR2, if it is handled (loop.asked) */
	LOOP_CHILD,        /* one of our child processes other than the command may have exited */
	LOOP_TICK,         /* timer loop.time has expired */
	LOOP_DATA,         /* descriptors are ready: see their revents */
};

/* Timers. If several have expired they are reported in this order. */
enum loop_time {
	LOOP_DELAY,        /* end of the initial delay */
	LOOP_PART,         /* a part of the run is over */
	LOOP_INTERVAL,     /* periodic, see loop_every */
	LOOP_LIMIT,        /* time limit, reported as LOOP_END */
	LOOP_GRACE,        /* also reported as LOOP_END: whatever should have ended by itself has had its time */
	LOOP_OTHER,        /* occasional checks: last, because they may take long */
	LOOP_TIMES
};

enum loop_state {
	LOOP_RUNS,
	LOOP_COMMAND_ENDED, LOOP_TASKS_ENDED, LOOP_SIGNALLED, LOOP_TIME_UP,
};

#define LOOP_NEVER UINT64_MAX

struct loop {
	const struct sys *sys;
	int signals;               /* descriptor, -1 */
	struct child child;        /* the command; pid 0: none, or it has ended */
	const char *name;          /* its */
	bool asked;                /* SIGUSR2 is reported; set by the caller. Otherwise it kills us, as by default */
	bool has_status;           /* it has ended: */
	int status;                /* exit status as in a shell */
	struct rusage usage;
	enum loop_state state;     /* what ended it first */
	int signal;                /* the newest */
	unsigned n_signals;
	enum loop_time time;       /* the newest that has come */
	uint64_t now;              /* CLOCK_MONOTONIC ns at the newest return */
	uint64_t wakeups;          /* returns of poll that were no time-out */
	/* The rest is the loop's own. */
	uint64_t at[LOOP_TIMES], interval, looked;
	const int *tasks;
	size_t n_tasks;
	struct pollfd *fds;
	size_t n_fds;
	bool ready;                /* of fds, not told yet */
	unsigned news;             /* bit of each loop_what of signals that was not told yet */
};

void loop_init(struct loop *l, const struct sys *sys);

int loop_open(struct loop *l, struct err *e);

/* Forget all but the signals' descriptor: one more run. There is no command now. */
void loop_begin(struct loop *l);

/* See child.h. argv is borrowed until loop_go; -errno of that: there is no command. */
int loop_hold(struct loop *l, char *const argv[], const struct child_how *how, struct err *e);
int loop_go(struct loop *l, struct err *e);

/* One time each: at CLOCK_MONOTONIC ns (LOOP_NEVER: not), or so many ns from now. */
void loop_at(struct loop *l, enum loop_time which, uint64_t ns);
void loop_in(struct loop *l, enum loop_time which, uint64_t ns);

/* LOOP_INTERVAL each ns after `from`; what comes too late is left out, the rhythm stays. ns 0: no more. */
void loop_every(struct loop *l, uint64_t from, uint64_t ns);

/* End when none of these lives any more; borrowed. n 0: do not look. */
void loop_watch_tasks(struct loop *l, const int *pids, size_t n);
bool loop_tasks_ended(const struct sys *sys, const int *pids, size_t n);

/* LOOP_DATA when one of fds[1..n - 1] is ready; fds[0] is the loop's. Borrowed; n 0: none. */
void loop_watch_fds(struct loop *l, struct pollfd *fds, size_t n);

/* Sleep until there is something to tell. */
enum loop_what loop_next(struct loop *l);

/* The same without sleep and descriptors: LOOP_NOTHING. One system call when all is quiet. */
enum loop_what loop_look(struct loop *l);

/* Only take what signals have come, as told: how many it were in all. */
unsigned loop_signals(struct loop *l);

/* Signals act again; a command that still runs gets SIGTERM and is waited for. What was told stays. */
void loop_close(struct loop *l);

#endif
