/*
 * stat_run.h - one counting run: open, let the command go, wait for its end, a signal, a time limit or the next
 * interval.
 */
#ifndef CMD_STAT_RUN_H
#define CMD_STAT_RUN_H

#include "flow/duty.h"
#include "flow/probe_watch.h"
#include "sys/child.h"

struct stat_run_want {
	const struct sys *sys;
	const struct event_list *events;
	const struct target *target;
	uint64_t interval_ns;       /* 0: none */
	uint64_t max_intervals;     /* 0: no limit */
	uint64_t timeout_ns;        /* 0: none */
	int signal_fd;
	struct duty *duty;          /* NULL: probes may cost what they cost */
	/* They cost too much even in turns, and are off now. */
	void (*probes_off)(void *arg);
	struct probe_watch *watch;  /* NULL: none */
	/* The probes are bad for the machine. */
	void (*probes_bad)(void *arg);
	/* The counters are open, nothing runs yet: 0 to go on. */
	int (*opened)(void *arg, const struct counters *c, struct err *e);
	/* Counters were read at the end of an interval, ns after the start, the interval being `length` long. */
	void (*tick)(void *arg, const struct counters *c, uint64_t at, uint64_t length);
	void *arg;
};

struct stat_run_result {
	uint64_t elapsed_ns;
	int status;              /* the command's exit status as a shell has it;
		0 when it was stopped because the time was over */
	struct rusage usage;
	bool has_usage;          /* a command ran and ended */
	bool interrupted;        /* a signal ended it: no further runs */
};

/* Counters stay open and read in c until the caller closes them; on error they are closed. */
int stat_run(struct counters *c, const struct stat_run_want *w, struct stat_run_result *r, struct err *e);

#endif
