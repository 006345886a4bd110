/*
 * run.h - one counting run: open the counters, let the command go, and return what happens until the command ends, or
 * a signal or a time limit ends the run.
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
	struct loop *loop;          /* opened by the caller, reset by _open */
	const struct event_list *events;
	const struct target *target;
	struct counters *counters;  /* opened here, closed by the caller, also after an error */
	uint64_t interval_ns;       /* 0: none */
	uint64_t max_intervals;     /* 0: no limit */
	uint64_t timeout_ns;        /* 0: none */
	struct duty *duty;          /* limits the cost of probes; NULL: no limit */
	struct probe_watch *watch;  /* warns of costly probes; NULL: no warning */
	struct control *control;    /* --control, opened by the caller; NULL: none */
};

enum stat_run_what {
	STAT_RUN_GOES,              /* internal, never returned */
	STAT_RUN_TICK,              /* an interval is over, the counters were read: see run.at, run.length */
	STAT_RUN_PROBES_OFF,        /* probes cost too much even with pauses, and are off now */
	STAT_RUN_PROBES_BAD,        /* probes cost much: print want.watch; returned once */
	STAT_RUN_ODD_ORDER,         /* control->line is unknown, or does not apply to stat */
	STAT_RUN_END,               /* the counters were read; the command has ended or was terminated */
};

struct stat_run {
	const struct stat_run_want *want;
	uint64_t at, length;        /* end of the interval, ns after the start, and its length in ns */
	/* At the end: */
	uint64_t elapsed_ns;
	int status;                 /* the command's, as in a shell; 0 if we ended it, for example at the time limit */
	bool interrupted;           /* a signal came: no further runs of -r */
	/* The loop has the command's resource usage. The members below are private. */
	uint64_t start, last, ticks;
	struct pollfd fds[2];       /* fds[1] is the control */
	bool over;                  /* end the run */
	bool ended_by_us;           /* by the time limit, the last interval or `stop` of --control */
	bool stopped;
};

int stat_run_open(struct stat_run *n, const struct stat_run_want *w, struct err *e);
int stat_run_go(struct stat_run *n, struct err *e);
enum stat_run_what stat_run_next(struct stat_run *n);

#endif
