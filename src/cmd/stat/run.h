/*
 * run.h - one counting run: open, let the command go, and pull what happens until its end, a signal or a time
 * limit.
 *
 *	r = stat_run_open(&run, &want, e);      the counters are open, nothing runs yet
 *	r = r ? r : stat_run_go(&run, e);
 *	while (!r && (what = stat_run_next(&run)) != STAT_RUN_END)
 *		...
 */
#ifndef CMD_STAT_RUN_H
#define CMD_STAT_RUN_H

#include "live/control.h"
#include "live/duty.h"
#include "live/loop.h"
#include "live/probe_watch.h"

#include <poll.h>

struct stat_run_want {
	const struct sys *sys;
	struct loop *loop;          /* open, and again to be begun */
	const struct event_list *events;
	const struct target *target;
	struct counters *counters;  /* opened here, closed by the caller, also after an error */
	uint64_t interval_ns;       /* 0: none */
	uint64_t max_intervals;     /* 0: no limit */
	uint64_t timeout_ns;        /* 0: none */
	struct duty *duty;          /* NULL: probes may cost what they cost */
	struct probe_watch *watch;  /* NULL: none */
	struct control *control;    /* open, or NULL: nobody tells when to count */
};

enum stat_run_what {
	STAT_RUN_GOES,              /* never told */
	STAT_RUN_TICK,              /* an interval is over, the counters were read: run.at, run.length */
	STAT_RUN_PROBES_OFF,        /* they cost too much even in turns, and are off now */
	STAT_RUN_PROBES_BAD,        /* for the machine */
	STAT_RUN_ODD_ORDER,         /* control->line is no command */
	STAT_RUN_END,               /* the counters were read, the command has ended or was told to */
};

struct stat_run {
	const struct stat_run_want *want;
	uint64_t at, length;        /* of the interval: ns after the start, and how long it was */
	/* At the end: */
	uint64_t elapsed_ns;
	int status;                 /* of the command, as a shell has it; 0: it was stopped because the time was over */
	bool interrupted;           /* a signal ended it: no further runs */
	/* The loop has the command's usage. The rest is its own. */
	uint64_t start, last, ticks;
	struct pollfd fds[2];       /* the loop's, the control's */
	bool over;                  /* count no further */
	bool ended_by_us;           /* time or intervals are over */
	bool stopped;
};

int stat_run_open(struct stat_run *n, const struct stat_run_want *w, struct err *e);
int stat_run_go(struct stat_run *n, struct err *e);
enum stat_run_what stat_run_next(struct stat_run *n);

#endif
