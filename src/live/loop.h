/*
 * loop.h - the one run loop: waits for signals, timers, the end of a command or of tasks, and for descriptors with
 * data. The command is held before its exec until all events are open. The caller pulls one thing at a time:
 *
 *	loop_init(&l, sys);
 *	r = loop_open(&l, e);                        from now on signals are blocked and returned by loop_next
 *	r = r ? r : loop_hold(&l, argv, NULL, e);    the command is forked, and waits
 *	r = r ? r : loop_go(&l, e);
 *	loop_in(&l, LOOP_LIMIT, 5 * NS_PER_S);
 *	while ((what = loop_next(&l)) != LOOP_END && what != LOOP_SIGNAL)
 *		...
 *	loop_close(&l);
 *
 * Each thing is returned once. The caller may go on after a signal or an end, to be told what comes later.
 */
#ifndef LIVE_LOOP_H
#define LIVE_LOOP_H

#include "sys/child.h"

struct pollfd;

enum loop_what {
	LOOP_NOTHING,      /* by loop_look only */
	LOOP_SIGNAL,       /* SIGINT, SIGTERM or SIGHUP: see loop.signal */
	LOOP_END,          /* the run has ended; loop.state has the first reason */
	LOOP_ASKED,        /* SIGUSR2, if loop.asked is set */
	LOOP_CHILD,        /* SIGCHLD: a child of sonde's, maybe not the command, may have ended */
	LOOP_TICK,         /* the timer loop.time has expired */
	LOOP_DATA,         /* some watched descriptor is ready: see revents */
};

/* Timers. If several have expired, they are returned in this order. */
enum loop_time {
	LOOP_DELAY,        /* end of a delay before the start */
	LOOP_PART,         /* end of a part of the run */
	LOOP_INTERVAL,     /* periodic, see loop_every */
	LOOP_LIMIT,        /* time limit of the run: returned as LOOP_END */
	LOOP_GRACE,        /* grace period for what should have ended by itself: returned as LOOP_END */
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
	int signals;               /* descriptor for signals, -1: none */
	struct child child;        /* the command; pid 0: none, or it has ended */
	const char *name;          /* of the command */
	bool asked;                /* set by the caller: return SIGUSR2; otherwise it has its usual action */
	bool has_status;           /* the command has ended: status and usage are set */
	int status;                /* exit status as a shell has it */
	struct rusage usage;
	enum loop_state state;     /* the first reason why the run ended */
	int signal;                /* the newest signal */
	unsigned n_signals;
	enum loop_time time;       /* the timer of the newest LOOP_TICK or LOOP_END */
	uint64_t now;              /* ns of CLOCK_MONOTONIC at the newest return */
	uint64_t wakeups;          /* returns of poll() other than time-outs */
	/* The rest is private to loop.c. */
	uint64_t at[LOOP_TIMES], interval, looked;
	const int *tasks;
	size_t n_tasks;
	struct pollfd *fds;
	size_t n_fds;
	bool ready;                /* some of fds is ready, not returned yet */
	unsigned news;             /* bits 1 << enum loop_what, from signals, not returned yet */
};

void loop_init(struct loop *l, const struct sys *sys);

int loop_open(struct loop *l, struct err *e);

/* Reset everything but the descriptor for signals, for another run. No command may be running. */
void loop_begin(struct loop *l);

/* See sys/child.h. argv is borrowed until loop_go. After -errno there is no command. */
int loop_hold(struct loop *l, char *const argv[], const struct child_how *how, struct err *e);
int loop_go(struct loop *l, struct err *e);

/* Set a timer: to expire once, at `ns` of CLOCK_MONOTONIC (LOOP_NEVER: stop it), or in `ns` from now. */
void loop_at(struct loop *l, enum loop_time which, uint64_t ns);
void loop_in(struct loop *l, enum loop_time which, uint64_t ns);

/* Let LOOP_INTERVAL expire at each multiple of `ns` after `from`; those missed are skipped. ns 0: stop it. */
void loop_every(struct loop *l, uint64_t from, uint64_t ns);

/* End the run when all of these processes have ended (checked every 100 ms). Borrowed; n 0: watch none. */
void loop_watch_tasks(struct loop *l, const int *pids, size_t n);
bool loop_tasks_ended(const struct sys *sys, const int *pids, size_t n);

/* Return LOOP_DATA when one of fds[1] to fds[n - 1] is ready; fds[0] is for the loop. Borrowed; n 0: watch none. */
void loop_watch_fds(struct loop *l, struct pollfd *fds, size_t n);

/* Sleep until something happens, and return it. */
enum loop_what loop_next(struct loop *l);

/* The same without sleeping, and without the descriptors: LOOP_NOTHING if nothing has happened. */
enum loop_what loop_look(struct loop *l);

/* Take the signals that have come; LOOP_SIGNAL will not be returned for them. Returns the number of all so far. */
unsigned loop_signals(struct loop *l);

/* Unblock signals; a command that still runs gets SIGTERM and is waited for. Public members keep their values. */
void loop_close(struct loop *l);

#endif
